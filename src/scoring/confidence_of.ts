import type { Evidence, EvidenceCategory } from "#evidence";
import type { Confidence } from "#report";
import { isCoreHeard } from "./is_core_heard.ts";
import { isHeardOn } from "./is_heard_on.ts";

/** Shares of the planned weight that must be heard, and the matters without which a score does not rest on enough. */
export const CONFIDENCE_CUTS: {
  readonly high: number;
  readonly medium: number;
  readonly core: readonly EvidenceCategory[];
} = { high: 0.7, medium: 0.4, core: ["network", "anonymity", "lists", "abuse"] };

/**
 * How much was heard of what was planned. High: 70 % of the weight and every core matter, and at least
 * one list asked just now: downloads alone, each a day old, do not make "on no list" certain. Medium: 40 % and
 * anonymity or lists. Low otherwise, and always when no live source was heard. A failure can only lower it.
 */
export function confidenceOf(evidence: Evidence): Confidence {
  const {
    expectedWeight: planned,
    answeredWeight: heard,
    liveAnswered: liveHeard,
    liveListsAnswered: liveListsHeard,
  } = evidence.coverage;
  if (liveHeard === 0 || planned <= 0) return "low";
  const share = heard / planned;
  if (
    share >= CONFIDENCE_CUTS.high &&
    liveListsHeard > 0 &&
    CONFIDENCE_CUTS.core.every((matter) => isHeardOn(evidence, matter))
  )
    return "high";
  return share >= CONFIDENCE_CUTS.medium && isCoreHeard(evidence) ? "medium" : "low";
}
