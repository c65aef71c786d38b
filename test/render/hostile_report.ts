import { type Language, type Report, SCENARIOS } from "#report";
import { SERVER } from "../fixtures/assessments.ts";
import { reportOf } from "./full_reports.ts";

/** Ends a script element, an attribute, a comment; escape sequence, bidi override, zero-width, line ends. */
export const HOSTILE =
  "</script><img src=x onerror=alert(1)>\"'`--><!--&lt;\u001b[31m\u009b1m\u0007\u202eevil\u2066\u200b\u200d\ufeff\u0000\r\n\t\u2028\u{e0041}";

const KEPT = new Set([
  "level",
  "confidence",
  "usageType",
  "nativeType",
  "source",
  "kind",
  "queriedAt",
  "lang",
]);

const IDS: ReadonlySet<string> = new Set(SCENARIOS);

/** A full report in which every string that is not of a closed vocabulary is hostile; scenario ids stay. */
export function hostileReport(language: Language): Report {
  const document = reportOf(SERVER, language, { stale: true, reportUrl: "https://limpid.example/ip/x" });
  const poisoned = {
    ...document,
    scenarioNote: "x",
    scenarioApplicable: true,
    feedback: { ai: { count: 3, average: 4.5 } },
    untranslated: ["x"],
  };
  return poison(poisoned, "") as Report; // same type: only string values and open keys change
}

function poison(value: unknown, key: string): unknown {
  if (typeof value === "string") return KEPT.has(key) || (key === "id" && IDS.has(value)) ? value : HOSTILE;
  if (Array.isArray(value)) return value.map((item) => poison(item, key));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([inner, item]) => [
    key === "byType" ? HOSTILE + inner : inner,
    poison(item, inner),
  ]);
  return Object.fromEntries(entries);
}
