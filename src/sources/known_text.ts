/** What vendors write when they mean that they do not know. */
const UNKNOWN_WORDS: ReadonlySet<string> = new Set(["unknown", "n/a", "null", "none", "-"]);

/** A text that says something, trimmed; a blank, a word for "unknown" or anything but a string says nothing. */
export function knownText(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  return text === "" || UNKNOWN_WORDS.has(text.toLowerCase()) ? undefined : text;
}
