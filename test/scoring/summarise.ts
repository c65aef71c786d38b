import type { Evidence } from "#evidence";
import { FLAGS } from "#report";
import type { Score } from "#scoring";

/** An assessment on a few lines, for people to read and to doubt. */
export function summarise(evidence: Evidence, score: Score) {
  const flags = FLAGS.filter((flag) => evidence.flags[flag].value);
  return {
    conclusion: `${score.purity} ${score.band}, confidence ${score.confidence}, verdict ${score.verdict.id}`,
    network: `${evidence.usage.type}, ${evidence.native.type}`,
    flags: flags.map((flag) => `${flag} ${evidence.flags[flag].agreement}`).join(", "),
    bill: score.factors
      .map(({ id, points, floor }) => `${id} ${points}${floor === undefined ? "" : ` floor ${floor}`}`)
      .join(", "),
    scenarios: score.scenarios.map(
      ({ id, score: points, level, reasons }) =>
        `${id} ${points ?? "-"} ${level}: ${reasons.map((reason) => reason.id).join(", ")}`,
    ),
    unheard: score.unknowns.some((unknown) => unknown.id === "unheard_sources"),
  };
}
