import { type Band, LIST_STATES, type ListState } from "#report";
import { methodUrlOf } from "./paths.ts";
import type { ReportContext } from "./report_context.ts";
import {
  describeAttacks,
  describeExposure,
  describeFlagRow,
  describeLists,
  describeNetwork,
  describeSharing,
  describeSureness,
  describeVendors,
  describeVpn,
  divideAbuse,
  explainNative,
  type Field,
  formatTime,
  listRatings,
  listRecords,
} from "./report_fields.ts";
import { describeCounts, divideUnknowns, groupOutcomes, listTurnedOff } from "./source_groups.ts";
import { COLUMNS, concludeFlag, describeVoices, listVoices } from "./voices.ts";

/** So many failed sources are named in the summary. */
const MOST_NAMED = 3;

/** How a piece of text is emphasised. The text must be clear without it. */
export type Tone = "title" | "strong" | "quiet" | Band;

/** Names that share a state and a fact, such as the sources that failed for the same reason. */
export interface NameGroup {
  readonly state: string;
  readonly fact: string;
  readonly names: readonly { readonly name: string; readonly mark: string }[];
  readonly tone?: Tone | undefined;
}

/** One row of figures: what they are about, the figures (`undefined` = not known), and a note. */
export interface FigureRow {
  readonly name: string;
  readonly figures: readonly (number | undefined)[];
  readonly note?: string;
}

/**
 * A part of a section. Text, terminal and Markdown each lay out these and nothing else. Every string still has to be
 * sanitized or escaped.
 */
export type Block =
  | { readonly kind: "prose"; readonly text: string }
  | { readonly kind: "link"; readonly name: string; readonly url: string }
  | { readonly kind: "rows"; readonly rows: readonly Field[] }
  | { readonly kind: "code"; readonly name: string; readonly value: string }
  | { readonly kind: "terms"; readonly terms: readonly Field[] }
  | { readonly kind: "figures"; readonly heads: readonly string[]; readonly rows: readonly FigureRow[] }
  | { readonly kind: "names"; readonly groups: readonly NameGroup[] }
  | { readonly kind: "breakdown" }
  | { readonly kind: "uses" };

/** A label, its value, and the tone of the value. */
export type Row = readonly [label: string, value: string, tone?: Tone | undefined];

/**
 * Lists the first facts of a report: those before the verdict, and those after it, in the order of the page. What makes
 * the score less sure stands before the verdict: that the report is old, and what gave no answer.
 */
export function listSummary(context: ReportContext): Readonly<Record<"before" | "after", readonly Row[]>> {
  const { report, facts, texts } = context;
  const { labels } = texts;
  const flags = texts.joinClaims([describeFlagRow(context), ...listRecords(context)]);
  const network = new Map(describeNetwork(context));
  const place = [labels.country, labels.region, labels.city].flatMap((name) => network.get(name) ?? []);
  const time = texts.withDetail(formatTime(report.queriedAt), texts.tiers[report.source]);
  const isKnown = ([, value]: Row) => value !== "";
  const before: readonly Row[] = [
    [labels.confidence, report.flags.isBogon ? "" : describeSureness(context)],
    [labels.surveyed, report.stale ? texts.joinDetails([time, labels.stale]) : "", "suspicious"],
    describeFailures(context),
  ];
  const after: readonly Row[] = [
    // Of a special-purpose address they are unknown, and its verdict says what it is.
    [labels.usage, report.flags.isBogon ? "" : texts.usages[report.usageType]],
    [labels.native, report.flags.isBogon ? "" : describeNative(context)],
    [labels.place, place.join(texts.joints.place)],
    [labels.network, facts.network],
    [labels.flags, report.flags.isBogon ? "" : flags],
    [labels.vpn, report.vpnOperator?.name ?? ""],
    [labels.surveyed, report.stale ? "" : time],
  ];
  return { before: before.filter(isKnown), after: after.filter(isKnown) };
}

/** Counts the sources that failed or are turned off, names a few that failed, and counts the blocklists without a result. The value is empty when all answered. */
function describeFailures(context: ReportContext): Row {
  const { facts, texts, page, plain } = context;
  const failed = groupOutcomes(context).flatMap((group) => (group.outcome === "failed" ? group.sources : []));
  const count = plain.say("failed", failed.length);
  const names = texts.joinItems(failed.map(({ name }) => name));
  const unknown = facts.lists.unavailable.length;
  const off = facts.isScored ? listTurnedOff(context).length : 0;
  const counts = [
    ...(failed.length === 0 ? [] : [failed.length > MOST_NAMED ? count : texts.withDetail(count, names)]),
    ...(off === 0 ? [] : [plain.say("turnedOff", off)]),
    ...(unknown === 0 ? [] : [page.headline.unknownLists(unknown)]),
  ];
  return [texts.labels.missing, texts.joinDetails(counts), "suspicious"];
}

/** Names the native type, and says what it means or why it is unknown. */
export function describeNative(context: ReportContext): string {
  const type = context.page.natives[context.report.nativeType];
  const reason = explainNative(context);
  return reason === undefined ? type : context.texts.withReason(type, reason);
}

/** Lists the sections of a report with their headings, in the order of the page. Empty sections are left out. */
export function listSections(context: ReportContext) {
  const { report, facts, texts, plain, page } = context;
  const { labels } = texts;
  const { vpnOperator: vpn, scenarioApplicable } = report;
  const link = { kind: "link", name: plain.method, url: methodUrlOf(report) } as const;
  const sections: readonly (readonly [title: string, ...blocks: readonly Block[]])[] = [
    [
      labels.scenarios,
      ...(facts.isThin ? [prose(`${texts.notEnough}${texts.period}`)] : []),
      scenarioApplicable ? { kind: "uses" } : prose(plain.noUses),
      ...describeVendors(context).map(({ text, lists }) => prose(text + lists)),
    ],
    [
      labels.breakdown,
      ...(facts.isScored ? [{ kind: "breakdown" as const }] : []),
      ...(facts.isScored && report.reportUrl !== "" ? [link] : []),
    ],
    [page.matrix, ...listVoiceBlocks(context)],
    [labels.blocklists, ...listBlocklists(context)],
    [
      labels.vpn,
      // The summary has the name.
      ...(describeVpn(context).length > 1 || vpn?.url !== undefined ? listRows(describeVpn(context)) : []),
      ...(vpn?.url === undefined ? [] : [{ kind: "code" as const, name: "URL", value: vpn.url }]),
    ],
    [labels.abuse, ...listAbuse(context)],
    [labels.exposure, ...listRows(describeExposure(context))],
    [labels.sharing, ...listRows(describeSharing(context))],
    [labels.location, ...listRows(describeNetwork(context))],
    [labels.sources, ...listSources(context)],
    [labels.feedback, ...listFeedback(context)],
    [labels.unknowns, { kind: "terms", terms: divideUnknowns(report).limits }],
  ];
  // Of a special-purpose address nothing else is known, and its verdict says what it is.
  const kept = report.flags.isBogon
    ? sections.filter(
        ([title]) =>
          title === labels.sources || (title === labels.blocklists && report.blocklists.length > 0),
      )
    : sections;
  return kept.flatMap(([title, ...blocks]) => (blocks.length === 0 ? [] : [{ title, blocks }]));
}

function prose(text: string): Block {
  return { kind: "prose", text };
}

function listRows(found: readonly Field[] | string): readonly Block[] {
  if (typeof found === "string") return [prose(found)];
  return found.length === 0 ? [] : [{ kind: "rows", rows: found }];
}

/** The tone of the lists in a state, and the sentence that explains the state. */
const LIST_TONES: Readonly<Partial<Record<ListState, Tone>>> = {
  listed: "dangerous",
  unavailable: "suspicious",
};
const LIST_NOTES = { exit: "exitNote", benign: "benignNote", unavailable: "unavailableNote" } as const;

function listBlocklists(context: ReportContext): readonly Block[] {
  const { report, facts, texts } = context;
  const { labels } = texts;
  if (report.blocklists.length === 0) return [prose(labels.noLists)];
  const { lists } = facts;
  const groups = LIST_STATES.filter((state) => lists[state].length > 0).map((state) => ({
    state: labels[state],
    fact: "",
    names: lists[state].map(({ label }) => ({ name: label, mark: "" })),
    tone: LIST_TONES[state],
  }));
  const notes = (["exit", "benign", "unavailable"] as const).filter((state) => lists[state].length > 0);
  return [
    prose(`${describeLists(context)}${texts.period}`),
    { kind: "names", groups },
    ...notes.map((state) => prose(labels[LIST_NOTES[state]])),
  ];
}

function listAbuse(context: ReportContext): readonly Block[] {
  const { texts, plain } = context;
  const { labels } = texts;
  const { records, none } = divideAbuse(context);
  const rows = records.map((abuse) => ({
    name: abuse.source,
    figures: [abuse.score, abuse.reports, abuse.attacks?.total],
    note: texts.joinDetails(describeAttacks(abuse, texts)),
  }));
  const heads = [labels.source, labels.abuseScore, labels.reports, labels.attacks, plain.attackKinds];
  return [...(rows.length === 0 ? [] : [{ kind: "figures" as const, heads, rows }]), ...none.map(prose)];
}

function listFeedback(context: ReportContext): readonly Block[] {
  return listRows(
    listRatings(context).map(({ scenario, average, count }) => [
      scenario,
      context.plain.rating(average.toFixed(1), count),
    ]),
  );
}

/** Who says what of each flag, and why a single "no" leaves it unknown. */
function listVoiceBlocks(context: ReportContext): readonly Block[] {
  const { report, page } = context;
  const voices = listVoices(report);
  const isOpen = COLUMNS.some((flag) => concludeFlag(flag, report, voices) === "open");
  return [...listRows(describeVoices(voices, context)), ...(isOpen ? [prose(page.voicesOpen)] : [])];
}

function listSources(context: ReportContext): readonly Block[] {
  const { report, texts } = context;
  const { labels, sourceStates } = texts;
  const groups = groupOutcomes(context).map(
    ({ outcome, fact, sources }): NameGroup => ({
      state: sourceStates[outcome],
      fact,
      names: sources.map(({ name, kind }) => ({ name, mark: kind === "commercial" ? "*" : "" })),
      tone: outcome === "failed" ? "suspicious" : undefined,
    }),
  );
  return [
    prose(`${describeCounts(context)}${texts.period}`),
    ...(report.sources.every(({ ok }) => ok) ? [] : [prose(labels.sourcesNote)]),
    { kind: "names", groups },
  ];
}
