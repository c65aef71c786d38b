import * as v from "valibot";
import { LIST_MEANINGS } from "#datasets";
import table from "./snapshot_lists.json" with { type: "json" };

/** A list of the snapshot; `publication` is the name of its publication in the table. */
const ListSchema = v.strictObject({
  feed: v.string(),
  about: v.exactOptional(v.string()),
  meaning: v.picklist(LIST_MEANINGS),
  label: v.exactOptional(v.string()),
  publication: v.picklist(["x4bnet", "ipranges"]),
  files: v.array(v.string()),
  without: v.exactOptional(v.array(v.string())),
});

/** The lists of the snapshot: see `snapshot_lists.json`. */
export const SNAPSHOT_SOURCES = v.parse(v.array(ListSchema), table.lists).map((list) => {
  return { ...list, publication: table.publications[list.publication] };
});
export type SnapshotSource = (typeof SNAPSHOT_SOURCES)[number];
