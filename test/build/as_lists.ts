import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import LISTS from "../fixtures/build/as_lists.json";

/** Every list of AS numbers that the snapshot is made from, with numbers for documentation (RFC 5398). */
export const AS_LISTS: Readonly<Record<string, string>> = LISTS;

/** Writes {@link AS_LISTS} below `folder`. */
export function writeAsLists(folder: string): void {
  for (const [path, text] of Object.entries(AS_LISTS)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
