import * as v from "valibot";
import { type Report, ReportSchema } from "#report";

/** Fields that every part of a report has. */
const ALWAYS = ["ip", "version", "queriedAt", "source"] as const satisfies readonly (keyof Report)[];

/** What a client wants of a JSON report; without `fields`, all of them. */
export interface ReportSelection {
  readonly fields?: readonly (keyof Report)[];
  readonly sources?: "brief";
}

const { entries } = ReportSchema.pipe[0];

const BriefSourceSchema = v.object({
  name: v.string(),
  state: v.pipe(
    v.picklist(["answered", "failed", "skipped"]),
    v.description("`failed`: queried without a usable answer. `skipped`: not queried."),
  ),
});

/** A report with `fields` or `sources=brief`. */
export const ReportPartSchema = v.pipe(
  v.object({
    ...v.partial(v.object(entries)).entries,
    ip: entries.ip,
    version: entries.version,
    queriedAt: entries.queriedAt,
    source: entries.source,
    sources: v.exactOptional(v.union([entries.sources, v.array(BriefSourceSchema)])),
  }),
  v.title("ReportPart"),
  v.description("With `fields` or `sources=brief`: the fields that the request names."),
);
type ReportPart = v.InferOutput<typeof ReportPartSchema>;

/** The answer of a route with these parameters. */
export const WholeOrPartSchema = v.union([ReportSchema, ReportPartSchema]);

/** Whether a client wants less than the whole report. */
export function isPart({ fields, sources }: ReportSelection): boolean {
  return fields !== undefined || sources !== undefined;
}

/** Takes the selected fields of a report, in the order of the whole report. */
export function selectFields(report: Report, { fields, sources }: ReportSelection): ReportPart {
  const whole: ReportPart =
    sources === "brief" ? { ...report, sources: report.sources.map(toBriefSource) } : report;
  if (fields === undefined) return whole;
  const wanted = new Set<string>([...ALWAYS, ...fields]);
  // The fields of every part are among the wanted ones.
  return Object.fromEntries(Object.entries(whole).filter(([name]) => wanted.has(name))) as ReportPart;
}

/** The state of a source, with its name. */
function toBriefSource({
  name,
  ok,
  skipped,
}: Report["sources"][number]): v.InferOutput<typeof BriefSourceSchema> {
  if (ok) return { name, state: "answered" };
  return { name, state: skipped === undefined ? "failed" : "skipped" };
}
