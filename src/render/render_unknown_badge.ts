import { plainWordsOf, wordsOf } from "#locale";
import type { Language } from "#report";
import { drawBadge } from "./draw_badge.ts";

/** Of no band, so that it is taken for none. */
const GREY = "#57606a";

/** The badge of an address of which no report is stored: it says that, and nothing of the address. */
export function renderUnknownBadge(ip: string, language: Language): string {
  const plain = plainWordsOf(language);
  const answer = wordsOf(language).usages.unknown;
  const title = plain.pair(`${plain.badge} ${ip}`, answer);
  return drawBadge({ language, subject: plain.badge, answer, title, colour: GREY }).toString();
}
