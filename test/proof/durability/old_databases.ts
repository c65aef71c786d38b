import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { migrations } from "./folders.ts";

interface Journal {
  readonly entries: readonly { readonly tag: string }[];
}

function readJournal(): Journal {
  return JSON.parse(readFileSync(join(migrations, "meta/_journal.json"), "utf8")) as Journal;
}

/** The number of migrations. */
export function countMigrations(): number {
  return readJournal().entries.length;
}

/** A folder with the first `count` migrations, as an older version shipped them. */
export function makeOlderMigrations(folder: string, count: number): string {
  const place = join(folder, `migrations-${count}`);
  mkdirSync(place, { recursive: true });
  cpSync(migrations, place, { recursive: true });
  const journal = readJournal();
  writeFileSync(
    join(place, "meta/_journal.json"),
    JSON.stringify({ ...journal, entries: journal.entries.slice(0, count) }),
  );
  return place;
}
