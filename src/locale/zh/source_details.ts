import patterns from "./source_detail_patterns.json" with { type: "json" };
import details from "./source_details.json" with { type: "json" };

/** Chinese texts of the details that sources give with a failure. Details are English words of limpid itself. */
const DETAILS: Readonly<Record<string, string>> = details;

/** Details with a value inside, as regular expressions. In the text, `$1` is the value. */
const PATTERNS = Object.entries(patterns).map(([pattern, text]) => [new RegExp(pattern), text] as const);

/** Prefixes of a detail. Before the colon stands a failed self-test, or the code with which a DNS list refuses. */
const PREFIX = /^(self-test failed|127(?:\.\d{1,3}){3}): (.+)$/;

/** Translates the detail of a failure. Returns `undefined` for a text that is unknown, such as a list's own words. */
export function translateDetail(detail: string): string | undefined {
  const [, prefix, rest = ""] = PREFIX.exec(detail) ?? [];
  if (prefix !== undefined) {
    return `${prefix === "self-test failed" ? "自检未通过" : prefix}：${translateDetail(rest) ?? rest}`;
  }
  if (Object.hasOwn(DETAILS, detail)) return DETAILS[detail];
  for (const [pattern, text] of PATTERNS) {
    if (pattern.test(detail)) return detail.replace(pattern, text);
  }
  return undefined;
}
