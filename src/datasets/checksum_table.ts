import { TABLE_LAYOUT } from "./table_layout.ts";

/** XXH3-64 over everything in a table file that follows the checksum itself. */
export function checksumTable(bytes: Uint8Array): bigint {
  return Bun.hash.xxHash3(bytes.subarray(TABLE_LAYOUT.checkedFrom));
}
