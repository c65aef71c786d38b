import { percentOf } from "#common";
import { type CardTexts, cardTextsOf } from "#locale";
import type { Report } from "#report";
import { renderCardDial } from "../dial.ts";
import { type Html, html } from "../html/html.ts";
import { webLinkOf } from "../paths.ts";
import { FAIR_FROM } from "../ranking.ts";
import { contextOf, type ReportContext } from "../report_context.ts";
import { countSources, DOT, describeConfidence, describeLists, describeScore } from "../report_fields.ts";
import { type CardTone, groundOf, renderCardFrame, TEXT_WIDTH, TEXT_X } from "./card_frame.ts";
import {
  breakInTwo,
  type FittedText,
  fitParts,
  MISSING,
  shortenTo,
  toDrawable,
  widthOf,
  wrapTo,
  writeRuns,
} from "./card_text.ts";

/** From this coverage on, the flags do not state it. */
const MUCH_OBTAINED = 0.7;
/** Of what makes the score less sure, and of poor use cases: readable on every ground. */
const WARNING = "#ffd27a";
const LABEL_SIZE = 24;
const HINT_SIZE = 23;
/** Of a value, largest first. One that is longer at the last size has two lines or is cut. */
const VALUE_SIZES = [25, 23, 21, 20] as const;
const ROW_HEIGHT = 31;
/** Of the last fact, above the foot, or above the use cases. */
const LAST_BASELINE = 508;
const LAST_ABOVE_USES = 388;
/** Of the verdict, largest first. */
const VERDICT_SIZES = [30, 28, 26, 24, 22] as const;
const VERDICT_LEADING = 1.25;
/** Height of one line of it. */
const LEAST_VERDICT = 30;

/** The use cases are two in a row. */
const USE_SIZE = 21;
const USES_Y = 430;
const USE_HEIGHT = 42;
/** The same below the line that says that too little is known. */
const WARNING_Y = 418;
const THIN_USES_Y = 447;
const THIN_USE_HEIGHT = 36;
const USE_WIDTH = 308;
const USE_STEP = 332;

/**
 * Renders the share card of a report as SVG: dial, band, confidence and range at the left; address, kind, network,
 * verdict, VPN operator, flags, blocklists and the six use cases at the right; host and date below.
 * An address without a score has no dial. The language is that of the report (no `lang` means Chinese).
 */
export function renderReportCard(report: Report): string {
  const context = cardContextOf(report);
  if (!report.scenarioApplicable) return renderUnscoredCard(context);
  const { facts, texts, plain, card } = context;
  const { purity, label, level, verdict } = report.risk;
  const operator = report.vpnOperator?.name ?? "";
  const tone = facts.isThin ? "none" : level;
  const coverage = facts.percent === undefined ? [] : [card.coverage(facts.percent)];
  const sureness = [describeConfidence(context), ...coverage].join(DOT);
  const low = Math.min(facts.low, purity);
  const warning = facts.isThin ? texts.notEnough : undefined;
  const dial = renderCardDial({ purity, low, name: texts.labels.purity, warning });
  const { failed } = countSources(context);
  const doubts = [...(report.stale ? [card.stale] : []), ...(failed > 0 ? [plain.failed(failed)] : [])];
  const range = facts.hasLow ? card.range(low, purity) : "";
  return renderCard(context, {
    tone,
    left: renderLeft(dial, renderPill(toDrawable(label), tone), [sureness, doubts.join(DOT), range]),
    title: card.title,
    headline: listKind(context),
    // The fact of the flags names the operator.
    verdict: report.flags.isVpn ? verdict.replace(texts.withDetail("", operator), "") : verdict,
    facts: listFacts(context),
    uses: renderUses(context, tone),
  });
}

/** Renders the share card of an address without a stored report: the facts of the local tables, and no score. */
export function renderUnsurveyedCard(report: Report): string {
  const context = cardContextOf(report);
  if (!report.scenarioApplicable) return renderUnscoredCard(context);
  const { card } = context;
  const answered = report.sources.filter(({ ok }) => ok).length;
  return renderCard(context, {
    tone: "none",
    left: renderLeft(renderCardDial(), renderPill(card.notSurveyed, "none"), [card.notSurveyedHint]),
    title: answered === 0 ? card.title : card.tablesOnly(answered),
    headline: answered === 0 ? [card.notSurveyed] : listKind(context),
    facts: answered === 0 ? [] : listFacts(context, true),
  });
}

/** Nobody browses from the address, so its card has a globe with a slash instead of a dial. */
function renderUnscoredCard(context: CardContext): string {
  const { report, card } = context;
  return renderCard(context, {
    tone: "none",
    left: html`<path d="M14 60a46 46 0 0 1 92 0a46 46 0 0 1-92 0h92M60 14c-30 28-30 64 0 92M60 14c30 28 30 64 0 92M22 98L98 22" transform="translate(75 90) scale(3)" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-opacity="0.7"/>`,
    title: card.title,
    headline: [toDrawable(describeScore(context))],
    verdict: report.risk.verdict,
    facts: report.flags.isBogon ? [] : [[card.type, listKind(context).join(DOT)], ...listFacts(context)],
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
  readonly verdict?: string;
  readonly facts: readonly (readonly [label: string, value: string])[];
  /** The use cases below the facts. */
  readonly uses?: Html;
}

function renderCard(
  context: CardContext,
  { tone, left, title, headline, verdict = "", facts, uses }: CardContents,
): string {
  const { report, language } = context;
  const { network } = context.facts;
  // An IPv6 address may be broken after a colon.
  const groups = toDrawable(report.ip).match(/[^:]*:+|[^:]+/g) ?? [];
  const whole = fitParts(groups, "", {
    most: 72,
    least: 40,
    maxWidth: TEXT_WIDTH,
  });
  // Two lines of an address leave less room for what follows.
  const address = whole.lines.length === 1 ? whole : { ...whole, size: Math.min(whole.size, 44) };
  const rows: Html[] = [];
  // Without use cases there is room around the divider; with little text the whole stands lower.
  let y = uses !== undefined ? 54 : facts.length > 0 ? 84 : 140;
  const aroundDivider = uses === undefined ? 12 : 0;
  const write = (
    text: string,
    size: number,
    { leading = 1.3, weight = 500, opacity = 1, x = TEXT_X, warning = "" } = {},
  ) => {
    y += size * leading;
    const at = warning === "" ? -1 : text.indexOf(warning);
    const parts =
      at < 0
        ? writeRuns(text)
        : html`${writeRuns(text.slice(0, at))}<tspan fill="${WARNING}">${writeRuns(warning)}</tspan>${writeRuns(text.slice(at + warning.length))}`;
    rows.push(
      html`<text x="${Math.round(x)}" y="${Math.round(y)}" font-size="${size}" font-weight="${weight}" fill-opacity="${opacity}">${parts}</text>`,
    );
  };
  write(`${title}${DOT}IPv${report.version}`, 24, { leading: 0, opacity: 0.85 });
  for (const line of address.lines) write(line, address.size, { leading: 1.1, weight: 700 });
  const kind = fitParts(headline.map(toDrawable), DOT, { most: 34, least: 24, maxWidth: TEXT_WIDTH });
  y += 4;
  for (const line of kind.lines) write(line, kind.size, { weight: 700 });
  if (network !== "") write(shortenTo(toDrawable(network), 26, TEXT_WIDTH), 26, { opacity: 0.9 });
  y += 12 + aroundDivider;
  rows.push(
    html`<rect x="${TEXT_X}" y="${Math.round(y)}" width="${TEXT_WIDTH}" height="2" fill-opacity="0.3"/>`,
  );

  const unknown = describeLists(context, ["unavailable"]);
  const labelWidth = Math.max(0, ...facts.map(([label]) => widthOf(label, LABEL_SIZE)));
  const valueX = TEXT_X + labelWidth + 24;
  const valueWidth = TEXT_X + TEXT_WIDTH - valueX;
  const last = uses === undefined ? LAST_BASELINE : LAST_ABOVE_USES;
  // The lists are the last fact, and the last that is cut.
  const layOut = (most: number, mostOfLists: number) => {
    const values = facts.map(([label, value], at) => {
      const lines = at === facts.length - 1 ? mostOfLists : most;
      return [label, fitValue(toDrawable(value), valueWidth, lines)] as const;
    });
    const rowCount = values.reduce((sum, [, { lines }]) => sum + lines.length, 0);
    return {
      values,
      first: last - (rowCount - 1) * ROW_HEIGHT,
      room: last - rowCount * ROW_HEIGHT - y - 16 - aroundDivider,
    };
  };
  const roomy = [layOut(2, 2), layOut(1, 2)].find((one) => one.room >= LEAST_VERDICT);
  const { values, first, room } = roomy ?? layOut(1, 1);
  const said = fitVerdict(toDrawable(verdict), room);
  y += 6 + aroundDivider;
  // The verdict stands in the middle of its area. Its first baseline is a line below the top.
  if (uses !== undefined) y += Math.max(0, (room - said.lines.length * said.size * VERDICT_LEADING) / 2);
  for (const line of said.lines) write(line, said.size, { leading: VERDICT_LEADING, weight: 700 });
  // Without use cases the rows follow the verdict, otherwise they stand on the use cases.
  y = uses === undefined ? y + 20 : first - ROW_HEIGHT;
  for (const [label, { lines, size }] of values)
    for (const [index, line] of lines.entries()) {
      y += ROW_HEIGHT;
      if (index === 0) write(label, LABEL_SIZE, { leading: 0, opacity: 0.85 });
      write(line, size, { leading: 0, x: valueX, warning: unknown });
    }
  if (uses !== undefined) rows.push(uses);
  const link = webLinkOf(report.reportUrl);
  const day = report.queriedAt.slice(0, 10);
  return renderCardFrame({
    language,
    tone,
    host: link === undefined ? "" : new URL(link).host,
    // Only of an address with a score the sources were asked on that day.
    foot: uses === undefined ? day : cardTextsOf(language).surveyed(day),
    body: html`${left}
${rows.map((row) => html`${row}\n`)}`,
  });
}

/** Fits a value into one line, or into at most `most` lines that end after an item. What does not fit is cut. */
function fitValue(text: string, maxWidth: number, most: number): FittedText {
  const size = VALUE_SIZES.find((one) => widthOf(text, one) <= maxWidth);
  if (size !== undefined) return { size, lines: [text] };
  const least = VALUE_SIZES.at(-1) ?? 0;
  const halves = most < 2 ? undefined : breakInTwo(text.split(/(?<=, |，|、| · )/), "", least, maxWidth);
  return { size: least, lines: halves ?? wrapTo(text, least, maxWidth, most) };
}

/** Fits as many sentences of the verdict into a height as it has room for; at least the beginning of the first. */
function fitVerdict(verdict: string, height: number): FittedText {
  const sentences = verdict.match(/.+?(?:\.(?= |$)|\u3002|$) ?/g) ?? [];
  for (let count = sentences.length; count > 0; count -= 1) {
    const text = sentences.slice(0, count).join("").trim();
    for (const size of VERDICT_SIZES) {
      const most = Math.max(1, Math.floor(height / (size * VERDICT_LEADING)));
      const lines = wrapTo(text, size, TEXT_WIDTH, most);
      if (isCut(lines) && (count > 1 || size !== VERDICT_SIZES.at(-1))) continue;
      // A last line of one word is avoided.
      const even = wrapTo(text, size, TEXT_WIDTH * 0.85, lines.length);
      return { lines: isCut(even) ? lines : even, size };
    }
  }
  return { lines: [], size: VERDICT_SIZES[0] };
}

function isCut(lines: readonly string[]): boolean {
  return lines.at(-1)?.endsWith(MISSING) ?? false;
}

/** The band in a white pill below the dial. */
function renderPill(label: string, tone: CardTone): Html {
  const shown = shortenTo(label, 38, 300);
  const width = Math.round(widthOf(shown, 38) + 64);
  return html`<rect x="${255 - width / 2}" y="358" width="${width}" height="56" rx="28"/><text x="255" y="400" font-size="38" font-weight="700" text-anchor="middle" fill="${groundOf(tone)}">${writeRuns(shown)}</text>`;
}

/**
 * Renders the dial, the band, and the lines below it: the confidence, in a yellow pill what makes the score less sure, and
 * the low end. A line may be missing.
 */
function renderLeft(
  dial: Html,
  pill: Html,
  [sureness = "", doubt = "", range = ""]: readonly string[],
): Html {
  const width = Math.round(widthOf(doubt, HINT_SIZE) + 32);
  const ground = html`<rect x="${255 - width / 2}" y="456" width="${width}" height="36" rx="18" fill="${WARNING}"/>`;
  const lines = [
    [sureness, 444, html` fill-opacity="0.85"`],
    [doubt, 482, html` font-weight="700" fill="#000"`],
    [range, doubt === "" ? 478 : 518, html` font-weight="700"`],
  ] as const;
  return html`<g transform="translate(0 8)">${dial}
${pill}
${doubt !== "" && ground}${lines.map(([text, y, look]) => text !== "" && html`<text x="255" y="${y}" font-size="${HINT_SIZE}" text-anchor="middle"${look}>${writeRuns(text)}</text>\n`)}</g>`;
}

/** The six use cases with their scores, levels and bars. */
function renderUses({ report: { scenarios }, facts, texts, page }: CardContext, tone: CardTone): Html {
  const opacity = facts.isThin ? "0.5" : "0.95";
  const [top, height] = facts.isThin ? [THIN_USES_Y, THIN_USE_HEIGHT] : [USES_Y, USE_HEIGHT];
  const warning = html`<text x="${TEXT_X}" y="${WARNING_Y}" font-size="20" font-weight="700">${writeRuns(texts.notEnough)}</text>\n`;
  return html`${facts.isThin && warning}${scenarios.map(({ id, score, level, levelLabel }, index) => {
    const name = page.scenarios[id];
    const right = TEXT_X + (index % 2) * USE_STEP + USE_WIDTH;
    const x = right - USE_WIDTH;
    const y = top + Math.floor(index / 2) * height;
    const bar = html`<rect x="${x}" y="${y + 7}" width="${USE_WIDTH}" height="6" rx="3" fill="#fff" fill-opacity="0.2"/>${score !== null && score > 0 && html`<rect x="${x}" y="${y + 7}" width="${Math.round((score / 100) * USE_WIDTH)}" height="6" rx="3" fill-opacity="${opacity}"/>`}`;
    const isUnusable = level === "unusable" && !facts.isThin;
    const isPoor = level === "restricted" || (score !== null && score < FAIR_FROM && !facts.isThin);
    // Widths are estimated a tenth too wide or more, and the longest level has just enough room.
    const room = USE_WIDTH - widthOf(name, USE_SIZE) * 0.85;
    const shown = shortenTo(toDrawable(`${score ?? ""} ${levelLabel}`), USE_SIZE, room);
    // A level that is worse than poor stands in a white pill.
    const pillWidth = Math.round(widthOf(shown, USE_SIZE) * 0.9 + 20);
    const pill = html`<rect x="${right - pillWidth}" y="${y - 20}" width="${pillWidth}" height="25" rx="8" fill="#fff"/>`;
    const [edge, colour] = isUnusable ? [right - 8, html` fill="${groundOf(tone)}"`] : [right, ""];
    return html`<text x="${x}" y="${y}" font-size="${USE_SIZE}" fill-opacity="0.85">${writeRuns(name)}</text><g${isPoor && html` fill="${WARNING}"`}>${isUnusable && pill}<text x="${edge}" y="${y}" font-size="${USE_SIZE}" font-weight="700" text-anchor="end"${colour}>${writeRuns(shown)}</text>${bar}</g>\n`;
  })}`;
}

/** What the network is used for, the native type and the country. */
function listKind({ report: { usageType, nativeType, geo }, card, page }: CardContext): readonly string[] {
  const usage = usageType === "unknown" ? card.nothingKnown : page.usages[usageType];
  return [usage, page.natives[nativeType], ...(geo?.countryName === undefined ? [] : [geo.countryName])];
}

/** Lists the facts. What the local tables alone do not say is unknown, because nobody else was asked. */
function listFacts(context: CardContext, onlyTables = false): CardContents["facts"] {
  const { report, facts, texts, card } = context;
  const names = { ...card.flags, isMobile: card.usages.mobile, isBogon: card.special };
  const operator = report.vpnOperator?.name;
  const vulns = report.exposure?.vulns.length ?? 0;
  const isFlagged = operator !== undefined && report.flags.isVpn;
  // The headline names the type of the network.
  const told = { isHosting: "hosting", isMobile: "mobile" } as Readonly<Record<string, string | undefined>>;
  const flags = facts.flags
    .filter(({ flag }) => told[flag] !== report.usageType)
    .map(({ flag }) =>
      flag === "isVpn" && isFlagged ? texts.withDetail(names.isVpn, operator) : names[flag],
    );
  const anonymity = report.risk.coverage?.anonymity;
  const isUnknown = onlyTables || facts.isExitUnknown;
  const noFlags = isUnknown ? texts.labels.flagsUnknown : card.noFlags + writeCoverage(anonymity, card);
  const isExit = report.flags.isProxy || report.flags.isVpn || report.flags.isTor;
  const items = [...flags, ...(vulns === 0 ? [] : [card.vulns(vulns)])];
  const isCounted = onlyTables ? facts.lists.listed.length > 0 : report.blocklists.length > 0;
  return [
    ...(operator === undefined || isFlagged ? [] : [[texts.labels.vpn, operator] as const]),
    [
      texts.labels.flags,
      [...(items.length === 0 ? [] : [texts.joinItems(items)]), ...(isExit ? [] : [noFlags])].join(DOT),
    ],
    [texts.labels.blocklists, isCounted ? describeLists(context) : card.noLists],
  ];
}

/** Writes the coverage unless it is high: "no flags" of few sources says little. */
function writeCoverage(share: number | undefined, card: CardTexts): string {
  if (share === undefined || share >= MUCH_OBTAINED) return "";
  return `${DOT}${card.coverage(percentOf(share))}`;
}
