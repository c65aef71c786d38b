import type { Feed, FeedFacts, FeedSink } from "../feed.ts";
import type { FeedContent } from "../feed_content.ts";
import { dateFact } from "./readers.ts";

/** Lists an address must be on; one or two are noise, because dynamic addresses change their user. */
const MIN_LISTS = 3;

/**
 * ipsum: addresses with the number of public blocklists they are on. The data is that of the lists it merges
 * (blocklist.de, CINS, GreenSnow, ET and more); research scanners have the highest counts.
 */
export const ipsum = {
  id: "ipsum",
  name: "ipsum",
  family: "public_lists",
  licence: "Unlicense",
  homepage: "https://github.com/stamparm/ipsum",
  files: [
    {
      url: "https://raw.githubusercontent.com/stamparm/ipsum/master/ipsum.txt",
      maxBytes: 16_777_216,
      contentTypes: ["text/plain"],
    },
  ],
  meanings: ["abuse"],
  cadenceMs: 86_400_000,
  minRows: 2_000,
  maxRows: 150_000,
  parse: readCounts,
} as const satisfies Feed;

/** `address<TAB>count`; the comments at the top have the day: `# Last update: Sat, 22 Aug 2026 03:00:29 +0200`. */
function readCounts(content: FeedContent, sink: FeedSink): FeedFacts {
  let updated = Number.NaN;
  for (const line of content.lines()) {
    if (line.startsWith("#")) {
      const date = /^# Last update: (.{1,60})$/.exec(line)?.[1];
      if (date !== undefined) updated = Date.parse(date);
      continue;
    }
    const [, address = "", count = "0"] = /^(\S{1,64})\s+(\d{1,3})$/.exec(line) ?? [];
    if (address === "") sink.prefix("", { meaning: "abuse" });
    else if (Number(count) >= MIN_LISTS) {
      sink.prefix(address, { meaning: "abuse", label: `on ${Number(count)} lists` });
    }
  }
  return Number.isNaN(updated) ? {} : dateFact(new Date(updated).toISOString());
}
