import type { Flag, NativeType, UsageType } from "#report";
import en from "./en/cards.json" with { type: "json" };
import { fill, forLanguages } from "./fill.ts";
import zh from "./zh/cards.json" with { type: "json" };

/** The words of the headline, shorter than those of the report; "" for a fact that the headline leaves out. */
interface Names {
  readonly usages: Readonly<Record<UsageType, string>>;
  readonly natives: Readonly<Record<NativeType, string>>;
  readonly flags: Readonly<Record<Exclude<Flag, "isBogon" | "isMobile">, string>>;
}

/** Short texts of the share cards. Their fonts have only the ideographs of the Chinese texts. */
export type CardTexts = ReturnType<typeof makeCardTexts>;

/** Returns the texts of the share cards. */
export const cardTextsOf = forLanguages(en, zh, makeCardTexts);

function makeCardTexts(texts: typeof en & Names) {
  return {
    ...texts,
    lists: (count: number) => fill(texts.lists, { count }),
    vulns: (count: number) => fill(texts.vulns, { count }),
    /** The coverage in percent. */
    coverage: (percent: number) => fill(texts.coverage, { percent }),
    listed: (listed: number, notListed: number, unavailable: number) =>
      `${fill(texts.listed, { listed, notListed })}${unavailable === 0 ? "" : fill(texts.listedUnknown, { unavailable })}`,
    /** The purity that 95 % of such addresses reach with all evidence. */
    usually: (low: number) => fill(texts.usually, { low }),
    tablesOnly: (count: number) => fill(texts.tablesOnly, { count }),
    /** Text for those who do not see the card of a report or of a page. */
    alt: (ip: string, score: string) => fill(texts.alt, { ip, score }),
  };
}
