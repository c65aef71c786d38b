import type { Language, ReportFacts } from "#report";
import { BAND_THRESHOLDS } from "#scoring";
import en from "./en/plain.json" with { type: "json" };
import { fill, forLanguages } from "./fill.ts";
import { reportTextsOf } from "./report.ts";
import zh from "./zh/plain.json" with { type: "json" };

/** Returns the texts that only the text, terminal and Markdown formats need. */
export const plainTextsOf = forLanguages(en, zh, makePlainTexts);

function makePlainTexts(texts: typeof en, language: Language) {
  const report = reportTextsOf(language);
  const bands = BAND_THRESHOLDS.map(([id, from]) =>
    fill(from === 0 ? texts.bandBelow : texts.bandFrom, { band: report.bands[id].toLowerCase(), from }),
  );
  return {
    ...texts,
    /** The coverage in percent: unlike the confidence it also counts the sources that are turned off. */
    coverageOfAll: (percent: number) => fill(texts.coverageOfAll, { percent }),
    /** A name and its value on one line. */
    field: (name: string, value: string) => fill(texts.field, { name, value }),
    failed: (count: number) => fill(texts.failed, { count }),
    /** One of the other texts with a value in it. */
    say: (
      text: "reasonPrefix" | "against" | "inFavour" | "allBut" | "silent" | "web" | "wholeHere",
      value: string | number,
    ) => fill(texts[text], { value }),
    /** The average of the ratings by visitors, with one decimal, and how many they are. */
    rating: (average: string, count: number) => fill(texts.rating, { average, count }),
    /** The command that prints what is at a URL. A quote would end the argument of a shell. */
    command: (text: "whole" | "moved", url: string) => fill(texts[text], { url: url.replaceAll("'", "%27") }),
    /** Terms of the report with their meanings, those of the low end only where it is stated. */
    listTerms: (facts: ReportFacts) =>
      texts.terms.map(({ term, meaning, low = "" }) => {
        const whole = facts.isScored && facts.hasLow && facts.low > 0 ? meaning + low : meaning;
        return [term, fill(whole, { bands: report.joinDetails(bands) })] as const;
      }),
  };
}
