import * as v from "valibot";
import { type RangeInfo, readPlace } from "#datasets";
import type { Feed, FeedFacts, FeedSink } from "../feed.ts";
import type { FeedContent } from "../feed_content.ts";
import { dateFact, parseFields } from "./readers.ts";

const VultrRangesSchema = v.object({
  updated: v.optional(v.string()),
  subnets: v.array(
    v.object({
      ip_prefix: v.string(),
      alpha2code: v.nullish(v.string()),
      region: v.nullish(v.string()),
      city: v.nullish(v.string()),
    }),
  ),
});

/** Vultr's ranges with their places (https://docs.vultr.com/vultr-ip-space). */
export const vultr = {
  id: "vultr",
  name: "Vultr",
  family: "vultr",
  licence: "published facts, none stated",
  homepage: "https://docs.vultr.com/vultr-ip-space",
  files: [{ url: "https://geofeed.constant.com/?json", maxBytes: 4_194_304 }],
  meanings: ["hosting"],
  authority: true,
  cadenceMs: 86_400_000,
  minRows: 150,
  maxRows: 20_000,
  parse: readSubnets,
} as const satisfies Feed;

function readSubnets(content: FeedContent, sink: FeedSink): FeedFacts {
  const { updated, subnets } = parseFields(VultrRangesSchema, content.json());
  const info: RangeInfo = { meaning: "hosting", label: "Vultr" };
  for (const { ip_prefix, alpha2code, region, city } of subnets) {
    const place = readPlace(alpha2code ?? undefined, region ?? undefined, city ?? undefined);
    sink.prefix(ip_prefix, place === undefined ? info : { ...info, place });
  }
  return dateFact(updated);
}
