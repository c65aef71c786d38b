import { type CardTexts, cardTextsOf, nameCountry, reportTextsOf } from "#locale";
import { type Language, type Report, readFacts } from "#report";
import { renderCardDial } from "../dial.ts";
import { type Html, html } from "../html/html.ts";
import { webLinkOf } from "../paths.ts";
import { describeScore } from "../report_fields.ts";
import { type CardTone, groundOf, renderCardFrame, TEXT_WIDTH, TEXT_X } from "./card_frame.ts";
import { fitParts, shortenTo, toDrawable, widthOf, wrapTo, writeRuns } from "./card_text.ts";

/** The flags that a headline names, strongest first. */
const HEADLINE_FLAGS = ["isTor", "isVpn", "isProxy", "isRelay", "isSearchEngineBot"] as const;

/** From this coverage on, the card does not state it. */
const MUCH_OBTAINED = 0.7;
const DOT = " \u00b7 ";
const LABEL_SIZE = 25;
const VALUE_SIZE = 30;
const ROW_HEIGHT = 50;
/** Of the last fact, above the foot. */
const LAST_BASELINE = 514;

/**
 * Renders the share card of a report as SVG: dial, band, address, headline, country, network, flags, blocklists, date.
 * An address without a score has no dial. The language is that of the report (no `lang` means Chinese).
 */
export function renderReportCard(report: Report): string {
  const language: Language = report.lang ?? "zh";
  const texts = cardTextsOf(language);
  if (!report.scenarioApplicable) return renderUnscoredCard(report, language);
  const { risk } = report;
  const words = reportTextsOf(language);
  const { low, isThin } = readFacts(report);
  const tone = isThin ? "none" : risk.level;
  const warning = isThin ? words.notEnough : "";
  return renderCard(report, {
    tone,
    left: html`${renderCardDial({ purity: risk.purity, low: Math.min(low, risk.purity), warning })}
${renderPill(toDrawable(risk.label), tone)}
<text x="255" y="510" font-size="24" text-anchor="middle" fill-opacity="0.85">${writeRuns(`${words.labels.confidence} ${words.confidences[risk.confidence]}${writeCoverage(risk.coverage?.total, language)}`)}</text>`,
    title: texts.title,
    headline: listHeadline(report, language),
    facts: listFacts(report, language),
  });
}

/** Renders the share card of an address without a stored report: the facts of the local tables, and no score. */
export function renderUnsurveyedCard(report: Report): string {
  const language: Language = report.lang ?? "zh";
  if (!report.scenarioApplicable) return renderUnscoredCard(report, language);
  const texts = cardTextsOf(language);
  const answered = readFacts(report).sources.answered.length;
  return renderCard(report, {
    tone: "none",
    left: html`${renderCardDial()}
${renderPill(texts.notSurveyed, "none")}
<text x="255" y="510" font-size="24" text-anchor="middle" fill-opacity="0.85">${writeRuns(texts.notSurveyedHint)}</text>`,
    title: answered === 0 ? texts.title : texts.tablesOnly(answered),
    headline: answered === 0 ? [texts.notSurveyed] : listHeadline(report, language),
    facts: answered === 0 ? [] : listTableFacts(report, language),
  });
}

/** Nobody browses from the address, so its card has words instead of a dial. */
function renderUnscoredCard(report: Report, language: Language): string {
  const texts = cardTextsOf(language);
  const verdict = toDrawable(report.scenarioNote ?? report.risk.verdict);
  return renderCard(report, {
    tone: "none",
    left: html`<circle cx="255" cy="270" r="150" fill="none" stroke="#fff" stroke-opacity="0.3" stroke-width="6" stroke-dasharray="14 12"/>
<path d="M208 223l94 94M302 223l-94 94" stroke="#fff" stroke-width="16" stroke-linecap="round" stroke-opacity="0.75"/>`,
    title: texts.title,
    headline: [toDrawable(describeScore(report, readFacts(report), reportTextsOf(language)))],
    facts: report.flags.isBogon
      ? wrapTo(verdict, VALUE_SIZE, TEXT_WIDTH, 4).map((line) => ["", line])
      : listFacts(report, language),
  });
}

interface CardContents {
  readonly tone: CardTone;
  readonly left: Html;
  readonly title: string;
  readonly headline: readonly string[];
  readonly facts: readonly (readonly [label: string, value: string])[];
}

function renderCard(report: Report, { tone, left, title, headline, facts }: CardContents): string {
  const language: Language = report.lang ?? "zh";
  const address = fitParts(splitAddress(toDrawable(report.ip)), "", {
    most: 78,
    least: 40,
    maxWidth: TEXT_WIDTH,
  });
  const most = address.lines.length === 1 ? 46 : 38;
  const headlineFit = fitParts(headline, DOT, { most, least: 28, maxWidth: TEXT_WIDTH });
  let y = 88;
  const rows: Html[] = [
    html`<text x="${TEXT_X}" y="${y}" font-size="26" fill-opacity="0.85">${writeRuns(`${title}${DOT}IPv${report.version}`)}</text>`,
  ];
  for (const line of address.lines) {
    y += address.size * 1.12;
    rows.push(
      html`<text x="${TEXT_X}" y="${Math.round(y)}" font-size="${address.size}" font-weight="700">${writeRuns(line)}</text>`,
    );
  }
  y += 18;
  for (const line of headlineFit.lines) {
    y += headlineFit.size * 1.25;
    rows.push(
      html`<text x="${TEXT_X}" y="${Math.round(y)}" font-size="${headlineFit.size}" font-weight="700">${writeRuns(line)}</text>`,
    );
  }
  y = Math.max(y + 24, 300);
  rows.push(
    html`<rect x="${TEXT_X}" y="${Math.round(y)}" width="${TEXT_WIDTH}" height="2" fill-opacity="0.3"/>`,
  );
  const labelWidth = Math.max(0, ...facts.map(([label]) => widthOf(label, LABEL_SIZE)));
  const valueX = TEXT_X + (labelWidth === 0 ? 0 : labelWidth + 28);
  y += 4;
  const rowHeight = Math.min(ROW_HEIGHT, (LAST_BASELINE - y) / Math.max(facts.length, 1));
  for (const [label, value] of facts) {
    y += rowHeight;
    const shown = shortenTo(toDrawable(value), VALUE_SIZE, TEXT_X + TEXT_WIDTH - valueX);
    rows.push(
      html`<text x="${TEXT_X}" y="${Math.round(y)}" font-size="${LABEL_SIZE}" fill-opacity="0.8">${writeRuns(label)}</text><text x="${Math.round(valueX)}" y="${Math.round(y)}" font-size="${VALUE_SIZE}">${writeRuns(shown)}</text>`,
    );
  }
  const link = webLinkOf(report.reportUrl);
  return renderCardFrame({
    language,
    tone,
    host: link === undefined ? "" : new URL(link).host,
    foot: report.queriedAt.slice(0, 10),
    body: html`${left}
${rows.map((row) => html`${row}\n`)}`,
  });
}

/** The band in a white pill below the dial. */
function renderPill(label: string, tone: CardTone): Html {
  const shown = shortenTo(label, 38, 300);
  const width = Math.round(widthOf(shown, 38) + 64);
  return html`<rect x="${255 - width / 2}" y="412" width="${width}" height="60" rx="30"/><text x="255" y="456" font-size="38" font-weight="700" text-anchor="middle" fill="${groundOf(tone)}">${writeRuns(shown)}</text>`;
}

/**
 * The facts that carry the conclusion: what the address is, then how it is listed. The page's headline (headline.ts)
 * names every cost in its own words; a card has room for few words, and its fonts have only the ideographs of its texts.
 */
function listHeadline(report: Report, language: Language): readonly string[] {
  const texts = cardTextsOf(language);
  const listed = readFacts(report).lists.listed.length;
  const vulns = report.exposure?.vulns.length ?? 0;
  const isHosting = report.flags.isHosting && report.usageType !== "hosting";
  const words = [
    ...HEADLINE_FLAGS.filter((flag) => report.flags[flag]).map((flag) => texts.flags[flag]),
    texts.usages[report.usageType],
    isHosting ? texts.flags.isHosting : "",
    texts.natives[report.nativeType],
    listed === 0 ? "" : texts.lists(listed),
    vulns === 0 ? "" : texts.vulns(vulns),
  ].filter((word) => word !== "");
  return words.length === 0 ? [texts.nothingKnown] : words;
}

function listFacts(report: Report, language: Language): CardContents["facts"] {
  const texts = cardTextsOf(language);
  const { geo } = report;
  const facts = readFacts(report);
  const anonymity = report.risk.coverage?.anonymity;
  const { listed, notListed, unavailable } = facts.lists;
  const flags = nameFlags(report, texts);
  const country = geo?.country === undefined ? undefined : nameCountry(geo.country, language);
  return [
    [texts.country, country ?? texts.unknown],
    [texts.network, facts.network || texts.unknown],
    [texts.flagged, flags.length > 0 ? flags.join(DOT) : texts.noFlags + writeCoverage(anonymity, language)],
    [
      texts.blocklists,
      report.blocklists.length === 0
        ? texts.noLists
        : texts.listed(listed.length, notListed.length, unavailable.length),
    ],
  ];
}

/** Names every flag that is set, in the words of the card. */
function nameFlags(report: Report, texts: CardTexts): readonly string[] {
  const names = { ...texts.flags, isMobile: texts.usages.mobile, isBogon: texts.special };
  return readFacts(report).flags.map(({ flag }) => names[flag]);
}

/** Writes the coverage unless it is high: "no flags" of few sources says little. */
function writeCoverage(share: number | undefined, language: Language): string {
  if (share === undefined || share >= MUCH_OBTAINED) return "";
  return `${DOT}${cardTextsOf(language).coverage(Math.floor(share * 100))}`;
}

/** The facts of the local tables. What they do not say is unknown, because nobody else was asked. */
function listTableFacts(report: Report, language: Language): CardContents["facts"] {
  const texts = cardTextsOf(language);
  const { flags, lists } = readFacts(report);
  const isFlagged = flags.length > 0;
  const isListed = lists.listed.length > 0;
  return listFacts(report, language).map(([label, value]) => {
    if (label === texts.flagged && !isFlagged) return [label, texts.unknown];
    if (label === texts.blocklists && !isListed) return [label, texts.noLists];
    return [label, value];
  });
}

/** An IPv6 address may be broken after a colon. */
function splitAddress(ip: string): readonly string[] {
  return ip.includes(":") ? (ip.match(/[^:]*:+|[^:]+/g) ?? [ip]) : [ip];
}
