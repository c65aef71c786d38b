import type { Data } from "#report";

/** What stands in a sentence where a stored document lacks the fact it draws on. */
const MISSING = "?";

/** One fact as words: numbers as digits, lists joined with a comma, `?` when absent. */
export function wordOf(data: Data, key: string): string {
  return findWord(data, key) ?? MISSING;
}

/** The same, but `undefined` when the fact is absent or empty. */
export function findWord(data: Data, key: string): string | undefined {
  const value = Object.hasOwn(data, key) ? data[key] : undefined;
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : undefined;
  if (typeof value === "boolean") return String(value);
  const text = typeof value === "string" ? value : value?.join(", ");
  return text === "" ? undefined : text;
}

/** One fact as a number; `undefined` when absent or not a finite number. */
export function numberOf(data: Data, key: string): number | undefined {
  const value = Object.hasOwn(data, key) ? data[key] : undefined;
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** One fact as a list; a lone string is a list of one, anything else an empty list. */
export function listOf(data: Data, key: string): readonly string[] {
  const value = Object.hasOwn(data, key) ? data[key] : undefined;
  if (typeof value === "string") return value === "" ? [] : [value];
  return typeof value === "object" ? value : [];
}

/** The families in a fact by name; those that are no organisation's have a word in `words`. */
export function familiesOf(data: Data, words: Readonly<Record<string, string>>): readonly string[] {
  return listOf(data, "families").map((family) =>
    Object.hasOwn(words, family) ? (words[family] ?? family) : family,
  );
}

/** A term of a table by the id in a fact; `fallback` for ids the table does not know. */
export function termOf(
  table: Readonly<Record<string, string>>,
  data: Data,
  key: string,
  fallback: string,
): string {
  const id = wordOf(data, key);
  return Object.hasOwn(table, id) ? (table[id] ?? fallback) : fallback;
}

/** Every fact as `name: value`, for ids that have no sentence; the same in every language. */
export function recite(data: Data): string {
  return Object.keys(data)
    .map((key) => `${key}: ${wordOf(data, key)}`)
    .join("; ");
}
