import type { Rule } from "../rule.ts";
import { countLists } from "../weighing.ts";
import { WEIGHTS } from "../weights.ts";

/** Minimum number of families that must agree. */
const MIN_AGREEMENT = 2;

/**
 * Several families classify the address as a home line, and at least one of them states it. No source classifies it as
 * an exit, and no list accuses it.
 */
export const residentialAgreement: Rule = {
  id: "residential_agreement",
  category: "relief",
  judge: (evidence) => {
    const { usage, flags } = evidence;
    const isExit = [flags.isProxy, flags.isVpn, flags.isTor].some((flag) => flag.value);
    if (usage.type !== "residential" || usage.agreement < MIN_AGREEMENT || usage.stated === 0 || isExit)
      return undefined;
    if (countLists(evidence).accusing.length > 0) return undefined;
    return { ...WEIGHTS.residential_agreement, data: { families: usage.families } };
  },
};
