import type { Evidence } from "#evidence";
import { isHeardOn } from "./is_heard_on.ts";

/** Whether enough was heard on either of the two matters that a conclusion rests on. */
export function isCoreHeard(evidence: Evidence): boolean {
  return isHeardOn(evidence, "anonymity") || isHeardOn(evidence, "lists");
}
