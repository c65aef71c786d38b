/**
 * Builds the snapshot that ships with the program from published lists: `bun run snapshot FOLDER`. FOLDER contains the
 * files that `snapshot_lists.json` and `as_kinds.ts` name. Writes `lists.json` and `ranges.zst` in `src/feeds/snapshot`, and
 * `src/evidence/tables/published_as_kinds.tsv`, which are committed; the same files always give the same snapshot. `--to DIR`
 * writes all of them to another folder.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { packSnapshot } from "#feeds";
import { formatAsKinds } from "./as_kinds.ts";
import { readSnapshotList, SNAPSHOT_SOURCES } from "./read_snapshot_list.ts";

const { values, positionals } = parseArgs({
  args: Bun.argv.slice(2),
  allowPositionals: true,
  options: { to: { type: "string" } },
});
const [folder] = positionals;
if (folder === undefined || positionals.length > 1) {
  console.error("Usage: bun run snapshot FOLDER [--to DIR]");
  process.exit(64);
}

try {
  writeLists(folder, values.to ?? join(import.meta.dir, "../feeds/snapshot"));
  const asKinds = join(values.to ?? join(import.meta.dir, "../evidence/tables"), "published_as_kinds.tsv");
  writeFileSync(asKinds, formatAsKinds(folder));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

function writeLists(from: string, to: string): void {
  const read = (file: string) => new Uint8Array(readFileSync(join(from, file)));
  const { contents, bytes } = packSnapshot(SNAPSHOT_SOURCES.map((source) => readSnapshotList(source, read)));
  mkdirSync(to, { recursive: true });
  writeFileSync(join(to, "lists.json"), `${JSON.stringify(contents, undefined, 2)}\n`);
  writeFileSync(join(to, "ranges.zst"), bytes);
  for (const { feed, ipv4, ipv6, date } of contents.lists)
    console.log(`${feed}: ${ipv4} IPv4 and ${ipv6} IPv6 ranges of ${date}`);
  console.log(`${contents.lists.length} lists in ${bytes.length} bytes`);
}
