import type { Evidence, EvidenceCategory } from "#evidence";
import { COVERED_KINDS, type Confidence } from "#report";

/**
 * Parts of the expected weight that must have answered; the categories that high confidence needs; and the part of the
 * weight of each kind of evidence that may accuse. `exposure` may accuse too, but not every instance asks a scanner.
 */
export const CONFIDENCE_THRESHOLDS: {
  readonly high: number;
  readonly medium: number;
  readonly core: readonly EvidenceCategory[];
  readonly kind: number;
} = { high: 0.7, medium: 0.4, core: ["network", "anonymity", "lists", "abuse"], kind: 0.5 };

/** Lists count as answered when at least one in this many of the expected lists answered. */
export const LISTS_ONE_IN = 3;

/**
 * Finds the confidence by the part of the expected evidence that is present. High: 70 % of the weight, every core
 * category, half of the weight of each kind of evidence that may accuse, no accusation that is only carried forward, and
 * at least one list asked live, because downloads can be a day old, so "on no list" is not certain.
 * Medium: 40 % of the weight, and anonymity. Low: anything less, and always without a live answer. A failure
 * can only lower the confidence.
 */
export function findConfidence(evidence: Evidence): Confidence {
  const { expectedWeight, answeredWeight, liveAnswered, liveListsAnswered } = evidence.coverage;
  if (liveAnswered === 0 || expectedWeight <= 0) return "low";
  const share = answeredWeight / expectedWeight;
  const { high, medium, core } = CONFIDENCE_THRESHOLDS;
  const isComplete =
    core.every((category) => hasAnswersOn(evidence, category)) && hasAnswersOfEveryKind(evidence);
  if (share >= high && liveListsAnswered > 0 && isComplete && evidence.carried === undefined) return "high";
  return share >= medium && hasAnswersOn(evidence, "anonymity") ? "medium" : "low";
}

/** Reports whether half of the weight was obtained of each kind of evidence for which a source is expected. */
function hasAnswersOfEveryKind({ coverage }: Evidence): boolean {
  const { obtained, expectedCategories } = coverage;
  return COVERED_KINDS.every(
    (kind) => !expectedCategories.includes(kind) || obtained[kind] >= CONFIDENCE_THRESHOLDS.kind,
  );
}

/** Reports whether there are answers on anonymity or on lists. A conclusion needs at least one of the two. */
export function hasCoreAnswers(evidence: Evidence): boolean {
  return hasAnswersOn(evidence, "anonymity") || hasAnswersOn(evidence, "lists");
}

/**
 * Reports whether there are enough answers in a category. Lists need a third of those that were expected: "on no list"
 * from one small list would be misleading.
 */
export function hasAnswersOn({ coverage, listings }: Evidence, category: EvidenceCategory): boolean {
  if (!coverage.answeredCategories.includes(category)) return false;
  if (category !== "lists") return true;
  let answered = 0;
  for (const listing of listings) if (listing.answered) answered += 1;
  return answered > 0 && answered * LISTS_ONE_IN >= listings.length;
}
