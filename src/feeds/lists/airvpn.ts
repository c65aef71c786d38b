import * as v from "valibot";
import type { Feed, FeedFacts, FeedSink } from "../feed.ts";
import type { FeedContent } from "../feed_content.ts";
import { parseFields } from "./readers.ts";

const FIELDS = [
  "ip_v4_in1",
  "ip_v4_in2",
  "ip_v4_in3",
  "ip_v4_in4",
  "ip_v6_in1",
  "ip_v6_in2",
  "ip_v6_in3",
  "ip_v6_in4",
] as const;

const Entry = v.nullish(v.string());
const StatusSchema = v.object({
  servers: v.array(
    v.object({
      ip_v4_in1: v.string(),
      ip_v4_in2: Entry,
      ip_v4_in3: Entry,
      ip_v4_in4: Entry,
      ip_v6_in1: Entry,
      ip_v6_in2: Entry,
      ip_v6_in3: Entry,
      ip_v6_in4: Entry,
    }),
  ),
});

/** Entry addresses of AirVPN's servers (https://airvpn.org/status/). */
export const airvpn = {
  id: "airvpn",
  name: "AirVPN",
  family: "airvpn",
  licence: "published facts, none stated",
  homepage: "https://airvpn.org/status/",
  files: [{ url: "https://airvpn.org/api/status/?format=json", maxBytes: 8_388_608 }],
  meanings: ["vpn"],
  authority: true,
  cadenceMs: 86_400_000,
  minRows: 200,
  maxRows: 20_000,
  parse: readStatus,
} as const satisfies Feed;

function readStatus(content: FeedContent, sink: FeedSink): FeedFacts {
  for (const server of parseFields(StatusSchema, content.json()).servers) {
    for (const field of FIELDS) {
      const text = server[field];
      if (text) sink.prefix(text, { meaning: "vpn", label: "AirVPN" });
    }
  }
  return {};
}
