import * as v from "valibot";
import { isWithin, parseLoosePrefix } from "#address";
import { LIST_MEANINGS } from "#datasets";
import { collectFeed, createCollection, FEEDS, FeedContent, type UnpackedList } from "#feeds";
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

export const SNAPSHOT_SOURCES = v.parse(v.array(ListSchema), table.lists).map((list) => {
  return { ...list, publication: table.publications[list.publication] };
});
export type SnapshotSource = (typeof SNAPSHOT_SOURCES)[number];

/** A list of the snapshot may have this many rows, whatever bounds the download of its feed has. */
const MAX_ROWS = 200_000;

/**
 * Reads the files of a list of the snapshot: one address or prefix a line, after which a comment may follow. The rows
 * pass the same checks as those of a download.
 * @throws {FeedError} when rows are malformed, or cover more than a list of this kind can.
 */
export function readSnapshotList(
  source: SnapshotSource,
  readFile: (path: string) => Uint8Array,
): UnpackedList {
  const { feed: id, files, publication, meaning, label } = source;
  const feed = FEEDS.find((one) => one.id === id);
  if (feed === undefined) throw new Error(`Cannot build the snapshot: there is no feed "${id}"`);
  const info = { meaning, ...(label === undefined ? {} : { label }) };
  const without = (source.without ?? []).flatMap((prefix) => parseLoosePrefix(prefix) ?? []);
  const collection = createCollection();
  collectFeed({ ...feed, meanings: [meaning], maxRows: MAX_ROWS }, collection, (sink) => {
    for (const [index, path] of files.entries()) {
      const content = new FeedContent({ url: path, index, bytes: readFile(path) });
      for (const line of content.lines()) {
        const text = line.replace(/[\s#].*$/, "");
        const first = parseLoosePrefix(text)?.address;
        const isLeftOut = first !== undefined && without.some((prefix) => isWithin(first, prefix));
        if (text !== "" && !isLeftOut) sink.prefix(text, info);
      }
    }
  });
  const { publisher, repository, date, licence } = publication;
  return {
    facts: { feed: id, date, publisher, origin: `${repository}: ${files.join(", ")}`, licence, ...info },
    ipv4: collection.ipv4,
    ipv6: collection.ipv6,
  };
}
