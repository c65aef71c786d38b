import * as v from "valibot";
import type { Feed, FeedFacts, FeedSink } from "../feed.ts";
import type { FeedContent } from "../feed_content.ts";
import { parseFields } from "./readers.ts";

const RelaysSchema = v.array(
  v.object({ ipv4_addr_in: v.nullish(v.string()), ipv6_addr_in: v.nullish(v.string()) }),
);

/** Entry addresses of Mullvad's servers; traffic may leave from a neighbouring address (https://mullvad.net/en/servers). */
export const mullvad = {
  id: "mullvad",
  name: "Mullvad",
  family: "mullvad",
  licence: "published facts, none stated",
  homepage: "https://mullvad.net/en/servers",
  files: [{ url: "https://api.mullvad.net/www/relays/all/", maxBytes: 8_388_608 }],
  meanings: ["vpn"],
  authority: true,
  cadenceMs: 86_400_000,
  minRows: 200,
  maxRows: 20_000,
  parse: readRelays,
} as const satisfies Feed;

function readRelays(content: FeedContent, sink: FeedSink): FeedFacts {
  for (const { ipv4_addr_in, ipv6_addr_in } of parseFields(RelaysSchema, content.json())) {
    for (const text of [ipv4_addr_in, ipv6_addr_in]) {
      if (text) sink.prefix(text, { meaning: "vpn", label: "Mullvad" });
    }
  }
  return {};
}
