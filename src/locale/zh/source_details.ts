import details from "./source_details.json" with { type: "json" };

/** Chinese texts of the details that sources give with a failure. Details are English words of limpid itself. */
const DETAILS: Readonly<Record<string, string>> = details;

/** Details with a value inside. `$1` is the value. */
const PATTERNS: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/^shape at (.+)$/, "字段 $1"],
  [/^more than (\d+) bytes$/, "超过 $1 字节"],
  [/^more than (\d+) records$/, "超过 $1 条记录"],
  [/^JSON deeper than (\d+) levels$/, "JSON 超过 $1 层"],
  [/^content type (.+)$/, "内容类型 $1"],
  [/^(.+) is asked instead$/, "改为查询 $1"],
  [/^no IPv(\d) zone$/, "没有 IPv$1 名单"],
  [/^undocumented code (.+)$/, "含义未公开的返回码 $1"],
];

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
