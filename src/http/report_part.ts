import type { Report } from "#report";

/** Fields that every part of a report has. */
const ALWAYS = ["ip", "version", "queriedAt", "source"] as const satisfies readonly (keyof Report)[];

/** What a client wants of a JSON report; without `fields`, all of them. */
export interface ReportSelection {
  readonly fields?: readonly (keyof Report)[];
  readonly sources?: "brief";
}

/** A source in its brief form. `failed`: queried without a usable answer. `skipped`: not queried. */
export interface BriefSource {
  readonly name: string;
  readonly state: "answered" | "failed" | "skipped";
}

/** Whether a client wants less than the whole report. */
export function isPart({ fields, sources }: ReportSelection): boolean {
  return fields !== undefined || sources !== undefined;
}

/** Takes the selected fields of a report, in the order of the whole report. */
export function selectFields(
  report: Report,
  { fields, sources }: ReportSelection,
): Readonly<Record<string, unknown>> {
  const whole = sources === "brief" ? { ...report, sources: report.sources.map(toBriefSource) } : report;
  if (fields === undefined) return whole;
  const wanted = new Set<string>([...ALWAYS, ...fields]);
  return Object.fromEntries(Object.entries(whole).filter(([name]) => wanted.has(name)));
}

/** The state of a source, with its name. */
function toBriefSource({ name, ok, skipped }: Report["sources"][number]): BriefSource {
  if (ok) return { name, state: "answered" };
  return { name, state: skipped === undefined ? "failed" : "skipped" };
}
