import * as v from "valibot";
import type { Feed, FeedFacts, FeedSink } from "../feed.ts";
import type { FeedContent } from "../feed_content.ts";
import { dateFact, parseFields } from "./readers.ts";

const AwsRangesSchema = v.object({
  createDate: v.optional(v.string()),
  prefixes: v.array(v.object({ ip_prefix: v.string(), service: v.string() })),
  ipv6_prefixes: v.array(v.object({ ipv6_prefix: v.string(), service: v.string() })),
});

/**
 * Amazon Web Services by service tag: `CLOUDFRONT` is the content network, everything else counts as servers.
 * `AMAZON` repeats every prefix of the others (https://docs.aws.amazon.com/vpc/latest/userguide/aws-ip-syntax.html).
 */
export const aws = {
  id: "aws",
  name: "Amazon Web Services",
  family: "amazon",
  licence: "published facts, none stated",
  homepage: "https://docs.aws.amazon.com/vpc/latest/userguide/aws-ip-ranges.html",
  files: [{ url: "https://ip-ranges.amazonaws.com/ip-ranges.json", maxBytes: 16_777_216 }],
  meanings: ["hosting", "cdn"],
  authority: true,
  cadenceMs: 86_400_000,
  minRows: 2_000,
  maxRows: 150_000,
  parse: readRanges,
} as const satisfies Feed;

function readRanges(content: FeedContent, sink: FeedSink): FeedFacts {
  const { createDate, prefixes, ipv6_prefixes } = parseFields(AwsRangesSchema, content.json());
  const rows = [
    ...prefixes.map((row) => ({ prefix: row.ip_prefix, service: row.service })),
    ...ipv6_prefixes.map((row) => ({ prefix: row.ipv6_prefix, service: row.service })),
  ];
  const edge = new Set(rows.filter((row) => row.service === "CLOUDFRONT").map((row) => row.prefix));
  const servers = new Set(rows.filter((row) => !edge.has(row.prefix)).map((row) => row.prefix));
  for (const prefix of edge) sink.prefix(prefix, { meaning: "cdn", label: "Amazon CloudFront" });
  for (const prefix of servers) sink.prefix(prefix, { meaning: "hosting", label: "AWS" });
  // "2026-08-21-10-32-11": a day, then its time.
  return dateFact(createDate);
}
