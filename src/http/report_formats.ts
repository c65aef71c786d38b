import * as v from "valibot";
import {
  maskAddress,
  renderBadge,
  renderLine,
  renderMarkdown,
  renderScreen,
  renderStix,
  renderTerminal,
  renderText,
} from "#render";
import { type Report, ReportSchema } from "#report";
import { described } from "./parameters.ts";

/** A format of a report: its media type, and how it is written. */
export interface WrittenFormat {
  readonly mediaType: string;
  readonly write: (report: Report) => string;
  /** Any cache may keep it. The others are sent with the client's limits, so only the client may. */
  readonly isShared?: true;
  /** It is the same in both languages. */
  readonly isNeutral?: true;
}

/**
 * The formats of a report, except the page, which needs more than the report. `screen` is the short report for
 * terminals; `colour` is the whole text with colour, and `colour_screen` the short one with colour.
 */
export const FORMATS = {
  json: { mediaType: "application/json", write: (report) => JSON.stringify(report) },
  text: { mediaType: "text/plain", write: renderText },
  markdown: { mediaType: "text/markdown", write: renderMarkdown },
  colour: { mediaType: "text/plain", write: (report) => renderTerminal(report, { colour: true }) },
  screen: { mediaType: "text/plain", write: (report) => renderScreen(report, { colour: false }) },
  colour_screen: { mediaType: "text/plain", write: (report) => renderScreen(report, { colour: true }) },
  stix: { mediaType: "application/stix+json;version=2.1", write: renderStix },
  line: { mediaType: "text/plain", write: renderLine, isNeutral: true },
  badge: { mediaType: "image/svg+xml", write: renderBadge, isShared: true },
  masked_badge: {
    mediaType: "image/svg+xml",
    write: (report) => renderBadge({ ...report, ip: maskAddress(report.ip) }),
    isShared: true,
  },
} as const satisfies Readonly<Record<string, WrittenFormat>>;

/** The formats of a report. */
export type ReportFormat = "page" | keyof typeof FORMATS;

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
  state: described(
    v.picklist(["answered", "failed", "skipped"]),
    "`failed`: queried without a usable answer. `skipped`: not queried.",
  ),
});

/** A report with `fields` or `sources=brief`. */
export const ReportPartSchema = v.pipe(
  v.object({
    ...v.partial(v.object(entries)).entries,
    ...v.pick(v.object(entries), ALWAYS).entries,
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
    sources === "brief" ? { ...report, sources: report.sources.map(abridge) } : report;
  if (fields === undefined) return whole;
  const wanted = new Set<string>([...ALWAYS, ...fields]);
  // The fields of every part are among the wanted ones.
  return Object.fromEntries(Object.entries(whole).filter(([name]) => wanted.has(name))) as ReportPart;
}

/** The state of a source, with its name. */
function abridge({ name, ok, skipped }: Report["sources"][number]) {
  const unheard = skipped === undefined ? "failed" : "skipped";
  return { name, state: ok ? "answered" : unheard } as const;
}
