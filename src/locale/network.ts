import en from "./en/network.json" with { type: "json" };
import { fill, forLanguages, type Values } from "./fill.ts";
import zh from "./zh/network.json" with { type: "json" };

/** Texts about the network of a prefix or of an AS. */
export type NetworkTexts = ReturnType<typeof makeNetworkTexts>;

/** Returns the texts about the network of a prefix or of an AS. */
export const networkTextsOf = forLanguages(en, zh, makeNetworkTexts);

function makeNetworkTexts(texts: typeof en) {
  return {
    ...texts,
    /** Fills the placeholders of a text. */
    say: (
      name: { [Key in keyof typeof en]: (typeof en)[Key] extends string ? Key : never }[keyof typeof en],
      values: Values,
    ) => fill(texts[name], values),
  };
}
