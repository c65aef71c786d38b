import { isMobileLine } from "../is_mobile_line.ts";
import { isNobodysExit } from "../is_nobodys_exit.ts";
import { readSteps } from "../read_steps.ts";
import type { Rule } from "../rule.ts";
import { WEIGHTS } from "../weights.ts";

/** Many devices behind one address. Normal on mobile lines, where it costs nothing. */
export const sharedAddress: Rule = {
  id: "shared_address",
  category: "sharing",
  judge: (evidence) => {
    const address = evidence.sharing?.address ?? 0;
    const points = readSteps(WEIGHTS.shared_address.steps, address);
    if (points === 0 || isMobileLine(evidence) || isNobodysExit(evidence)) return undefined;
    return { points, data: { address } };
  },
};
