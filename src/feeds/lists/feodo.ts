import * as v from "valibot";
import { DAY_MS } from "#common";
import type { Feed, FeedFacts, FeedSink } from "../feed.ts";
import { type FeedContent, FeedError } from "../feed_content.ts";
import { parseFields, readDay } from "./readers.ts";

/** A controller that was not seen for this long is ignored. */
const MAX_AGE_MS = 30 * DAY_MS;

const ControllersSchema = v.array(
  v.object({
    ip_address: v.string(),
    first_seen: v.string(),
    last_online: v.nullish(v.string()),
    malware: v.optional(v.string()),
  }),
);

/**
 * Feodo Tracker of abuse.ch: botnet controllers. The list has been nearly empty since March 2026, and rows stay in it
 * for months.
 */
export const feodo = {
  id: "feodo",
  name: "Feodo Tracker",
  family: "abuse_ch",
  licence: "CC0",
  attribution: "abuse.ch",
  homepage: "https://feodotracker.abuse.ch/blocklist/",
  delistUrl: "https://feodotracker.abuse.ch/browse/host/{ip}/",
  files: [{ url: "https://feodotracker.abuse.ch/downloads/ipblocklist.json", maxBytes: 4_194_304 }],
  meanings: ["botnet"],
  authority: true,
  cadenceMs: 21_600_000,
  expiresMs: 259_200_000,
  minRows: 0,
  maxRows: 20_000,
  maxShrink: 0,
  maxGrow: 1_000,
  parse: readControllers,
} as const satisfies Feed;

function readControllers(content: FeedContent, sink: FeedSink): FeedFacts {
  const rows = parseFields(ControllersSchema, content.json()).map((row) => {
    const day = readDay(row.last_online ?? row.first_seen);
    if (day === undefined) throw new FeedError("a row has no date");
    return { ...row, day, seenMs: Date.parse(day) };
  });
  const newest =
    rows
      .map((row) => row.day)
      .sort()
      .at(-1) ?? "";
  const now = content.now ?? Date.parse(newest);
  for (const { ip_address, seenMs, malware } of rows) {
    if (now - seenMs > MAX_AGE_MS) continue;
    sink.prefix(ip_address, { meaning: "botnet", ...(malware ? { label: malware } : {}) });
  }
  return newest === "" ? {} : { date: newest };
}
