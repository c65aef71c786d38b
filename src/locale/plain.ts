import type { Language, ReportFacts } from "#report";
import { BAND_THRESHOLDS, LEVEL_THRESHOLDS } from "#scoring";
import en from "./en/plain.json" with { type: "json" };
import { fill, forLanguages } from "./fill.ts";
import { reportTextsOf } from "./report.ts";
import zh from "./zh/plain.json" with { type: "json" };

/** Returns the texts that only the text, terminal and Markdown formats need. */
export const plainTextsOf = forLanguages(en, zh, makePlainTexts);

type TextWithValue = Exclude<keyof typeof en, "places" | "terms">;

function makePlainTexts(texts: typeof en, language: Language) {
  const report = reportTextsOf(language);
  const names = { ...report.bands, ...report.levels };
  const nameStep = ([id, from]: readonly [keyof typeof names, number]) =>
    fill(from === 0 ? texts.bandBelow : texts.bandFrom, { band: names[id].toLowerCase(), from });
  const bands = report.joinDetails(BAND_THRESHOLDS.map(nameStep));
  const levels = report.joinDetails(LEVEL_THRESHOLDS.map(nameStep));
  return {
    ...texts,
    /** A name and its value on one line. */
    field: (name: string, value: string) => fill(texts.field, { name, value }),
    /** One of the other texts with a value in it. */
    say: (text: TextWithValue, value: string | number) => fill(texts[text], { value }),
    /** The average of the ratings by visitors, with one decimal, and how many they are. */
    rating: (average: string, count: number) => fill(texts.rating, { average, count }),
    /** The command for what is at a URL. A quote would end the argument of a shell. */
    moved: (url: string) => fill(texts.moved, { url: url.replaceAll("'", "%27") }),
    /** Where the page, the whole report and the terminal report in the other language are. */
    listPlaces: (urls: Readonly<Record<"page" | "terminal" | "other", string>>) =>
      texts.places.map(({ name, place }) => [name, fill(place, urls)] as const),
    /** Terms of the report with their meanings, those of the low end only where it is stated. */
    listTerms: (facts: ReportFacts) =>
      texts.terms.map(({ term, meaning, low = "" }) => {
        const whole = facts.hasLow && facts.low > 0 ? meaning + low : meaning;
        return [term, fill(whole, { bands, levels })] as const;
      }),
  };
}
