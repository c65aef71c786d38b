import type { Feed, FeedFacts, FeedSink } from "../feed.ts";
import { type FeedContent, FeedError } from "../feed_content.ts";
import { dateFact } from "./readers.ts";

/**
 * The Tor Project's scan of exits: the addresses that traffic left each exit from, with the time
 * (https://2019.www.torproject.org/tordnsel/exitlist-spec.txt).
 */
export const torExitAddresses = {
  id: "tor_exit_addresses",
  name: "Tor exit addresses",
  family: "tor",
  licence: "public data, none claimed",
  homepage: "https://check.torproject.org/",
  files: [{ url: "https://check.torproject.org/exit-addresses", maxBytes: 4_194_304 }],
  meanings: ["tor_exit"],
  authority: true,
  cadenceMs: 3_600_000,
  expiresMs: 86_400_000,
  minRows: 800,
  maxRows: 20_000,
  parse: readExits,
} as const satisfies Feed;

/** Blocks of `ExitNode`, `Published`, `LastStatus` and one or more `ExitAddress <address> <date> <time>`. */
function readExits(content: FeedContent, sink: FeedSink): FeedFacts {
  let newest = "";
  for (const line of content.lines()) {
    const [keyword, value = "", day = ""] = line.split(" ", 3);
    switch (keyword) {
      case "ExitAddress":
        sink.prefix(value, { meaning: "tor_exit" });
        if (day > newest) newest = day;
        break;
      case "ExitNode":
      case "Published":
      case "LastStatus":
        break;
      default:
        throw new FeedError("a line has an unknown keyword");
    }
  }
  return dateFact(newest);
}
