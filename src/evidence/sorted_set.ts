import { compareText } from "./compare_text.ts";

/** Distinct values in order. */
export function sortedSet<Text extends string>(values: Iterable<Text>): readonly Text[] {
  const distinct = [...new Set(values)];
  return distinct.length < 2 ? distinct : distinct.sort(compareText);
}
