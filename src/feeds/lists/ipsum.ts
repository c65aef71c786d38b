import type { Feed, FeedFacts, FeedSink } from "../feed.ts";
import type { FeedContent } from "../feed_content.ts";
import { dateFact } from "./readers.ts";

/** What an entry on one list only stands for: mostly noise, because dynamic addresses change their user. */
const SINGLE_VOICE = 0.75;
/** One of several lists can be a copy of another or out of date, so it does not count. */
const DOUBTFUL_LISTS = 1;
/** From this count on all lists count: so many are not a few copies of one. It is also the most that one file stands for. */
const FIRM_LISTS = 5;

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
  countVoices: readVoices,
  minRows: 2_000,
  maxRows: 600_000,
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
    else if (Number(count) > 0) {
      sink.prefix(address, { meaning: "abuse", label: labelOf(Number(count)) });
    }
  }
  return Number.isNaN(updated) ? {} : dateFact(new Date(updated).toISOString());
}

function labelOf(lists: number): string {
  return lists === 1 ? "on 1 list" : `on ${lists} lists`;
}

/** Reads the number of lists from a label of this list. */
function readVoices(label: string): number | undefined {
  const lists = Number(/^on (\d{1,3}) lists?$/.exec(label)?.[1]);
  if (!(lists > 0)) return undefined;
  return lists >= FIRM_LISTS ? FIRM_LISTS : Math.max(lists - DOUBTFUL_LISTS, SINGLE_VOICE);
}
