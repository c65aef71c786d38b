import { type Rule, readSteps } from "../rule.ts";
import { WEIGHTS } from "../weights.ts";
import { isMobileLine } from "./shared_line_relief.ts";

/** Many devices on one address. It costs nothing on mobile lines, where it is normal, and on public services. */
export const sharedAddress: Rule = {
  id: "shared_address",
  category: "sharing",
  judge: (evidence) => {
    const address = evidence.sharing?.address ?? 0;
    const points = readSteps(WEIGHTS.shared_address.steps, address);
    if (points === 0 || isMobileLine(evidence) || evidence.infrastructure !== undefined) return undefined;
    return { points, data: { address } };
  },
};
