import { type PartialTexts, type PlainTexts, plainWordsOf, wordsOf } from "#locale";
import { type Language, type Report, SCENARIOS } from "#report";
import { describeAttacks } from "./describe_attacks.ts";
import { describeFlags } from "./describe_flags.ts";
import { describeNetwork, type Field } from "./describe_network.ts";
import { describeVpn } from "./describe_vpn.ts";
import { escapeMarkdown, quoteMarkdown } from "./escape_markdown.ts";
import { formatMoment } from "./format_moment.ts";
import { groupSources } from "./group_sources.ts";
import { listCredits } from "./list_credits.ts";
import { makeBill } from "./make_bill.ts";
import { methodUrlOf } from "./method_url_of.ts";
import { type ListState, sortBlocklists } from "./sort_blocklists.ts";

// What may stand between angle brackets, in a table cell too, without ending either.
const WEB_LINK = /^https?:\/\/[^\s<>"`|\\\p{C}]+$/iu;
const STATES: readonly ListState[] = ["listed", "benign", "unavailable", "notListed"];

/** What a section is written with; every string that leaves a section is Markdown already. */
interface Desk {
  readonly report: Report;
  readonly texts: PartialTexts;
  readonly plain: PlainTexts;
}

/**
 * The whole report as GitHub-flavoured Markdown: headings, lists and tables, every section, no front matter and
 * no raw HTML. Strings from outside cannot make a link, markup, a cell or a line; links lead to the report
 * itself, its method, and those to whom credit is owed. The language is the report's own (`lang` absent = Chinese).
 */
export function renderMarkdown(report: Report): string {
  const language: Language = report.lang ?? "zh";
  const desk: Desk = { report, texts: wordsOf(language), plain: plainWordsOf(language) };
  const { texts, plain } = desk;
  const words = texts.headings;
  const { vpnOperator: vpn } = report;
  const sections: readonly (readonly [title: string, ...blocks: (string | undefined)[]])[] = [
    [words.location, listOf(desk, describeNetwork(report, texts, language))],
    [words.bill, writeBill(desk), plain.pair(plain.method, link(methodUrlOf(report)))],
    [words.scenarios, report.scenarioNote && escapeMarkdown(report.scenarioNote), writeScenarios(desk)],
    [words.blocklists, ...writeBlocklists(desk)],
    [words.abuse, writeAbuse(desk)],
    [words.exposure, writeExposure(desk)],
    [words.sharing, writeSharing(desk)],
    [words.vpn, vpn === null ? undefined : writeVpn(desk, vpn)],
    [words.feedback, writeFeedback(desk)],
    [words.sources, ...writeSources(desk)],
    [
      words.unknowns,
      listOf(
        desk,
        report.unknowns.map(({ label, detail }) => [label, detail] as const),
      ),
    ],
    [plain.legend, listOf(desk, plain.terms)],
  ];
  const parts = [writeSummary(desk)];
  for (const [title, ...blocks] of sections) {
    const present = blocks.filter((block) => block !== undefined && block !== "");
    if (present.length > 0) parts.push(`## ${title}`, ...present.map(String));
  }
  parts.push("---", words.disclaimer, plain.noSignals, ...writeCredits(desk), writeCitation(desk));
  return `${parts.join("\n\n")}\n`;
}

function writeSummary(desk: Desk): string {
  const { report, texts, plain } = desk;
  const words = texts.headings;
  const { risk } = report;
  const flags = describeFlags(report, texts);
  const moment = texts.bracket(formatMoment(report.queriedAt), texts.tiers[report.source]);
  const confidence = plain.pair(words.confidence, texts.confidences[risk.confidence]);
  return [
    `# ${plain.pair(words.title, escapeMarkdown(report.ip))}`,
    texts.bracket(`**${risk.purity}/100 ${escapeMarkdown(risk.label)}**`, confidence),
    escapeMarkdown(risk.verdict),
    listOf(desk, [
      [words.address, texts.bracket(report.ip, `IPv${report.version}`)],
      [words.usage, texts.usages[report.usageType]],
      [words.native, texts.natives[report.nativeType]],
      [words.flags, flags.length === 0 ? words.noFlags : texts.joinItems(flags)],
      [words.surveyed, report.stale ? texts.joinDetails([moment, words.stale]) : moment],
    ]),
  ].join("\n\n");
}

function writeBill({ report, texts }: Desk): string {
  const words = texts.headings;
  const bill = makeBill(report.risk);
  const rows = bill.lines.map((line) =>
    line.kind === "factor"
      ? [escapeMarkdown(line.factor.label), signed(line.effect), escapeMarkdown(line.factor.detail)]
      : [words[line.kind], signed(line.effect), ""],
  );
  const none = report.risk.factors.length === 0 ? [[words.noFactors, "0", ""]] : [];
  return table(
    [words.item, words.effect, words.reason],
    [
      [words.start, String(bill.start), ""],
      ...rows,
      ...none,
      [`**${words.purity}**`, `**${bill.purity}**`, ""],
    ],
    1,
  );
}

function writeScenarios({ report, texts }: Desk): string {
  const words = texts.headings;
  return table(
    [words.scenario, words.score, words.level, words.reason],
    report.scenarios.map(({ label, score, levelLabel, reason }) => [
      escapeMarkdown(label),
      score === null ? "--" : String(score),
      escapeMarkdown(levelLabel),
      escapeMarkdown(reason),
    ]),
    1,
  );
}

function writeBlocklists({ report, texts, plain }: Desk): readonly (string | undefined)[] {
  const words = texts.headings;
  if (report.blocklists.length === 0) return [words.noLists];
  const sorted = sortBlocklists(report);
  const { listed, benign, unavailable, notListed } = sorted;
  const count = texts.listCount(listed.length, benign.length, unavailable.length, notListed.length);
  const rows = STATES.filter((state) => sorted[state].length > 0).map((state) => [
    words[state],
    sorted[state].map(({ label }) => escapeMarkdown(label)).join(plain.comma),
  ]);
  return [
    `${count}${texts.stop}`,
    table([words.state, words.list], rows),
    benign.length === 0 ? undefined : words.benignNote,
    unavailable.length === 0 ? undefined : words.unavailableNote,
  ];
}

function writeAbuse({ report, texts, plain }: Desk): string {
  const words = texts.headings;
  if (report.abuse.length === 0) return words.noAbuse;
  return table(
    [words.source, words.abuseScore, words.reports, words.attacks, plain.attackKinds],
    report.abuse.map((abuse) => [
      escapeMarkdown(abuse.source),
      ...[abuse.score, abuse.reports, abuse.attacks?.total].map((count) => String(count ?? "--")),
      escapeMarkdown(texts.joinDetails(describeAttacks(abuse, texts))),
    ]),
    1,
    3,
  );
}

function writeExposure(desk: Desk): string {
  const words = desk.texts.headings;
  const { exposure } = desk.report;
  if (exposure === null) return words.noExposure;
  if (!exposure.observed) return words.notObserved;
  return listOf(desk, [
    [words.ports, exposure.ports.join(", ") || words.none],
    [words.vulns, exposure.vulns.join(", ") || words.none],
  ]);
}

function writeSharing(desk: Desk): string {
  const words = desk.texts.headings;
  const { address, subnet } = desk.report.sharing ?? {};
  if (address === undefined && subnet === undefined) return words.noSharing;
  return listOf(desk, [
    ...(address === undefined ? [] : [[words.devicesAddress, String(address)] as const]),
    ...(subnet === undefined ? [] : [[words.devicesSubnet, String(subnet)] as const]),
  ]);
}

function writeVpn(desk: Desk, vpn: NonNullable<Report["vpnOperator"]>): string {
  const url = vpn.url === undefined ? "" : `\n- ${desk.plain.pair("**URL**", quoteMarkdown(vpn.url))}`;
  return `${listOf(desk, describeVpn(vpn, desk.texts))}${url}`;
}

function writeFeedback({ report, texts }: Desk): string | undefined {
  const words = texts.headings;
  const rows: string[][] = [];
  for (const id of SCENARIOS) {
    const votes = report.feedback?.[id];
    if (votes !== undefined) rows.push([texts.scenarios[id], String(votes.average), String(votes.count)]);
  }
  return rows.length === 0 ? undefined : table([words.scenario, words.average, words.votes], rows, 1, 2);
}

function writeSources({ report, texts, plain }: Desk): readonly string[] {
  const words = texts.headings;
  const groups = groupSources(report, texts);
  const count = (outcome: string) =>
    groups.reduce((sum, group) => sum + (group.outcome === outcome ? group.sources.length : 0), 0);
  const skipped = count("skipped");
  const failed = count("failed");
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
    `${texts.sourceCount(report.sources.length - failed - skipped, failed, skipped)}${texts.stop}`,
    ...(failed + skipped > 0 ? [words.sourcesNote] : []),
    table([words.state, plain.fact, words.sources], rows),
  ];
}

function writeCredits({ report, texts }: Desk): readonly string[] {
  return listCredits(report, texts.headings.credit).map(
    ({ text, url }) => `${escapeMarkdown(text)} (${link(url)})`,
  );
}

function writeCitation({ report, texts, plain }: Desk): string {
  return plain.pair(texts.headings.cite, link(report.reportUrl));
}

/** A list of names and values; nothing where there are none. */
function listOf({ plain }: Desk, fields: readonly Field[]): string {
  return fields
    .map(([name, value]) => `- ${plain.pair(`**${escapeMarkdown(name)}**`, escapeMarkdown(value))}`)
    .join("\n");
}

/** A table of cells that are Markdown already; columns `from` to `to` hold figures. */
function table(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  from = heads.length,
  to = from,
): string {
  const rule = heads.map((_, column) => (column >= from && column <= to ? "---:" : "---"));
  return [heads, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** An address of our own making as a link; anything that could be read otherwise stays text. */
function link(url: string): string {
  return WEB_LINK.test(url) ? `<${url}>` : escapeMarkdown(url);
}

function signed(points: number): string {
  return points > 0 ? `+${points}` : String(points);
}
