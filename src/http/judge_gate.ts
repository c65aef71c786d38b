import type { Answer } from "#lookup";
import type { ScenarioId } from "#report";

/** What decides: the score of a use, or the purity; and the least that passes. */
export interface GateRule {
  readonly scenario?: ScenarioId;
  readonly min: number;
}

/** PASS and FAIL with the score, or with the word that stands in its place. */
export interface GateVerdict {
  readonly outcome: "PASS" | "FAIL" | "UNKNOWN";
  readonly line: string;
  /** Nobody live was heard: asking again soon may help. */
  readonly isUnheard: boolean;
}

/**
 * Judges an answer for a script. Failure is never clean: what no live source stands behind, while they are asked, is
 * UNKNOWN. So is what cannot be judged: special-purpose space, and a use of an address that is nobody's exit. A region
 * where the service is not offered (`restricted`) is FAIL: that is known.
 */
export function judgeGate({ assessment, heard }: Answer, rule: GateRule, live: boolean): GateVerdict {
  if (assessment.flags.isBogon) return { outcome: "UNKNOWN", line: "UNKNOWN", isUnheard: false };
  if (live && heard === 0) return { outcome: "UNKNOWN", line: "UNKNOWN", isUnheard: true };
  const { scenario, min } = rule;
  if (scenario === undefined) return compare(assessment.purity, min);
  const judged = assessment.scenarios.find(({ id }) => id === scenario);
  if (judged?.level === "restricted") return { outcome: "FAIL", line: "FAIL restricted", isUnheard: false };
  if (judged === undefined || judged.score === null || judged.level === "not_applicable") {
    return { outcome: "UNKNOWN", line: "UNKNOWN", isUnheard: false };
  }
  return compare(judged.score, min);
}

function compare(score: number, min: number): GateVerdict {
  const outcome = score >= min ? "PASS" : "FAIL";
  return { outcome, line: `${outcome} ${score}`, isUnheard: false };
}
