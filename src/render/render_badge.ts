import { plainWordsOf, wordsOf } from "#locale";
import type { Band, Report } from "#report";
import { drawBadge } from "./draw_badge.ts";
import { neutralise } from "./neutralise.ts";

/** Behind white text, contrast 4.5 or more each (WCAG 2.2, 1.4.3). */
const COLOURS: Readonly<Record<Band, string>> = {
  pristine: "#116329",
  clean: "#1a7f37",
  neutral: "#57606a",
  suspicious: "#8a5a00",
  risky: "#b54708",
  dangerous: "#b42318",
};

const LONGEST = 24;

/**
 * The band and the purity as a flat SVG badge for embedding, in the report's language (`lang` absent = Chinese),
 * under 2 kB, without script, style or reference: its `title` tells the same to those who cannot see it, with the
 * confidence. The text is fitted to its box, whatever face it is drawn in.
 */
export function renderBadge(report: Report): string {
  const language = report.lang ?? "zh";
  const texts = wordsOf(language);
  const plain = plainWordsOf(language);
  const { risk } = report;
  const subject = plain.badge;
  const answer = `${risk.purity} ${clip(neutralise(risk.label))}`;
  const confidence = plain.pair(texts.headings.confidence, texts.confidences[risk.confidence]);
  const title = texts.bracket(
    plain.pair(
      `${subject} ${clip(neutralise(report.ip), 45)}`,
      `${risk.purity}/100 ${clip(neutralise(risk.label))}`,
    ),
    confidence,
  );
  return drawBadge({ language, subject, answer, title, colour: COLOURS[risk.level] }).toString();
}

function clip(text: string, longest = LONGEST): string {
  const characters = [...text];
  return characters.length <= longest ? text : `${characters.slice(0, longest).join("")}...`;
}
