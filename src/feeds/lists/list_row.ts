import * as v from "valibot";
import { AS_CLASSES, LIST_MEANINGS, type RangeInfo } from "#datasets";
import type { FeedFacts, FeedSink } from "../feed.ts";
import type { FeedContent } from "../feed_content.ts";

const meaning = v.exactOptional(v.picklist(LIST_MEANINGS));
const text = v.exactOptional(v.string());
const texts = v.exactOptional(v.array(v.string()));
const number = v.exactOptional(v.number());
const flag = v.exactOptional(v.literal(true));

/** A row of `lists.json`: fields of a `Feed`, with periods in hours, and how its files are read. */
export const ListRowSchema = v.strictObject({
  id: v.string(),
  name: v.string(),
  about: v.string(),
  family: v.string(),
  licence: v.string(),
  attribution: text,
  homepage: v.string(),
  delistUrl: text,
  files: v.array(
    v.strictObject({
      url: v.string(),
      /** A pattern of links on the page `url`. Of several links the one with the last text in its group is the file. */
      find: text,
      maxBytes: v.number(),
      contentTypes: texts,
      unpackedBytes: number,
      redirects: number,
      optional: flag,
      /** What an entry of this file means; without it, that of the list. */
      meaning,
      label: text,
      asClass: v.exactOptional(v.picklist(AS_CLASSES)),
    }),
  ),
  hosts: texts,
  /** Name of the reader of its files. */
  format: v.string(),
  /** For the format `json`: see `readJsonAddresses`. */
  paths: texts,
  datePath: text,
  /** For a list of lines: the pattern of a comment with the date of the data. */
  datePattern: text,
  meaning,
  /** All meanings, where the reader itself gives some of them. */
  meanings: v.exactOptional(v.array(v.picklist(LIST_MEANINGS))),
  label: text,
  networks: flag,
  within: texts,
  needsContact: flag,
  noncommercial: flag,
  notRedistributable: flag,
  authority: flag,
  complete: v.exactOptional(v.array(v.picklist([4, 6]))),
  yieldsTo: texts,
  cadenceHours: v.number(),
  expiresHours: number,
  maxContentAgeHours: number,
  minRows: v.number(),
  maxRows: v.number(),
  maxShrink: number,
  maxGrow: number,
});
export type ListRow = v.InferOutput<typeof ListRowSchema>;

/** Reads a file with ranges. `info` is what the row says about an entry of this file. Throws as `Feed.parse`. */
export type RangeReader = (content: FeedContent, sink: FeedSink, info: RangeInfo, row: ListRow) => FeedFacts;

/** Reads a file with AS numbers. Throws as `Feed.parse`. */
export type NetworkReader = (content: FeedContent, sink: FeedSink, row: ListRow) => FeedFacts;
