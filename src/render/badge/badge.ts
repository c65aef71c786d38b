import { plainTextsOf, reportTextsOf } from "#locale";
import type { Band, Language, Report } from "#report";
import { displayWidth, sanitize } from "../characters.ts";
import COLOURS from "../colours.json" with { type: "json" };
import { html } from "../html/html.ts";
import { languageTagOf } from "../paths.ts";
import { contextOf } from "../report_context.ts";
import { describeScore, describeSureness } from "../report_fields.ts";

// Every colour has a contrast of 4.5 or more with the white text on it (WCAG 2.2, 1.4.3).
const BAND_COLOURS: Readonly<Record<Band, string>> = COLOURS.badge;
const UNKNOWN_COLOUR = "#57606a";
const SUBJECT_COLOUR = "#3b4048";

const MAX_ANSWER_CHARACTERS = 48;
const MAX_ADDRESS_CHARACTERS = 45;

const HEIGHT = 20;
const PADDING = 6;
const BASELINE = 14;
// Widths in Verdana at 11 px, by kind of character. An estimate is enough, because `textLength` fits the text to its box.
const WIDTHS: readonly (readonly [kind: RegExp, pixels: number])[] = [
  [/[ijl.,:;'| ]/, 3.6],
  [/[frtI()[\]/!-]/, 4.7],
  [/[mwMW@%]/, 10.4],
  [/[A-Z]/, 7.6],
  [/./u, 6.8],
];
const BOLD = 1.12;

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
 * Renders the purity and the band as a flat SVG badge for embedding: under 2 kB, without script, style or reference. A
 * thin report and an address without a score are grey. Its title also names the address and the confidence. The language is that of the report (no `lang` means Chinese).
 */
export function renderBadge(report: Report): string {
  const context = contextOf(report);
  const { facts, language, texts, plain } = context;
  const { risk } = report;
  const score = shorten(sanitize(describeScore(context)), MAX_ANSWER_CHARACTERS);
  const address = shorten(sanitize(report.ip), MAX_ADDRESS_CHARACTERS);
  const confidence = plain.field(texts.labels.confidence, describeSureness(context));
  return renderSvg({
    language,
    subject: plain.badge,
    answer: score.replace("/100", ""),
    title: texts.joinDetails([plain.field(`${plain.badge} ${address}`, score), confidence]),
    colour: facts.isThin || !facts.isScored ? UNKNOWN_COLOUR : BAND_COLOURS[risk.level],
  });
}

/** Renders the badge of an address without a stored report. It says "unknown" and nothing about the address. */
export function renderUnknownBadge(ip: string, language: Language): string {
  return renderAnswer(ip, language, reportTextsOf(language).usages.unknown);
}

/** Renders the badge of a caller whose address is not public. It has no score. */
export function renderNotPublicBadge(ip: string, language: Language): string {
  return renderAnswer(ip, language, plainTextsOf(language).notPublic);
}

function renderAnswer(ip: string, language: Language, answer: string): string {
  const { badge: subject, field } = plainTextsOf(language);
  const title = field(`${subject} ${ip}`, answer);
  return renderSvg({ language, subject, answer, title, colour: UNKNOWN_COLOUR });
}

function renderSvg({ language, subject, answer, title, colour }: BadgeParts): string {
  const left = widthOf(subject);
  const right = Math.ceil(widthOf(answer) * BOLD);
  const split = left + 2 * PADDING;
  const whole = split + right + 2 * PADDING;
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${whole}" height="${HEIGHT}" viewBox="0 0 ${whole} ${HEIGHT}" role="img" aria-labelledby="t" xml:lang="${languageTagOf(language)}"><title id="t">${title}</title><rect width="${split}" height="${HEIGHT}" fill="${SUBJECT_COLOUR}"/><rect x="${split}" width="${whole - split}" height="${HEIGHT}" fill="${colour}"/><g fill="#fff" font-family="Verdana,DejaVu Sans,Noto Sans CJK SC,PingFang SC,Microsoft YaHei,sans-serif" font-size="11"><text x="${PADDING}" y="${BASELINE}" textLength="${left}">${subject}</text><text x="${split + PADDING}" y="${BASELINE}" textLength="${right}" font-weight="700">${answer}</text></g></svg>
`.toString();
}

function shorten(text: string, maxCharacters: number): string {
  const characters = [...text];
  return characters.length <= maxCharacters ? text : `${characters.slice(0, maxCharacters).join("")}...`;
}

/** Estimates the width of a text at 11 px, rounded up to a pixel. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text) {
    const pixels = WIDTHS.find(([kind]) => kind.test(character))?.[1] ?? 0;
    width += displayWidth(character) === 2 ? 11 : pixels;
  }
  return Math.ceil(width);
}
