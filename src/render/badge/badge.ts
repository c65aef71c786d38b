import { capitalize, cardTextsOf, plainTextsOf, reportTextsOf } from "#locale";
import type { Band, Language, Report } from "#report";
import { displayWidth, sanitize } from "../characters.ts";
import COLOURS from "../colours.json" with { type: "json" };
import { html } from "../html/html.ts";
import { languageTagOf } from "../paths.ts";
import { contextOf } from "../report_context.ts";
import { DOT, describeLowEnd, describeScore, describeSureness } from "../report_fields.ts";
import { countSources } from "../source_groups.ts";
import widths from "./widths.json" with { type: "json" };

// The colours of the share cards: white text on each has a contrast of 6 or more (WCAG 2.2, 1.4.3).
const BAND_COLOURS: Readonly<Record<Band, string>> = COLOURS.card;
const UNKNOWN_COLOUR = "#57606a";
const SUBJECT_COLOUR = "#3b4048";
/** Of what makes the score less sure: quieter than the score. Its text is black. */
const WARNING_COLOUR = "#e8e0cc";

const MAX_ANSWER_CHARACTERS = 48;
const MAX_ADDRESS_CHARACTERS = 45;

const HEIGHT = 20;
const PADDING = 6;
const BASELINE = 14;
const FONT_SIZE = 11;
/** Widths in DejaVu Sans, which has those of Verdana, in thousandths of the font size. Another letter has about `OTHER`. */
const WIDTHS: Readonly<Record<"regular" | "bold", Readonly<Record<string, number>>>> = widths;
const OTHER = 700;
const IDEOGRAPH = 1000;

/**
 * Renders the purity and the band as a flat SVG badge for embedding: under 2 kB, without script, style or reference. Old
 * data, sources that failed or the low end of the purity follow the band. A thin report and an address without a score are
 * grey. Its title also names the address and the confidence. The language is that of the report (no `lang` means Chinese).
 */
export function renderBadge(report: Report): string {
  const context = contextOf(report);
  const { facts, language, texts, plain, card } = context;
  const { flags, risk } = report;
  const score = shorten(sanitize(describeScore(context)), MAX_ANSWER_CHARACTERS);
  const address = shorten(sanitize(report.ip), MAX_ADDRESS_CHARACTERS);
  const confidence = plain.field(texts.labels.confidence, describeSureness(context)).toLowerCase();
  const isVague = facts.isThin || !facts.isScored;
  const { failed } = countSources(context);
  const old = card.staleOf(report.queriedAt.slice(0, 10));
  // The low end says by itself that data is missing.
  const doubts = [
    report.stale && [old, old],
    !isVague && failed > 0 && [facts.hasLow ? "" : card.incomplete, plain.say("failed", failed)],
    !isVague && facts.hasLow && [card.could(facts.low), describeLowEnd(context)],
  ].filter((doubt) => doubt !== false);
  const marks = doubts.flatMap(([mark = ""]) => (mark === "" ? [] : [mark])).join(DOT);
  const reasons = doubts.map(([, reason = ""]) => reason);
  const answer = flags.isBogon ? capitalize(texts.labels.noScore) : score.replace("/100", "");
  const title = texts.joinDetails([plain.field(`${plain.badge} ${address}`, score), ...reasons, confidence]);
  const colour = isVague ? UNKNOWN_COLOUR : BAND_COLOURS[risk.level];
  return renderSvg(language, title, [plain.badge, answer, capitalize(marks)], colour);
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
  const noScore = capitalize(labels.noScore);
  const said = { unknown, special: noScore, notPublic, invalid }[answer];
  const whole = answer === "special" ? withDetail(flags.isBogon, labels.noScore) : said;
  const title = field(`${badge} ${shorten(sanitize(subject), MAX_ADDRESS_CHARACTERS)}`, whole);
  return renderSvg(language, title, [badge, said], UNKNOWN_COLOUR);
}

/** Draws the subject, the answer on `colour`, and marks, which may be missing. `title` is for people who cannot see it. */
function renderSvg(language: Language, title: string, texts: readonly string[], colour: string): string {
  let whole = 0;
  const parts = texts
    .filter((text) => text !== "")
    .map((text, index) => {
      const width = widthOf(text, index === 0 ? "regular" : "bold") + 2 * PADDING;
      whole += width;
      const look = [undefined, html` font-weight="700"`, html` font-weight="700" fill="#000"`][index];
      return {
        ground: html`<rect x="${whole - width}" width="${width}" height="${HEIGHT}" fill="${[SUBJECT_COLOUR, colour, WARNING_COLOUR][index]}"/>`,
        letters: html`<text x="${whole - width / 2}" y="${BASELINE}"${look}>${text}</text>`,
      };
    });
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${whole}" height="${HEIGHT}" viewBox="0 0 ${whole} ${HEIGHT}" role="img" aria-labelledby="t" xml:lang="${languageTagOf(language)}"><title id="t">${title}</title><g clip-path="inset(0 round 3px)">${parts.map(({ ground }) => ground)}</g><g fill="#fff" font-family="Verdana,DejaVu Sans,Noto Sans CJK SC,PingFang SC,Microsoft YaHei,sans-serif" font-size="${FONT_SIZE}" text-anchor="middle">${parts.map(({ letters }) => letters)}</g></svg>
`.toString();
}

function shorten(text: string, maxCharacters: number): string {
  const characters = [...text];
  return characters.length <= maxCharacters ? text : `${characters.slice(0, maxCharacters).join("")}...`;
}

/** The width of a text, rounded up to a pixel. */
function widthOf(text: string, weight: keyof typeof WIDTHS): number {
  let width = 0;
  for (const one of text) width += displayWidth(one) === 2 ? IDEOGRAPH : (WIDTHS[weight][one] ?? OTHER);
  return Math.ceil((width * FONT_SIZE) / 1000);
}
