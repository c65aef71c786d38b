import type { Rule } from "../rule.ts";
import { WEIGHTS } from "../weights.ts";
import { judgeFlag } from "./judge_flag.ts";

/** A VPN exit; the operator is named where one is known. */
export const vpn: Rule = {
  id: "vpn",
  category: "anonymity",
  judge: (evidence) => {
    const finding = judgeFlag(evidence, "isVpn", WEIGHTS.vpn);
    if (finding === undefined || evidence.vpn === undefined) return finding;
    return { ...finding, data: { ...finding.data, operator: evidence.vpn.name } };
  },
};
