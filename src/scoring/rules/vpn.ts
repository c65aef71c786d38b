import type { Rule } from "../rule.ts";
import { weighFlag } from "../weighing.ts";
import { WEIGHTS } from "../weights.ts";

/** The exit of a VPN. The data names the operator where it is known. */
export const vpn: Rule = {
  id: "vpn",
  category: "anonymity",
  judge: (evidence) => {
    const finding = weighFlag(evidence, "isVpn", WEIGHTS.vpn);
    if (finding === undefined || evidence.vpn === undefined) return finding;
    return { ...finding, data: { ...finding.data, operator: evidence.vpn.name } };
  },
};
