import { capitalize } from "#locale";
import { findUseLow, type Report } from "#report";
import { renderCardDial } from "../dial.ts";
import { type Html, html } from "../html/html.ts";
import { webLinkOf } from "../paths.ts";
import { FAIR_FROM } from "../ranking.ts";
import { contextOf, type ReportContext } from "../report_context.ts";
import {
  DOT,
  describeFlagRow,
  describeLists,
  describeLowEnd,
  describeScore,
  listKind,
  listRecords,
} from "../report_fields.ts";
import { countSources } from "../source_groups.ts";
import { type CardTone, FOOT_Y, GROUNDS, renderCardFrame, TEXT_WIDTH, TEXT_X } from "./card_frame.ts";
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

/** Of what makes the score less sure, and of the bars of poor use cases: readable on every ground. */
const WARNING = "#ffd27a";
/** Of the bars of unusable use cases. The ground of the bars is dark. */
const UNUSABLE = "#ff9d8c";
const LABEL_SIZE = 25;
/** Width of the lines below the dial. */
const LEFT_WIDTH = 440;
/** Of the values, largest first. One that is longer at the last size has two lines of `BROKEN_SIZE` or is cut. */
const VALUE_SIZES = [26, 25, 24, 23, 22, 21, 20] as const;
const BROKEN_SIZE = 22;
const ROW_HEIGHT = 31;
/** Of the verdict, largest first. */
const VERDICT_SIZES = [26, 23] as const;
/** Steps between half of the width and all of it. */
const VERDICT_STEPS = 25;
const VERDICT_LEADING = 1.25;
/** Height of one line of it. */
const LEAST_VERDICT = 30;
/** Of a capital letter above its baseline, and of a tail below it, in parts of the font size. */
const CAPITAL = 0.73;
const TAIL = 0.22;
/** The space between two parts at the right: the name of the network, divider, verdict, facts, use cases. */
const LEAST_GAP = 12;
const MOST_GAP = 30;
/** Above the first line, and above the foot. */
const MARGIN = 36;

/** The use cases are two in a row. */
const USE_SCORE_SIZE = 30;
const LAST_USE_Y = FOOT_Y - 39;
const USE_HEIGHT = 49;
const USES_TOP = LAST_USE_Y - 2 * USE_HEIGHT - 24;
/** The same with the line that says that too little is known. */
const THIN_USES_TOP = LAST_USE_Y - 2 * USE_HEIGHT - 46;
const USE_WIDTH = 308;
const USE_STEP = 332;

/**
 * Renders the share card of a report as SVG: dial, band, confidence and range at the left; address, kind, network,
 * verdict, VPN operator, flags, blocklists and the six use cases at the right; host and date below.
 * An address without a score has no dial. The language is that of the report (no `lang` means Chinese).
 */
export function renderReportCard(report: Report): string {
  const context = contextOf(report);
  if (!report.scenarioApplicable) return renderUnscoredCard(context);
  const { facts, texts, plain, card } = context;
  const { purity, label, level, verdict, confidence } = report.risk;
  const operator = report.vpnOperator?.name ?? "";
  const tone = facts.isThin ? "none" : level;
  const coverage = facts.percent === undefined ? [] : [card.coverage(facts.percent)];
  const sureness = [`${texts.labels.confidence} ${texts.confidences[confidence]}`, ...coverage];
  const low = Math.min(facts.low, purity);
  const warning = facts.isThin ? texts.notEnough : undefined;
  const dial = renderCardDial({ purity, low, name: card.purity, warning });
  const { failed } = countSources(context);
  const failures = failed > 0 ? [plain.say("failed", failed)] : [];
  const old = report.stale ? [card.staleOf(report.queriedAt.slice(0, 10))] : [];
  // The low end says by itself that data is missing, and not only from the sources that failed.
  const doubts = [...old, ...(facts.hasLow ? [capitalize(describeLowEnd(context))] : failures)];
  return renderCard(context, {
    tone,
    left: renderLeft(dial, renderPill(toDrawable(label), tone), sureness, doubts),
    headline: listKind(context),
    // The fact of the flags names the operator.
    verdict: report.flags.isVpn ? verdict.replace(texts.withDetail("", operator), "") : verdict,
    facts: listFacts(context),
    uses: renderUses(context),
  });
}

/** Renders the share card of an address without a stored report: the facts of the local tables, and no score. */
export function renderUnsurveyedCard(report: Report): string {
  const context = contextOf(report);
  if (!report.scenarioApplicable) return renderUnscoredCard(context, true);
  const { card, texts } = context;
  const answered = report.sources.filter(({ ok }) => ok).length;
  return renderCard(context, {
    tone: "none",
    left: renderLeft(renderCardDial(), renderPill(texts.notEnough, "none"), [card.notSurveyedHint]),
    title: answered === 0 ? "" : card.tablesOnly(answered),
    headline: answered === 0 ? [card.notSurveyed] : listKind(context),
    // The line of the card of /method that says that unknown is not clean.
    verdict: card.methodLines[1] ?? "",
    facts: answered === 0 ? [] : listFacts(context, true),
    isAsOf: true,
  });
}

/** Nobody browses from the address, so its card has a globe with a slash instead of a dial. */
function renderUnscoredCard(context: ReportContext, onlyTables = false): string {
  const { report, card } = context;
  return renderCard(context, {
    tone: "none",
    left: html`<path d="M14 60a46 46 0 0 1 92 0a46 46 0 0 1-92 0h92M60 14c-30 28-30 64 0 92M60 14c30 28 30 64 0 92M22 98L98 22" transform="translate(75 100) scale(3)" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-opacity="0.7"/>`,
    headline: [toDrawable(describeScore(context))],
    verdict: report.risk.verdict,
    facts: report.flags.isBogon ? [] : [[card.type, listKind(context).join(DOT)], ...listFacts(context)],
    isAsOf: onlyTables || report.flags.isBogon,
  });
}

interface CardContents {
  readonly tone: CardTone;
  readonly left: Html;
  /** A line above the address. */
  readonly title?: string;
  readonly headline: readonly string[];
  readonly verdict?: string;
  readonly facts: readonly (readonly [label: string, value: string])[];
  /** The use cases below the facts. */
  readonly uses?: Html;
  /** No source was asked on the day of the report. */
  readonly isAsOf?: boolean;
}

function renderCard(
  context: ReportContext,
  { tone, left, title = "", headline, verdict = "", facts, uses, isAsOf }: CardContents,
): string {
  const { report, language, card } = context;
  const { network } = context.facts;
  // An IPv6 address may be broken after a colon.
  const groups = toDrawable(report.ip).match(/[^:]*:+|[^:]+/g) ?? [];
  const whole = fitParts(groups, "", { most: 64, least: 40, maxWidth: TEXT_WIDTH });
  // Two lines of an address leave less room for what follows.
  const address = whole.lines.length === 1 ? whole : { ...whole, size: Math.min(whole.size, 44) };
  const rows: Html[] = [];
  let y = MARGIN;
  const write = (
    text: string,
    size: number,
    { leading = 1.3, weight = 500, opacity = 1, x = TEXT_X, warnings = [] as readonly string[] } = {},
  ) => {
    y += size * leading;
    const parts = warnings
      .reduce((split, one) => split.flatMap((part) => splitAround(part, one)), [text])
      .map((part) =>
        warnings.includes(part) ? html`<tspan fill="${WARNING}">${writeRuns(part)}</tspan>` : writeRuns(part),
      );
    rows.push(
      html`<text x="${Math.round(x)}" y="${Math.round(y)}" font-size="${size}" font-weight="${weight}" fill-opacity="${opacity}">${parts}</text>`,
    );
  };
  if (title !== "") write(title, 24, { leading: CAPITAL, opacity: 0.85 });
  for (const [index, line] of address.lines.entries())
    write(line, address.size, { leading: index === 0 && title === "" ? CAPITAL : 1.1, weight: 700 });
  const kind = fitParts(headline.map(toDrawable), DOT, { most: 34, least: 24, maxWidth: TEXT_WIDTH });
  y += 4;
  for (const line of kind.lines) write(line, kind.size, { weight: 700 });
  const operator = fitParts([toDrawable(network)], "", { most: 26, least: 22, maxWidth: TEXT_WIDTH });
  if (network !== "") for (const line of operator.lines) write(line, operator.size, { opacity: 0.9 });
  y += 26 * TAIL;

  const warnings = (["listed", "unavailable"] as const)
    .filter((state) => context.facts.lists[state].length > 0)
    .map((state) => describeLists(context, [state]));
  const labelWidth = Math.max(0, ...facts.map(([label]) => widthOf(label, LABEL_SIZE)));
  const valueX = TEXT_X + labelWidth + 24;
  const valueWidth = TEXT_X + TEXT_WIDTH - valueX;
  const bottom = uses === undefined ? FOOT_Y - MARGIN : context.facts.isThin ? THIN_USES_TOP : USES_TOP;
  const gaps = 1 + [verdict, facts[0], uses].filter((one) => one !== undefined && one !== "").length;
  // The lists are the last fact, and the last that is cut.
  const layOut = (most: number, mostOfLists: number) => {
    const values = facts.map(([, value]) => toDrawable(value));
    const isLists = (at: number) => at === values.length - 1;
    // The lists have two lines rather than small letters.
    const size = Math.min(
      ...values.map((value, at) => {
        const sizes = VALUE_SIZES.filter((one) => !isLists(at) || mostOfLists === 1 || one >= BROKEN_SIZE);
        return sizes.find((one) => widthOf(value, one) <= valueWidth) ?? BROKEN_SIZE;
      }),
    );
    const lines = values.map((value, at) =>
      breakValue(value, size, valueWidth, isLists(at) ? mostOfLists : most),
    );
    const height = lines.length === 0 ? 0 : lines.flat().length * ROW_HEIGHT - ROW_HEIGHT + 23;
    return { size, lines, room: bottom - y - height - gaps * LEAST_GAP };
  };
  const roomy = [layOut(2, 2), layOut(1, 2)].find(({ room }) => room >= LEAST_VERDICT);
  const { size, lines, room } = roomy ?? layOut(1, 1);
  const said = fitVerdict(toDrawable(verdict), room);
  const saidHeight = (said.lines.length - 1) * said.size * VERDICT_LEADING + said.size * (CAPITAL + TAIL);
  // What is left is shared by all gaps.
  const gap = Math.min(MOST_GAP, LEAST_GAP + (room - (said.lines.length === 0 ? 0 : saidHeight)) / gaps);
  y += gap;
  rows.push(
    html`<rect x="${TEXT_X}" y="${Math.round(y)}" width="${TEXT_WIDTH}" height="2" fill-opacity="0.3"/>`,
  );
  if (said.lines.length > 0) y += gap;
  for (const [index, line] of said.lines.entries())
    write(line, said.size, { leading: index === 0 ? CAPITAL : VERDICT_LEADING, weight: 700 });
  y += (said.lines.length === 0 ? 0 : said.size * TAIL) + gap + LABEL_SIZE * CAPITAL - ROW_HEIGHT;
  for (const [at, [label]] of facts.entries())
    for (const [index, line] of (lines[at] ?? []).entries()) {
      y += ROW_HEIGHT;
      if (index === 0) write(label, Math.min(LABEL_SIZE, size), { leading: 0, opacity: 0.85 });
      write(line, size, { leading: 0, x: valueX, warnings });
    }
  // Without use cases the whole stands in the middle.
  const lower = uses === undefined ? Math.round((FOOT_Y - MARGIN - y) / 2) : 0;
  const link = webLinkOf(report.reportUrl);
  return renderCardFrame({
    language,
    tone,
    host: link === undefined ? "" : new URL(link).host,
    foot: [
      ...(uses === undefined ? [] : [context.facts.hasLow ? card.estimatedOpen : card.estimated]),
      (isAsOf ? card.asOf : card.surveyed)(report.queriedAt.slice(0, 10)),
    ].join(DOT),
    body: html`${left}
<g transform="translate(0 ${lower})">
${rows.map((row) => html`${row}\n`)}${uses}</g>`,
  });
}

/** Splits a text so that the first `word` in it is a part of its own. */
function splitAround(text: string, word: string): readonly string[] {
  const at = text.indexOf(word);
  return at < 0 ? [text] : [text.slice(0, at), word, text.slice(at + word.length)];
}

/** Breaks a value that is wider than a line into at most `most` lines, and cuts it, after an item where that is possible. */
function breakValue(text: string, size: number, maxWidth: number, most: number): readonly string[] {
  if (widthOf(text, size) <= maxWidth) return [text];
  const items = text.split(/(?<=[,;] |，|；|、| · )/);
  const halves = most < 2 ? undefined : breakInTwo(items, "", size, maxWidth);
  const cut = items.map((_, at) => `${items.slice(0, at).join("").trimEnd()} ${MISSING}`);
  const longest = most < 2 ? cut.findLast((one, at) => at > 0 && widthOf(one, size) <= maxWidth) : undefined;
  return halves ?? (longest === undefined ? wrapTo(text, size, maxWidth, most) : [longest]);
}

/** Fits as many sentences of the verdict into a height as it has room for; at least the beginning of the first. */
function fitVerdict(verdict: string, height: number): FittedText {
  const sentences = verdict.match(/.+?(?:\.(?= |$)|\u3002|$) ?/g) ?? [];
  for (let count = sentences.length; count > 0; count -= 1) {
    const text = sentences.slice(0, count).join("").trim();
    for (const size of VERDICT_SIZES) {
      const most = Math.max(1, Math.floor(height / (size * VERDICT_LEADING)));
      const halves = most > 1 && breakInTwo(sentences.slice(0, count), "", size, TEXT_WIDTH);
      if (halves) return { lines: halves.map((line) => line.trim()), size };
      const lines = wrapTo(text, size, TEXT_WIDTH, most);
      if (isCut(lines) && (count > 1 || size !== VERDICT_SIZES.at(-1))) continue;
      // Lines of about the same length are best, and better still those that end after a clause.
      const wraps = Array.from({ length: VERDICT_STEPS }, (_, step) =>
        wrapTo(text, size, (TEXT_WIDTH / 2) * (1 + step / VERDICT_STEPS), lines.length),
      ).filter((one) => !isCut(one));
      const clauses = wraps.find((one) => one.every((line) => /[.,;\u3002\uff0c\uff1b]$/.test(line)));
      return { lines: clauses ?? wraps[0] ?? lines, size };
    }
  }
  return { lines: [], size: VERDICT_SIZES[0] };
}

function isCut(lines: readonly string[]): boolean {
  return lines.at(-1)?.endsWith(MISSING) ?? false;
}

/** The band in a white pill below the dial. */
function renderPill(label: string, tone: CardTone): Html {
  const shown = shortenTo(label, 38, 360);
  const width = Math.round(widthOf(shown, 38) + 64);
  return html`<rect x="${255 - width / 2}" y="358" width="${width}" height="56" rx="28"/><text x="255" y="400" font-size="38" font-weight="700" text-anchor="middle" fill="${GROUNDS[tone]}">${writeRuns(shown)}</text>`;
}

/** Renders the dial, the band, the confidence, and in a yellow pill what makes the score less sure. */
function renderLeft(
  dial: Html,
  pill: Html,
  sureness: readonly string[],
  doubts: readonly string[] = [],
): Html {
  const joined = sureness.join(DOT);
  const sure = VALUE_SIZES.slice(1, -1).find((one) => widthOf(joined, one) <= LEFT_WIDTH);
  const said = sure === undefined ? sureness : [joined];
  const lower = (said.length - 1) * 21;
  const whole = doubts.join(DOT);
  const halves = widthOf(whole, LABEL_SIZE) > LEFT_WIDTH && breakInTwo(doubts, DOT, BROKEN_SIZE, LEFT_WIDTH);
  const lines = halves || [shortenTo(whole, LABEL_SIZE, LEFT_WIDTH)];
  const size = halves ? BROKEN_SIZE : LABEL_SIZE;
  const width = Math.round(Math.max(...lines.map((line) => widthOf(line, size))) + 32);
  const height = 10 + Math.round(lines.length * size * 1.2);
  const ground = html`<rect x="${255 - width / 2}" y="${472 + lower}" width="${width}" height="${height}" rx="20" fill="${WARNING}"/>`;
  return html`<g transform="translate(0 10)">${dial}
${pill}
${said.map((line, at) => html`<text x="255" y="${449 + at * 25}" font-size="${sure ?? 21}" text-anchor="middle" fill-opacity="0.85">${writeRuns(line)}</text>\n`)}${doubts.length > 0 && ground}${lines.map((line, at) => html`<text x="255" y="${Math.round(475 + lower + (at + 0.95) * size * 1.2)}" font-size="${size}" text-anchor="middle" font-weight="700" fill="#000">${writeRuns(line)}</text>\n`)}</g>`;
}

/** The six use cases with their scores, levels and bars. */
function renderUses({ report: { scenarios }, facts, texts, page }: ReportContext): Html {
  const opacity = facts.isThin ? "0.5" : "0.95";
  const warning = html`<text x="${TEXT_X}" y="${THIN_USES_TOP + 16}" font-size="22" font-weight="700">${writeRuns(texts.notEnough)}</text>\n`;
  // The name is in a lighter weight than is measured.
  const roomOf = (id: keyof typeof page.scenarios, score: number | null, one: number) =>
    USE_WIDTH - widthOf(page.scenarios[id], one) * 0.95 - widthOf(`${score ?? ""} `, USE_SCORE_SIZE) - 20;
  const size =
    VALUE_SIZES.find((one) =>
      scenarios.every(({ id, score, levelLabel }) => widthOf(levelLabel, one) <= roomOf(id, score, one)),
    ) ?? BROKEN_SIZE;
  return html`${facts.isThin && warning}${scenarios.map((scenario, index) => {
    const { id, score, level, levelLabel } = scenario;
    const low = findUseLow(scenario);
    const name = page.scenarios[id];
    const right = TEXT_X + (index % 2) * USE_STEP + USE_WIDTH;
    const x = right - USE_WIDTH;
    const y = LAST_USE_Y + (Math.floor(index / 2) - 2) * USE_HEIGHT;
    const isUnusable = level === "unusable" && !facts.isThin;
    const isPoor = level === "restricted" || (score !== null && score < FAIR_FROM && !facts.isThin);
    const fill = isUnusable ? UNUSABLE : isPoor ? WARNING : "#fff";
    const part = (points: number | null | undefined, shade: string) => {
      const width = Math.round(((points ?? 0) * USE_WIDTH) / 100);
      return (
        width > 0 &&
        html`<rect x="${x}" y="${y + 9}" width="${width}" height="6" rx="3" fill-opacity="${shade}" fill="${fill}"/>`
      );
    };
    const rail = html`<rect x="${x}" y="${y + 9}" width="${USE_WIDTH}" height="6" rx="3" fill="#000" fill-opacity="0.35"/>`;
    const bar = html`${rail}${low !== undefined && part(score, "0.4")}${part(low ?? score, opacity)}`;
    const number = score !== null && html`<tspan font-size="${USE_SCORE_SIZE}">${score}</tspan> `;
    const word = writeRuns(shortenTo(toDrawable(levelLabel), size, roomOf(id, score, size)));
    return html`<text x="${x}" y="${y}" font-size="${size}" fill-opacity="0.85">${writeRuns(name)}</text><text x="${right}" y="${y}" font-size="${size}" font-weight="700" text-anchor="end">${number}${word}</text>${bar}\n`;
  })}`;
}

/** Lists the facts. What the local tables alone do not say is unknown, because nobody else was asked. */
function listFacts(context: ReportContext, onlyTables = false): CardContents["facts"] {
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
  const isUnknown = onlyTables || facts.isExitUnknown;
  const records = ["shared_address", ...(vulns > 0 ? [] : ["abuse_score", "attack_history"])];
  const items = [...flags, ...(vulns > 0 ? [card.vulns(vulns)] : []), ...listRecords(context, records)];
  const isCounted = onlyTables ? facts.lists.listed.length > 0 : report.blocklists.length > 0;
  return [
    ...(operator === undefined || isFlagged ? [] : [[texts.labels.vpn, operator] as const]),
    [texts.labels.flags, describeFlagRow(context, { flags: items, isUnknown })],
    [texts.labels.blocklists, isCounted ? describeLists(context) : card.noLists],
  ];
}
