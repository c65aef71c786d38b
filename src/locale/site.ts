import type { ScenarioId } from "#report";
import en from "./en/site.json" with { type: "json" };
import { fill, forLanguages } from "./fill.ts";
import zh from "./zh/site.json" with { type: "json" };

/** Texts of the home page, the comparison and the error pages, beside those in `PageTexts`. */
export type SiteTexts = ReturnType<typeof makeSiteTexts>;

/** Returns the texts of the home page, the comparison and the error pages, beside those of all pages. */
export const siteTextsOf = forLanguages(en, zh, makeSiteTexts);

// `uses` are the shortest names of the use cases: the comparison has ten columns.
function makeSiteTexts(texts: typeof en & { readonly uses: Readonly<Record<ScenarioId, string>> }) {
  return {
    ...texts,
    special: (ip: string, note: string) => fill(texts.special, { ip, note }),
    winner: ({ ip, purity, uses }: { readonly ip: string; readonly purity: number; readonly uses: number }) =>
      fill(texts.winner, { ip, purity, best: uses === 0 ? "" : fill(texts.winnerUses, { uses }) }),
    tie: (addresses: readonly string[], purity: number) =>
      fill(texts.tie, { addresses: addresses.join(texts.and), purity }),
    listedOf: (listed: number, answered: number) => fill(texts.listedOf, { listed, answered }),
    unknownLists: (count: number) => fill(texts.unknownLists, { count }),
  };
}
