import { percentOf } from "#common";
import { type CardTexts, cardTextsOf, siteTextsOf } from "#locale";
import type { Report } from "#report";
import { renderCardDial } from "../dial.ts";
import { type Html, html } from "../html/html.ts";
import { webLinkOf } from "../paths.ts";
import { contextOf, type ReportContext } from "../report_context.ts";
import { describeConfidence, describeScore } from "../report_fields.ts";
import { type CardTone, groundOf, renderCardFrame, TEXT_WIDTH, TEXT_X } from "./card_frame.ts";
import { type FittedText, fitParts, shortenTo, toDrawable, widthOf, wrapTo, writeRuns } from "./card_text.ts";

/** The flags that a headline names, strongest first. */
const HEADLINE_FLAGS = ["isTor", "isVpn", "isProxy", "isRelay", "isSearchEngineBot"] as const;

/** From this coverage on, the card does not state it. */
const MUCH_OBTAINED = 0.7;
const DOT = " \u00b7 ";
const LABEL_SIZE = 25;
const VALUE_SIZE = 30;
/** A longer value is cut. */
const LEAST_VALUE_SIZE = 22;
const ROW_HEIGHT = 46;
/** Of the last fact, above the foot, or above the use cases. */
const LAST_BASELINE = 514;
const LAST_ABOVE_USES = 410;

/** The use cases are three in a row. */
const USE_WIDTH = 192;
const USE_STEP = 224;

/**
 * Renders the share card of a report as SVG: dial, band, range, address, headline, country, network, flags, blocklists,
 * the six use cases, date.
 * An address without a score has no dial. The language is that of the report (no `lang` means Chinese).
 */
export function renderReportCard(report: Report): string {
  const context = cardContextOf(report);
  if (!report.scenarioApplicable) return renderUnscoredCard(context);
  const { facts, texts, card } = context;
  const { purity, label, level, coverage } = report.risk;
  const tone = facts.isThin ? "none" : level;
  const sureness = describeConfidence(context) + writeCoverage(coverage?.total, card);
  const low = Math.min(facts.low, purity);
  return renderCard(context, {
    tone,
    left: html`${renderCardDial({ purity, low, warning: facts.isThin ? texts.notEnough : undefined })}
${renderPill(toDrawable(label), tone)}
${renderHint(sureness)}${facts.hasLow && html`\n${renderHint(card.usually(low), 1)}`}`,
    title: card.title,
    headline: listHeadline(context),
    facts: listFacts(context),
    uses: renderUses(context),
  });
}

/** Renders the share card of an address without a stored report: the facts of the local tables, and no score. */
export function renderUnsurveyedCard(report: Report): string {
  const context = cardContextOf(report);
  if (!report.scenarioApplicable) return renderUnscoredCard(context);
  const { facts, card } = context;
  const answered = facts.sources.answered.length;
  return renderCard(context, {
    tone: "none",
    left: html`${renderCardDial()}
${renderPill(card.notSurveyed, "none")}
${renderHint(card.notSurveyedHint)}`,
    title: answered === 0 ? card.title : card.tablesOnly(answered),
    headline: answered === 0 ? [card.notSurveyed] : listHeadline(context),
    facts: answered === 0 ? [] : listFacts(context, true),
  });
}

/** Nobody browses from the address, so its card has words instead of a dial. */
function renderUnscoredCard(context: CardContext): string {
  const { report, card } = context;
  const verdict = toDrawable(report.scenarioNote ?? report.risk.verdict);
  return renderCard(context, {
    tone: "none",
    left: html`<circle cx="255" cy="270" r="150" fill="none" stroke="#fff" stroke-opacity="0.3" stroke-width="6" stroke-dasharray="14 12"/>
<path d="M208 223l94 94M302 223l-94 94" stroke="#fff" stroke-width="16" stroke-linecap="round" stroke-opacity="0.75"/>`,
    title: card.title,
    headline: [toDrawable(describeScore(context))],
    facts: report.flags.isBogon
      ? wrapTo(verdict, VALUE_SIZE, TEXT_WIDTH, 4).map((line) => ["", line])
      : listFacts(context),
  });
}

interface CardContext extends ReportContext {
  readonly card: CardTexts;
}

function cardContextOf(report: Report): CardContext {
  const context = contextOf(report);
  return { ...context, card: cardTextsOf(context.language) };
}

interface CardContents {
  readonly tone: CardTone;
  readonly left: Html;
  readonly title: string;
  readonly headline: readonly string[];
  readonly facts: readonly (readonly [label: string, value: string])[];
  /** The use cases below the facts. */
  readonly uses?: Html;
}

function renderCard(
  { report, language }: CardContext,
  { tone, left, title, headline, facts, uses }: CardContents,
): string {
  const address = fitParts(splitAddress(toDrawable(report.ip)), "", {
    most: uses === undefined ? 78 : 70,
    least: 40,
    maxWidth: TEXT_WIDTH,
  });
  const most = address.lines.length === 1 && uses === undefined ? 46 : 38;
  const headlineFit = fitParts(headline, DOT, { most, least: 28, maxWidth: TEXT_WIDTH });
  let y = uses === undefined ? 88 : 72;
  const rows: Html[] = [
    html`<text x="${TEXT_X}" y="${y}" font-size="26" fill-opacity="0.85">${writeRuns(`${title}${DOT}IPv${report.version}`)}</text>`,
  ];
  const writeLines = ({ lines, size }: FittedText, leading: number) => {
    for (const line of lines) {
      y += size * leading;
      rows.push(
        html`<text x="${TEXT_X}" y="${Math.round(y)}" font-size="${size}" font-weight="700">${writeRuns(line)}</text>`,
      );
    }
  };
  writeLines(address, 1.12);
  y += uses === undefined ? 18 : 8;
  writeLines(headlineFit, 1.25);
  y = Math.max(y + 22, uses === undefined ? 300 : 226);
  rows.push(
    html`<rect x="${TEXT_X}" y="${Math.round(y)}" width="${TEXT_WIDTH}" height="2" fill-opacity="0.3"/>`,
  );
  const labelWidth = Math.max(0, ...facts.map(([label]) => widthOf(label, LABEL_SIZE)));
  const valueX = TEXT_X + (labelWidth === 0 ? 0 : labelWidth + 28);
  y += 4;
  const last = uses === undefined ? LAST_BASELINE : LAST_ABOVE_USES;
  const rowHeight = Math.min(ROW_HEIGHT, (last - y) / Math.max(facts.length, 1));
  const largest = Math.min(VALUE_SIZE, Math.floor(rowHeight * 0.76));
  const maxWidth = TEXT_X + TEXT_WIDTH - valueX;
  for (const [label, value] of facts) {
    y += rowHeight;
    const text = toDrawable(value);
    const fitting = Math.floor((largest * maxWidth) / Math.max(1, widthOf(text, largest)));
    const size = Math.max(LEAST_VALUE_SIZE, Math.min(largest, fitting));
    const shown = shortenTo(text, size, maxWidth);
    rows.push(
      html`<text x="${TEXT_X}" y="${Math.round(y)}" font-size="${Math.min(LABEL_SIZE, largest)}" fill-opacity="0.8">${writeRuns(label)}</text><text x="${Math.round(valueX)}" y="${Math.round(y)}" font-size="${size}">${writeRuns(shown)}</text>`,
    );
  }
  if (uses !== undefined) rows.push(uses);
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
  return html`<rect x="${255 - width / 2}" y="396" width="${width}" height="60" rx="30"/><text x="255" y="440" font-size="38" font-weight="700" text-anchor="middle" fill="${groundOf(tone)}">${writeRuns(shown)}</text>`;
}

function renderHint(text: string, line = 0): Html {
  return html`<text x="255" y="${488 + line * 29}" font-size="23" text-anchor="middle" fill-opacity="0.85">${writeRuns(text)}</text>`;
}

/** The six use cases with their scores and bars; a level in words where there is no score. */
function renderUses({ report: { scenarios }, facts, language }: CardContext): Html {
  const { uses } = siteTextsOf(language);
  const opacity = facts.isThin ? "0.5" : "0.95";
  return html`${scenarios.map(({ id, score, levelLabel }, index) => {
    const x = TEXT_X + (index % 3) * USE_STEP;
    const y = 454 + Math.floor(index / 3) * 46;
    const value = score === null ? toDrawable(levelLabel) : String(score);
    return html`<text x="${x}" y="${y}" font-size="22" fill-opacity="0.85">${writeRuns(uses[id])}</text><text x="${x + USE_WIDTH}" y="${y}" font-size="23" font-weight="700" text-anchor="end">${writeRuns(value)}</text><rect x="${x}" y="${y + 9}" width="${USE_WIDTH}" height="8" rx="4" fill-opacity="0.2"/>${score !== null && score > 0 && html`<rect x="${x}" y="${y + 9}" width="${Math.round((score / 100) * USE_WIDTH)}" height="8" rx="4" fill-opacity="${opacity}"/>`}\n`;
  })}`;
}

/**
 * The facts that carry the conclusion: what the address is, then how it is listed. The headline of the page names every
 * cost in its own words; a card has room for few words, and its fonts have only the ideographs of its texts.
 */
function listHeadline({ report, facts, card }: CardContext): readonly string[] {
  const listed = facts.lists.listed.length;
  const vulns = report.exposure?.vulns.length ?? 0;
  const isHosting = report.flags.isHosting && report.usageType !== "hosting";
  const words = [
    ...HEADLINE_FLAGS.filter((flag) => report.flags[flag]).map((flag) => card.flags[flag]),
    card.usages[report.usageType],
    isHosting ? card.flags.isHosting : "",
    card.natives[report.nativeType],
    listed === 0 ? "" : card.lists(listed),
    vulns === 0 ? "" : card.vulns(vulns),
  ].filter((word) => word !== "");
  return words.length === 0 ? [card.nothingKnown] : words;
}

/** Lists the facts. What the local tables alone do not say is unknown, because nobody else was asked. */
function listFacts({ report, facts, card }: CardContext, onlyTables = false): CardContents["facts"] {
  const { listed, notListed, unavailable } = facts.lists;
  const names = { ...card.flags, isMobile: card.usages.mobile, isBogon: card.special };
  const operator = report.vpnOperator?.name;
  const flags = [
    ...facts.flags.map(({ flag }) => names[flag]),
    ...(operator === undefined ? [] : [operator]),
  ];
  const noFlags = onlyTables
    ? card.unknown
    : card.noFlags + writeCoverage(report.risk.coverage?.anonymity, card);
  const isCounted = onlyTables ? listed.length > 0 : report.blocklists.length > 0;
  return [
    [card.country, report.geo?.countryName ?? card.unknown],
    [card.network, facts.network || card.unknown],
    [card.flagged, flags.join(DOT) || noFlags],
    [
      card.blocklists,
      isCounted ? card.listed(listed.length, notListed.length, unavailable.length) : card.noLists,
    ],
  ];
}

/** Writes the coverage unless it is high: "no flags" of few sources says little. */
function writeCoverage(share: number | undefined, card: CardTexts): string {
  if (share === undefined || share >= MUCH_OBTAINED) return "";
  return `${DOT}${card.coverage(percentOf(share))}`;
}

/** An IPv6 address may be broken after a colon. */
function splitAddress(ip: string): readonly string[] {
  return ip.includes(":") ? (ip.match(/[^:]*:+|[^:]+/g) ?? [ip]) : [ip];
}
