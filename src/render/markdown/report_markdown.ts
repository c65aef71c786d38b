import { type PlainTexts, plainTextsOf, type ReportTexts, reportTextsOf } from "#locale";
import type { Language, Report } from "#report";
import { listCredits } from "../credits.ts";
import { countSources, groupBlocklists, groupSources, LIST_STATES } from "../groups.ts";
import { methodUrlOf } from "../paths.ts";
import {
  describeAttacks,
  describeExposure,
  describeFlags,
  describeNative,
  describeNetwork,
  describeRange,
  describeSharing,
  describeVpn,
  type Field,
  formatTime,
  listRatings,
} from "../report_fields.ts";
import { breakDownScore, formatEffect } from "../score_breakdown.ts";
import { escapeMarkdown, quoteMarkdown } from "./escape.ts";

// A URL that can be written between angle brackets, also in a table cell, without ending either.
const WEB_LINK = /^https?:\/\/[^\s<>"`|\\\p{C}]+$/iu;

/** What the functions that render a section need. Every string that they return is Markdown. */
interface SectionContext {
  readonly report: Report;
  readonly texts: ReportTexts;
  readonly plain: PlainTexts;
}

/**
 * Renders the whole report as GitHub-flavoured Markdown: headings, lists and tables, no front matter and no raw HTML.
 * Strings from outside cannot become a link, markup, a cell or a line. The only links are the report, the method and the
 * credits. The language is that of the report (no `lang` means Chinese).
 */
export function renderMarkdown(report: Report): string {
  const language: Language = report.lang ?? "zh";
  const context: SectionContext = { report, texts: reportTextsOf(language), plain: plainTextsOf(language) };
  const { texts, plain } = context;
  const { labels } = texts;
  const { vpnOperator: vpn } = report;
  const sections: readonly (readonly [title: string, ...blocks: (string | undefined)[]])[] = [
    [labels.location, listOf(context, describeNetwork(report, texts, language))],
    [labels.breakdown, renderBreakdown(context), plain.field(plain.method, link(methodUrlOf(report)))],
    [labels.scenarios, report.scenarioNote && escapeMarkdown(report.scenarioNote), renderScenarios(context)],
    [labels.blocklists, ...renderBlocklists(context)],
    [labels.abuse, renderAbuse(context)],
    [labels.exposure, renderFieldsOrText(context, describeExposure(report, texts))],
    [labels.sharing, renderFieldsOrText(context, describeSharing(report, texts))],
    [labels.vpn, vpn === null ? undefined : renderVpn(context, vpn)],
    [labels.feedback, renderRatings(context)],
    [labels.sources, ...renderSources(context)],
    [
      labels.unknowns,
      listOf(
        context,
        report.unknowns.map(({ label, detail }) => [label, detail] as const),
      ),
    ],
  ];
  const parts = [renderSummary(context)];
  for (const [title, ...blocks] of sections) {
    const present = blocks.filter((block) => block !== undefined && block !== "");
    if (present.length > 0) parts.push(`## ${title}`, ...present.map(String));
  }
  parts.push("---", labels.disclaimer, plain.noSignals, ...renderCredits(context), renderCitation(context));
  parts.push(`## ${plain.legend}`, listOf(context, plain.terms));
  return `${parts.join("\n\n")}\n`;
}

function renderSummary(context: SectionContext): string {
  const { report, texts, plain } = context;
  const { labels } = texts;
  const { risk } = report;
  const flags = describeFlags(report, texts);
  const time = texts.withDetail(formatTime(report.queriedAt), texts.tiers[report.source]);
  const range = report.flags.isBogon ? undefined : describeRange(report, texts);
  const confidence = plain.field(labels.confidence, texts.confidences[risk.confidence]);
  return [
    `# ${plain.field(labels.title, escapeMarkdown(report.ip))}`,
    texts.withDetail(`**${risk.purity}/100 ${escapeMarkdown(risk.label)}**`, confidence),
    escapeMarkdown(risk.verdict),
    listOf(context, [
      [labels.address, texts.withDetail(report.ip, `IPv${report.version}`)],
      ...(range === undefined ? [] : [[labels.range, range] as const]),
      [labels.usage, texts.usages[report.usageType]],
      [labels.native, describeNative(report, texts)],
      [labels.flags, flags.length === 0 ? labels.noFlags : texts.joinItems(flags)],
      [labels.surveyed, report.stale ? texts.joinDetails([time, labels.stale]) : time],
    ]),
  ].join("\n\n");
}

function renderBreakdown({ report, texts }: SectionContext): string {
  const { labels } = texts;
  const breakdown = breakDownScore(report.risk);
  const rows = breakdown.lines.map((line) =>
    line.kind === "factor"
      ? [escapeMarkdown(line.factor.label), formatEffect(line.effect), escapeMarkdown(line.factor.detail)]
      : [labels[line.kind], formatEffect(line.effect), ""],
  );
  const none = report.risk.factors.length === 0 ? [[labels.noFactors, "0", ""]] : [];
  return table(
    [labels.item, labels.effect, labels.reason],
    [
      [labels.start, String(breakdown.start), ""],
      ...rows,
      ...none,
      [`**${labels.purity}**`, `**${breakdown.purity}**`, ""],
    ],
    1,
  );
}

function renderScenarios({ report, texts }: SectionContext): string {
  const { labels } = texts;
  return table(
    [labels.scenario, labels.score, labels.level, labels.reason],
    report.scenarios.map(({ label, score, levelLabel, reason }) => [
      escapeMarkdown(label),
      score === null ? "--" : String(score),
      escapeMarkdown(levelLabel),
      escapeMarkdown(reason),
    ]),
    1,
  );
}

function renderBlocklists({ report, texts, plain }: SectionContext): readonly (string | undefined)[] {
  const { labels } = texts;
  if (report.blocklists.length === 0) return [labels.noLists];
  const sorted = groupBlocklists(report);
  const { listed, benign, unavailable, notListed } = sorted;
  const count = texts.listCount(listed.length, benign.length, unavailable.length, notListed.length);
  const rows = LIST_STATES.filter((state) => sorted[state].length > 0).map((state) => [
    labels[state],
    sorted[state].map(({ label }) => escapeMarkdown(label)).join(plain.comma),
  ]);
  return [
    `${count}${texts.period}`,
    table([labels.state, labels.list], rows),
    benign.length === 0 ? undefined : labels.benignNote,
    unavailable.length === 0 ? undefined : labels.unavailableNote,
  ];
}

function renderAbuse({ report, texts, plain }: SectionContext): string {
  const { labels } = texts;
  if (report.abuse.length === 0) return labels.noAbuse;
  return table(
    [labels.source, labels.abuseScore, labels.reports, labels.attacks, plain.attackKinds],
    report.abuse.map((abuse) => [
      escapeMarkdown(abuse.source),
      ...[abuse.score, abuse.reports, abuse.attacks?.total].map((count) => String(count ?? "--")),
      escapeMarkdown(texts.joinDetails(describeAttacks(abuse, texts))),
    ]),
    1,
    3,
  );
}

function renderFieldsOrText(context: SectionContext, found: readonly Field[] | string): string {
  return typeof found === "string" ? found : listOf(context, found);
}

function renderVpn(context: SectionContext, vpn: NonNullable<Report["vpnOperator"]>): string {
  const url = vpn.url === undefined ? "" : `\n- ${context.plain.field("**URL**", quoteMarkdown(vpn.url))}`;
  return `${listOf(context, describeVpn(vpn, context.texts))}${url}`;
}

function renderRatings({ report, texts }: SectionContext): string | undefined {
  const { labels } = texts;
  const rows = listRatings(report, texts).map(({ scenario, average, count }) => [
    scenario,
    String(average),
    String(count),
  ]);
  return rows.length === 0 ? undefined : table([labels.scenario, labels.average, labels.votes], rows, 1, 2);
}

function renderSources({ report, texts, plain }: SectionContext): readonly string[] {
  const { labels } = texts;
  const groups = groupSources(report, texts);
  const skipped = countSources(groups, "skipped");
  const failed = countSources(groups, "failed");
  const rows = groups.map(({ outcome, fact, sources }) => [
    plain[outcome],
    escapeMarkdown(fact),
    sources
      .map(({ name, kind, ms }) => {
        const marked = kind === "commercial" ? `${escapeMarkdown(name)}\\*` : escapeMarkdown(name);
        return ms > 0 && (outcome === "answered" || outcome === "failed") ? `${marked} ${ms} ms` : marked;
      })
      .join(plain.comma),
  ]);
  return [
    `${texts.sourceCount(report.sources.length - failed - skipped, failed, skipped)}${texts.period}`,
    ...(failed + skipped > 0 ? [labels.sourcesNote] : []),
    table([labels.state, plain.fact, labels.sources], rows),
  ];
}

function renderCredits({ report, texts }: SectionContext): readonly string[] {
  return listCredits(report, texts.labels.credit).map(
    ({ text, url }) => `${escapeMarkdown(text)} (${link(url)})`,
  );
}

function renderCitation({ report, texts, plain }: SectionContext): string {
  return plain.field(texts.labels.cite, link(report.reportUrl));
}

/** Formats a list of names and values. Returns an empty string when there are none. */
function listOf({ plain }: SectionContext, fields: readonly Field[]): string {
  return fields
    .map(([name, value]) => `- ${plain.field(`**${escapeMarkdown(name)}**`, escapeMarkdown(value))}`)
    .join("\n");
}

/** Formats a table of cells that are Markdown. The columns `from` to `to` hold numbers. */
function table(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  from = heads.length,
  to = from,
): string {
  const rule = heads.map((_, column) => (column >= from && column <= to ? "---:" : "---"));
  return [heads, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** Formats one of our own URLs as a link. Anything that is not surely a URL stays text. */
function link(url: string): string {
  return WEB_LINK.test(url) ? `<${url}>` : escapeMarkdown(url);
}
