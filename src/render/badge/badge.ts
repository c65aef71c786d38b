import { cardTextsOf, plainTextsOf, reportTextsOf } from "#locale";
import type { Band, Language, Report } from "#report";
import { displayWidth, sanitize } from "../characters.ts";
import COLOURS from "../colours.json" with { type: "json" };
import { type Html, html } from "../html/html.ts";
import { languageTagOf } from "../paths.ts";
import { contextOf } from "../report_context.ts";
import { countSources, DOT, describeScore, describeSureness } from "../report_fields.ts";

// The colours of the share cards: white text on each has a contrast of 6 or more (WCAG 2.2, 1.4.3).
const BAND_COLOURS: Readonly<Record<Band, string>> = COLOURS.card;
const UNKNOWN_COLOUR = "#57606a";
const SUBJECT_COLOUR = "#3b4048";

const MAX_ANSWER_CHARACTERS = 48;
const MAX_ADDRESS_CHARACTERS = 45;

const HEIGHT = 20;
const RADIUS = 3;
const PADDING = 6;
const BASELINE = 14;
// Widths in Verdana at 11 px, by kind of character. An estimate is enough: `textLength` fits a Latin text to its box. It
// would spread ideographs, which are as wide as the font size in any font and weight.
const WIDTHS: readonly (readonly [kind: RegExp, pixels: number])[] = [
  [/[ijl.,:;'| ]/, 3.6],
  [/[frtI()[\]/!-]/, 4.7],
  [/[mwMW@%]/, 10.4],
  [/[A-Z]/, 7.6],
  [/./u, 6.8],
];
const BOLD = 1.12;
const IDEOGRAPH = 11;

interface BadgeParts {
  readonly language: Language;
  /** Text of the dark part. */
  readonly subject: string;
  /** Text of the coloured part. */
  readonly answer: string;
  /** The same in words, for people who cannot see the badge. */
  readonly title: string;
  readonly colour: string;
}

/**
 * Renders the purity and the band as a flat SVG badge for embedding: under 2 kB, without script, style or reference. Old
 * data, sources that failed and the range of the purity follow the band. A thin report and an address without a score are
 * grey. Its title also names the address and the confidence. The language is that of the report (no `lang` means Chinese).
 */
export function renderBadge(report: Report): string {
  const context = contextOf(report);
  const { facts, language, texts, plain, card } = context;
  const score = shorten(sanitize(describeScore(context)), MAX_ANSWER_CHARACTERS);
  const address = shorten(sanitize(report.ip), MAX_ADDRESS_CHARACTERS);
  const confidence = plain.field(texts.labels.confidence, describeSureness(context)).toLowerCase();
  const isVague = facts.isThin || !facts.isScored;
  const marks = [
    report.stale && card.stale,
    !isVague && countSources(context).failed > 0 && card.incomplete,
    !isVague && facts.hasLow && `${facts.low}\u2013${report.risk.purity}`,
  ].filter((mark) => mark !== false);
  return renderSvg({
    language,
    subject: plain.badge,
    answer: [score.replace("/100", ""), ...marks].join(DOT),
    title: texts.joinDetails([plain.field(`${plain.badge} ${address}`, score), ...marks, confidence]),
    colour: isVague ? UNKNOWN_COLOUR : BAND_COLOURS[report.risk.level],
  });
}

/** Renders a grey badge without a report: there is none yet, or the address cannot have one. `subject` may be no address. */
export function renderPlainBadge(
  subject: string,
  answer: "unknown" | "special" | "notPublic" | "invalid",
  language: Language,
): string {
  const { flags, labels, withDetail } = reportTextsOf(language);
  const { badge, field, notPublic } = plainTextsOf(language);
  const { notSurveyed: unknown, invalid } = cardTextsOf(language);
  const said = { unknown, special: withDetail(flags.isBogon, labels.noScore), notPublic, invalid }[answer];
  const title = field(`${badge} ${shorten(sanitize(subject), MAX_ADDRESS_CHARACTERS)}`, said);
  return renderSvg({ language, subject: badge, answer: said, title, colour: UNKNOWN_COLOUR });
}

function renderSvg({ language, subject, answer, title, colour }: BadgeParts): string {
  const left = widthOf(subject);
  const right = widthOf(answer, BOLD);
  const split = left + 2 * PADDING;
  const whole = split + right + 2 * PADDING;
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${whole}" height="${HEIGHT}" viewBox="0 0 ${whole} ${HEIGHT}" role="img" aria-labelledby="t" xml:lang="${languageTagOf(language)}"><title id="t">${title}</title><rect width="${split + RADIUS}" height="${HEIGHT}" rx="${RADIUS}" fill="${SUBJECT_COLOUR}"/><rect x="${split}" width="${whole - split}" height="${HEIGHT}" rx="${RADIUS}" fill="${colour}"/><rect x="${split}" width="${RADIUS}" height="${HEIGHT}" fill="${colour}"/><g fill="#fff" font-family="Verdana,DejaVu Sans,Noto Sans CJK SC,PingFang SC,Microsoft YaHei,sans-serif" font-size="11" text-anchor="middle"><text x="${PADDING + left / 2}" y="${BASELINE}"${fitTo(subject, left)}>${subject}</text><text x="${split + PADDING + right / 2}" y="${BASELINE}"${fitTo(answer, right)} font-weight="700">${answer}</text></g></svg>
`.toString();
}

/** Fits a text without ideographs to its box. */
function fitTo(text: string, width: number): Html | undefined {
  return displayWidth(text) > text.length ? undefined : html` textLength="${width}"`;
}

function shorten(text: string, maxCharacters: number): string {
  const characters = [...text];
  return characters.length <= maxCharacters ? text : `${characters.slice(0, maxCharacters).join("")}...`;
}

/** Estimates the width of a text at 11 px, rounded up to a pixel. Bold letters are `stretch` times as wide. */
function widthOf(text: string, stretch = 1): number {
  let width = 0;
  for (const character of text) {
    const pixels = WIDTHS.find(([kind]) => kind.test(character))?.[1] ?? 0;
    width += displayWidth(character) === 2 ? IDEOGRAPH : pixels * stretch;
  }
  return Math.ceil(width);
}
