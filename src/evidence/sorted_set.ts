import { compareText } from "./compare_text.ts";

/** Distinct values in order. */
export function sortedSet<Text extends string>(values: Iterable<Text>): readonly Text[] {
  return [...new Set(values)].sort(compareText);
}
