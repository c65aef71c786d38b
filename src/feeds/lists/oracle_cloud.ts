import * as v from "valibot";
import type { Feed, FeedFacts, FeedSink } from "../feed.ts";
import type { FeedContent } from "../feed_content.ts";
import { dateFact, parseFields } from "./readers.ts";

const OracleRangesSchema = v.object({
  last_updated_timestamp: v.optional(v.string()),
  regions: v.array(v.object({ cidrs: v.array(v.object({ cidr: v.string() })) })),
});

/** Oracle Cloud's ranges by region (https://docs.oracle.com/en-us/iaas/Content/General/Concepts/addressranges.htm). */
export const oracleCloud = {
  id: "oracle_cloud",
  name: "Oracle Cloud",
  family: "oracle",
  licence: "published facts, none stated",
  homepage: "https://docs.oracle.com/en-us/iaas/Content/General/Concepts/addressranges.htm",
  files: [
    {
      url: "https://docs.oracle.com/en-us/iaas/tools/public_ip_ranges.json",
      maxBytes: 4_194_304,
      redirects: 2,
    },
  ],
  meanings: ["hosting"],
  authority: true,
  cadenceMs: 86_400_000,
  minRows: 200,
  maxRows: 20_000,
  parse: readRegions,
} as const satisfies Feed;

function readRegions(content: FeedContent, sink: FeedSink): FeedFacts {
  const { last_updated_timestamp, regions } = parseFields(OracleRangesSchema, content.json());
  for (const { cidrs } of regions) {
    for (const { cidr } of cidrs) sink.prefix(cidr, { meaning: "hosting", label: "Oracle Cloud" });
  }
  return dateFact(last_updated_timestamp);
}
