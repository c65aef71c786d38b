import type { Rule } from "../rule.ts";
import { WEIGHTS } from "../weights.ts";

/** How many families make an agreement. */
const ENOUGH = 2;

/** Several families, at least one of them in so many words, take it for a home line, and nobody for an exit. */
export const residentialAgreement: Rule = {
  id: "residential_agreement",
  category: "relief",
  judge: ({ usage, flags }) => {
    const isExit = [flags.isProxy, flags.isVpn, flags.isTor].some((flag) => flag.value);
    if (usage.type !== "residential" || usage.agreement < ENOUGH || usage.said === 0 || isExit)
      return undefined;
    return { ...WEIGHTS.residential_agreement, data: { families: usage.families } };
  },
};
