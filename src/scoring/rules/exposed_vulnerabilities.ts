import { type Rule, readSteps } from "../rule.ts";
import { WEIGHTS } from "../weights.ts";

/** Known vulnerabilities that public scans found. Scanners infer them from versions, so they weigh little. */
export const exposedVulnerabilities: Rule = {
  id: "exposed_vulnerabilities",
  category: "exposure",
  judge: ({ exposure }) => {
    const count = new Set(exposure?.vulns ?? []).size;
    const points = readSteps(WEIGHTS.exposed_vulnerabilities.steps, count);
    return points === 0 ? undefined : { points, data: { count } };
  },
};
