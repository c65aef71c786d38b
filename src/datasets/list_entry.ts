import * as v from "valibot";
import { AS_CLASSES, LIST_MEANINGS, type NetworkWord, type RangeWord } from "./feeds/feed.ts";

/** One list's word about a range; `feed` is the id of the list. */
export interface ListEntry extends RangeWord {
  readonly feed: string;
}

/** One list's word about an autonomous system. */
export interface NetworkEntry extends NetworkWord {
  readonly feed: string;
}

const ListEntriesSchema = v.array(
  v.strictObject({
    feed: v.string(),
    meaning: v.picklist(LIST_MEANINGS),
    label: v.exactOptional(v.string()),
    place: v.exactOptional(
      v.strictObject({
        country: v.string(),
        region: v.exactOptional(v.string()),
        city: v.exactOptional(v.string()),
      }),
    ),
  }),
);

const NetworkEntriesSchema = v.array(
  v.strictObject({
    feed: v.string(),
    asClass: v.exactOptional(v.picklist(AS_CLASSES)),
    meaning: v.exactOptional(v.picklist(LIST_MEANINGS)),
    name: v.exactOptional(v.string()),
    country: v.exactOptional(v.string()),
  }),
);

/** Reads the value of a row of the table of lists. @throws when it is none. */
export function parseListEntries(text: string): readonly ListEntry[] {
  return v.parse(ListEntriesSchema, JSON.parse(text));
}

/** Reads the value of a row of the table of networks. @throws when it is none. */
export function parseNetworkEntries(text: string): readonly NetworkEntry[] {
  return v.parse(NetworkEntriesSchema, JSON.parse(text));
}
