import { countLists } from "../count_lists.ts";
import type { Rule } from "../rule.ts";
import { WEIGHTS } from "../weights.ts";

/** How many families make an agreement. */
const ENOUGH = 2;

/** Several families, at least one of them in so many words, take it for a home line, and nobody for an exit or an abuser. */
export const residentialAgreement: Rule = {
  id: "residential_agreement",
  category: "relief",
  judge: (evidence) => {
    const { usage, flags } = evidence;
    const isExit = [flags.isProxy, flags.isVpn, flags.isTor].some((flag) => flag.value);
    if (usage.type !== "residential" || usage.agreement < ENOUGH || usage.stated === 0 || isExit)
      return undefined;
    if (countLists(evidence).accusing.length > 0) return undefined;
    return { ...WEIGHTS.residential_agreement, data: { families: usage.families } };
  },
};
