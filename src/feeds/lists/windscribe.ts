import * as v from "valibot";
import type { Feed, FeedFacts, FeedSink } from "../feed.ts";
import type { FeedContent } from "../feed_content.ts";
import { parseFields } from "./readers.ts";

const FOLDER = "https://assets.windscribe.com/serverlist/mob-v2/";
const Entry = v.nullish(v.string());

const LocationsSchema = v.object({
  data: v.array(
    v.object({
      groups: v.optional(
        v.array(
          v.object({
            ping_ip: Entry,
            nodes: v.optional(v.array(v.object({ ip: Entry, ip2: Entry, ip3: Entry })), []),
          }),
        ),
        [],
      ),
    }),
  ),
});

/**
 * Windscribe's servers as its own apps read them: a file for paying users, and one for the free plan. The last part of
 * the URL only avoids caches. A node has up to three addresses, and a group one that answers pings
 * (https://windscribe.com/status).
 */
export const windscribe = {
  id: "windscribe",
  name: "Windscribe",
  family: "windscribe",
  licence: "published facts, none stated",
  homepage: "https://windscribe.com/status",
  files: [
    { url: `${FOLDER}1/0`, maxBytes: 8_388_608 },
    { url: `${FOLDER}0/0`, maxBytes: 8_388_608, optional: true },
  ],
  meanings: ["vpn"],
  authority: true,
  cadenceMs: 86_400_000,
  minRows: 200,
  maxRows: 20_000,
  parse: readLocations,
} as const satisfies Feed;

function readLocations(content: FeedContent, sink: FeedSink): FeedFacts {
  const { data } = parseFields(LocationsSchema, content.json());
  const texts = data.flatMap(({ groups }) =>
    groups.flatMap(({ ping_ip, nodes }) => [ping_ip, ...nodes.flatMap(({ ip, ip2, ip3 }) => [ip, ip2, ip3])]),
  );
  for (const text of new Set(texts)) {
    if (text) sink.prefix(text, { meaning: "vpn", label: "Windscribe" });
  }
  return {};
}
