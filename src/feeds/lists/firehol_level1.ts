import type { Feed, FeedFacts, FeedSink } from "../feed.ts";
import type { FeedContent } from "../feed_content.ts";
import { dateFact, readPlainList } from "./readers.ts";

/**
 * FireHOL level 1: addresses that are safe to block, merged from other lists (DROP, DShield, Feodo, bogons), which are
 * the origin of the data. Its bogons are stripped.
 */
export const fireholLevel1 = {
  id: "firehol_level1",
  name: "FireHOL level 1",
  family: "public_lists",
  licence: "that of each merged list",
  notRedistributable: true,
  attribution: "FireHOL IP Lists",
  homepage: "https://iplists.firehol.org/?ipset=firehol_level1",
  files: [{ url: "https://iplists.firehol.org/files/firehol_level1.netset", maxBytes: 8_388_608 }],
  meanings: ["abuse"],
  cadenceMs: 14_400_000,
  expiresMs: 259_200_000,
  minRows: 500,
  maxRows: 100_000,
  parse: readNetset,
} as const satisfies Feed;

/** Comments, such as `# This File Date       : Thu Sep 10 04:12:31 UTC 2026`, then one prefix a line. */
function readNetset(content: FeedContent, sink: FeedSink): FeedFacts {
  readPlainList(content, sink, { meaning: "abuse" });
  for (const line of content.lines()) {
    if (!line.startsWith("#")) break;
    const date = /^# This File Date *: (.{1,40})$/.exec(line)?.[1];
    const time = date === undefined ? Number.NaN : Date.parse(date);
    if (!Number.isNaN(time)) return dateFact(new Date(time).toISOString());
  }
  return {};
}
