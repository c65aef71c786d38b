import type { RangeInfo } from "#datasets";
import type { FeedFacts, FeedSink } from "../feed.ts";
import { type FeedContent, FeedError } from "../feed_content.ts";
import { dateFact } from "./readers.ts";

/** Blocks of `ExitNode`, `Published`, `LastStatus` and one or more `ExitAddress <address> <date> <time>`. */
export function readExitScan(content: FeedContent, sink: FeedSink, info: RangeInfo): FeedFacts {
  let newest = "";
  for (const line of content.lines()) {
    const [keyword = "", value = "", day = ""] = line.split(" ", 3);
    if (keyword === "ExitAddress") {
      sink.prefix(value, info);
      if (day > newest) newest = day;
    } else if (!["ExitNode", "Published", "LastStatus"].includes(keyword))
      throw new FeedError("a line has an unknown keyword");
  }
  return dateFact(newest);
}

/** `fingerprint, ipaddr, port`, below a header line. */
export function readConsensus(content: FeedContent, sink: FeedSink, info: RangeInfo): FeedFacts {
  const lines = content.lines();
  const head = lines.next();
  if (head.done === true || !/^fingerprint\s*,\s*ip/i.test(head.value))
    throw new FeedError("it has another header");
  for (const line of lines) {
    const [, address, port] = line.split(",", 3);
    if (address === undefined || port === undefined) throw new FeedError("a line has too few fields");
    sink.prefix(address.replaceAll(/[[\]]/g, ""), info);
  }
  return {};
}
