import * as v from "valibot";
import { DAY_MS } from "#common";
import { type RangeInfo, readCountry } from "#datasets";
import type { FeedFacts, FeedSink, ListRow } from "../feed.ts";
import { type FeedContent, FeedError, parseJson } from "../feed_content.ts";
import { dateFact, parseFields, readCommentDate, readDay } from "./readers.ts";

/** The last line of a DROP file. `timestamp` is in seconds since the epoch, `records` the number of rows before it. */
const DropMetadataSchema = v.object({
  type: v.literal("metadata"),
  timestamp: v.pipe(v.number(), v.minValue(0), v.maxValue(8_640_000_000_000)),
  records: v.pipe(v.number(), v.integer()),
});
const DropRowSchema = v.object({ cidr: v.string() });
const AsnDropRowSchema = v.object({
  asn: v.pipe(v.number(), v.integer()),
  cc: v.nullish(v.string()),
  asname: v.nullish(v.string()),
});

export function readDrop(content: FeedContent, sink: FeedSink, info: RangeInfo): FeedFacts {
  return readDropRows(content, DropRowSchema, ({ cidr }) => sink.prefix(cidr, info));
}

export function readAsnDrop(content: FeedContent, sink: FeedSink): FeedFacts {
  return readDropRows(content, AsnDropRowSchema, ({ asn, cc, asname }) => {
    const country = readCountry(cc ?? "");
    sink.network(asn, {
      meaning: "severe",
      ...(asname ? { name: asname } : {}),
      ...(country === undefined ? {} : { country }),
    });
  });
}

/**
 * Reads a DROP file of Spamhaus: one JSON object a line; the last one counts the others.
 * @throws {FeedError} when a row has another format, or the count is missing or differs: the file is cut short.
 */
function readDropRows<Row>(
  content: FeedContent,
  schema: v.GenericSchema<unknown, Row>,
  take: (row: Row) => void,
): FeedFacts {
  let records = 0;
  let metadata: v.InferOutput<typeof DropMetadataSchema> | undefined;
  for (const line of content.lines()) {
    const value = parseJson(line, "a line is not JSON");
    if (v.is(v.object({ type: v.literal("metadata") }), value)) {
      metadata = parseFields(DropMetadataSchema, value);
      continue;
    }
    take(parseFields(schema, value));
    records++;
  }
  if (metadata === undefined) throw new FeedError("its last line is missing");
  if (metadata.records !== records) {
    throw new FeedError(`it has ${records} rows and says it has ${metadata.records}`);
  }
  return dateFact(new Date(metadata.timestamp * 1_000).toISOString());
}

/** A controller that was not seen for this long is ignored. */
const MAX_AGE_MS = 30 * DAY_MS;

const FeodoSchema = v.array(
  v.object({
    ip_address: v.string(),
    first_seen: v.string(),
    last_online: v.nullish(v.string()),
    malware: v.optional(v.string()),
  }),
);

export function readFeodo(content: FeedContent, sink: FeedSink, info: RangeInfo): FeedFacts {
  const rows = parseFields(FeodoSchema, content.json()).map((row) => {
    const day = readDay(row.last_online ?? row.first_seen);
    if (day === undefined) throw new FeedError("a row has no date");
    return { ...row, day, seenMs: Date.parse(day) };
  });
  const [newest] = rows.map((row) => row.day).toSorted((a, b) => (a < b ? 1 : -1));
  const now = content.now ?? Date.parse(newest ?? "");
  for (const { ip_address, seenMs, malware } of rows) {
    if (now - seenMs > MAX_AGE_MS) continue;
    sink.prefix(ip_address, malware ? { ...info, label: malware } : info);
  }
  return dateFact(newest);
}

/** `address<TAB>number of lists`. */
export function readCounted(content: FeedContent, sink: FeedSink, info: RangeInfo, row: ListRow): FeedFacts {
  for (const line of content.lines()) {
    if (line.startsWith("#")) continue;
    const [, address = "", digits = "1"] = /^(\S{1,64})\s+(\d{1,3})$/.exec(line) ?? [];
    const lists = Number(digits);
    if (lists > 0) sink.prefix(address, { ...info, label: lists === 1 ? "on 1 list" : `on ${lists} lists` });
  }
  return readCommentDate(content, row);
}

/** What an entry on one list only stands for: mostly noise, because dynamic addresses change their user. */
const SINGLE_VOICE = 0.75;
/** One of several lists can be a copy of another or out of date, so it does not count. */
const DOUBTFUL_LISTS = 1;
/** From this count on all lists count: so many are not a few copies of one. It is also the most that one file stands for. */
const FIRM_LISTS = 5;

/** Reads the independent voices from a label of {@link readCounted}. */
export function countVoices(label: string): number | undefined {
  const lists = Number(/^on (\d{1,3}) lists?$/.exec(label)?.[1]);
  if (!(lists > 0)) return undefined;
  return lists >= FIRM_LISTS ? FIRM_LISTS : Math.max(lists - DOUBTFUL_LISTS, SINGLE_VOICE);
}
