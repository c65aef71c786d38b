import { CsvCursor } from "./csv_cursor.ts";
import { isPlausibleRange } from "./is_plausible_range.ts";
import { parseIntegerAddress } from "./parse_integer_address.ts";
import { RangeSet } from "./range_set.ts";
import { readPackageFile } from "./read_package_file.ts";

/**
 * Reads the ranges of a `-num.csv` file: first and last address as decimal numbers, then what they have.
 * `readValue` gives the value id of the record at the cursor, 0 when it says nothing.
 * @throws {DatasetError} naming file and line of the first record that is not as it must be.
 */
export function readCsvRanges(
  folder: string,
  name: string,
  version: 4 | 6,
  fields: number,
  readValue: (cursor: CsvCursor) => number,
): RangeSet {
  const { bytes, file } = readPackageFile(folder, name);
  const ranges = new RangeSet(version);
  const cursor = new CsvCursor(bytes, file);
  const first = new Uint32Array(version === 4 ? 1 : 4);
  const last = new Uint32Array(first.length);
  while (cursor.next()) {
    if (cursor.size !== fields) throw cursor.fail(`${cursor.size} fields instead of ${fields}`);
    if (!readEnd(cursor, 0, first) || !readEnd(cursor, 1, last))
      throw cursor.fail("an end is not an address");
    if (!isPlausibleRange(first, last))
      throw cursor.fail("the range is implausibly wide or ends before it begins");
    const value = readValue(cursor);
    if (value > 0) ranges.add(first, last, value);
  }
  return ranges;
}

function readEnd(cursor: CsvCursor, field: number, words: Uint32Array): boolean {
  if (words.length === 4) return parseIntegerAddress(cursor.text(field), words);
  const value = cursor.integer(field);
  words[0] = value;
  return value <= 0xffff_ffff;
}
