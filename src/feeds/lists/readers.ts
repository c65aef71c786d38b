import * as v from "valibot";
import { type RangeInfo, readPlace, splitCsvLine } from "#datasets";
import type { FeedFacts, FeedSink, ListRow } from "../feed.ts";
import { type FeedContent, FeedError } from "../feed_content.ts";

/**
 * Reads a list of one address or prefix a line; anything after the first blank, `#` or `;` is a comment.
 * @throws {FeedError} when the first row has characters that no address has: a message in place of the list.
 */
export function readPlainList(
  content: FeedContent,
  sink: FeedSink,
  info: RangeInfo,
  row: Pick<ListRow, "datePattern"> = {},
): FeedFacts {
  let isFirst = true;
  for (const line of content.lines()) {
    const end = line.search(/[\s#;]/);
    const text = end < 0 ? line : line.slice(0, end);
    if (text === "") continue;
    if (isFirst && !/^[0-9a-f:./]+$/i.test(text))
      throw new FeedError("the first of its rows is not an address");
    isFirst = false;
    sink.prefix(text, info);
  }
  return readCommentDate(content, row);
}

/** Reads the date of the data from the comments at the top of a list, by the pattern of its row. */
export function readCommentDate(
  content: FeedContent,
  { datePattern }: Pick<ListRow, "datePattern">,
): FeedFacts {
  if (datePattern === undefined) return {};
  for (const line of content.lines()) {
    if (!line.startsWith("#")) break;
    const time = Date.parse(new RegExp(datePattern).exec(line)?.[1] ?? "");
    if (!Number.isNaN(time)) return dateFact(new Date(time).toISOString());
  }
  return {};
}

/**
 * Reads a geofeed: `prefix,country,region,city,postal code`, `#` begins a comment (RFC 8805 section 2.1).
 * @throws {FeedError} when a line has no second field.
 */
export function* readGeofeedRows(content: FeedContent) {
  for (const line of content.lines()) {
    if (line.startsWith("#")) continue;
    const [prefix = "", country, region, city] = splitCsvLine(line);
    if (country === undefined) throw new FeedError("a line is not a row of a geofeed");
    yield { prefix, place: readPlace(country, region, city) };
  }
}

/** Reads the rows of a geofeed as prefixes with their places. */
export function readGeofeed(content: FeedContent, sink: FeedSink, info: RangeInfo): FeedFacts {
  for (const { prefix, place } of readGeofeedRows(content)) {
    sink.prefix(prefix, place === undefined ? info : { ...info, place });
  }
  return {};
}

/**
 * Reads the addresses at `paths` of a JSON file, each address once. A path is `servers[].ips?[].ip`: names of fields, `[]`
 * for every element of an array, and `?` for a field that may be missing, null or empty. `datePath` leads to the date of the data.
 * @throws {FeedError} naming the path where the file has another format.
 */
export function readJsonAddresses(
  content: FeedContent,
  sink: FeedSink,
  info: RangeInfo,
  { paths = [], datePath }: ListRow,
): FeedFacts {
  const value = content.json();
  const texts = new Set(paths.flatMap((path) => findTexts(value, path.split("."), path)));
  for (const text of texts) sink.prefix(text, info);
  return dateFact(datePath === undefined ? undefined : findTexts(value, datePath.split("."), datePath)[0]);
}

function findTexts(value: unknown, steps: readonly string[], path: string): readonly string[] {
  const [step, ...rest] = steps;
  if (step === undefined && typeof value === "string") return [value];
  const [, name = "", optional = "", each = ""] = /^(\w*)(\??)((?:\[\])?)$/.exec(step ?? "") ?? [];
  const isObject = typeof value === "object" && value !== null;
  const found =
    name === "" ? value : isObject && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
  if (optional !== "" && isObject && (found === undefined || found === null || found === "")) return [];
  if (step === undefined || found === undefined || (each !== "" && !Array.isArray(found)))
    throw new FeedError(`it has another format at ${path}`);
  if (!Array.isArray(found) || each === "") return findTexts(found, rest, path);
  return found.flatMap((one) => findTexts(one, rest, path));
}

const CrawlerRangesSchema = v.object({
  creationTime: v.optional(v.string()),
  prefixes: v.array(v.object({ ipv4Prefix: v.optional(v.string()), ipv6Prefix: v.optional(v.string()) })),
});

/** Characters that are never part of a prefix: the file of one publisher had U+200B in some. */
const NOT_IN_PREFIX = /[^0-9a-fA-F:./]/g;

/**
 * Reads the JSON format, introduced by Google, in which operators of crawlers publish their ranges:
 * `{"creationTime": …, "prefixes": [{"ipv4Prefix": …} | {"ipv6Prefix": …}]}`
 * (https://developers.google.com/crawling/docs/crawlers-fetchers/verify-google-requests).
 */
export function readCrawlerRanges(content: FeedContent, sink: FeedSink, info: RangeInfo): FeedFacts {
  const { creationTime, prefixes } = parseFields(CrawlerRangesSchema, content.json());
  for (const { ipv4Prefix, ipv6Prefix } of prefixes) {
    const texts = [ipv4Prefix, ipv6Prefix].filter((text) => text !== undefined);
    if (texts.length === 0) sink.prefix("", info);
    for (const text of texts) sink.prefix(text.replaceAll(NOT_IN_PREFIX, ""), info);
  }
  return dateFact(creationTime);
}

/**
 * Parses a value with the schema of the fields that a feed uses.
 * @throws {FeedError} naming the path of the first field that is wrong.
 */
export function parseFields<const Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (result.success) return result.output;
  const path = v
    .getDotPath(result.issues[0])
    ?.replaceAll(/[^\w.:$-]/g, "?")
    .slice(0, 80);
  throw new FeedError(path === undefined ? "it has another format" : `it has another format at ${path}`);
}

/** Reads the date of the data from the beginning of `text`; gives no fact when there is none. */
export function dateFact(text: string | undefined): FeedFacts {
  const date = readDay(text);
  return date === undefined ? {} : { date };
}

/** Reads the day (YYYY-MM-DD) at the beginning of a date and time in ISO 8601 order; undefined when there is none. */
export function readDay(text: string | undefined): string | undefined {
  const day = text?.slice(0, 10) ?? "";
  return /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(`${day}T00:00:00Z`)) ? day : undefined;
}
