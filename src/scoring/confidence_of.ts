import type { Evidence, Matter } from "#evidence";
import type { Confidence } from "#report";
import { isCoreHeard } from "./is_core_heard.ts";
import { isHeardOn } from "./is_heard_on.ts";

/** Matters without which a score does not rest on enough. */
const CORE: readonly Matter[] = ["network", "anonymity", "lists", "abuse"];

/**
 * How much was heard of what was planned. High: 70 % of the weight and every core matter. Medium: 40 % and
 * anonymity or lists. Low otherwise, and always when no live source was heard. A failure can only lower it.
 */
export function confidenceOf(evidence: Evidence): Confidence {
  const { planned, heard, liveHeard } = evidence.coverage;
  if (liveHeard === 0 || planned <= 0) return "low";
  const share = heard / planned;
  if (share >= 0.7 && CORE.every((matter) => isHeardOn(evidence, matter))) return "high";
  return share >= 0.4 && isCoreHeard(evidence) ? "medium" : "low";
}
