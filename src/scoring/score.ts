import type { Evidence } from "#evidence";
import type { Assessment, Band, Confidence, Factor, Saying } from "#report";
import { bandOf } from "./band_of.ts";
import { confidenceOf } from "./confidence_of.ts";
import { findNote } from "./find_note.ts";
import { findVerdict } from "./find_verdict.ts";
import type { UnknownId } from "./ids.ts";
import { judgeScenarios } from "./judge_scenarios.ts";
import { makeBill } from "./make_bill.ts";
import { purityOf } from "./purity_of.ts";

/** The score alone. `factors` add up to `purity` exactly (see {@link purityOf}). */
export interface Judgement {
  readonly purity: number;
  readonly band: Band;
  readonly confidence: Confidence;
  readonly factors: readonly Factor[];
}

/** What the evidence means. */
export interface Score extends Judgement {
  readonly verdict: Saying;
  readonly scenarios: Assessment["scenarios"];
  /** Why uses do not apply; absent where they do. */
  readonly note?: Saying;
  readonly unknowns: readonly Saying[];
}

const ALWAYS_UNKNOWN: readonly UnknownId[] = [
  "platform_labels",
  "exclusivity",
  "linked_accounts",
  "device_and_behaviour",
  "profile_match",
];

/** The first step of {@link score}, for whoever wants no more. Pure. */
export function judge(evidence: Evidence): Judgement {
  const factors = makeBill(evidence);
  const purity = purityOf(factors);
  const confidence = evidence.special === undefined ? confidenceOf(evidence) : "low";
  return { purity, band: bandOf(purity), confidence, factors };
}

/** Judges the evidence by rules and weights of `SCORING_VERSION`. Pure: the same evidence gives the same score. */
export function score(evidence: Evidence): Score {
  const judgement = judge(evidence);
  const { factors, confidence } = judgement;
  const note = findNote(evidence);
  const { unanswered: unheard } = evidence.coverage;
  return {
    ...judgement,
    verdict: findVerdict(evidence, factors, confidence),
    scenarios: judgeScenarios(evidence, factors, note).map(({ id, score, level, reasons }) => ({
      id,
      score,
      level,
      reasons: reasons.map((reason) => ({ id: reason.id, data: copy(reason.data) })),
    })),
    ...(note === undefined ? {} : { note }),
    unknowns: [
      ...ALWAYS_UNKNOWN.map((id) => ({ id, data: {} })),
      ...(unheard.length === 0 ? [] : [{ id: "unheard_sources", data: { sources: unheard } }]),
    ],
  };
}

type StoredData = Assessment["verdict"]["data"];

/** The stored document's lists are its own. Keys are the rules' own names, so an ordinary object holds them. */
function copy(data: Saying["data"]): StoredData {
  const copied: StoredData = {};
  for (const key of Object.keys(data)) {
    const value = data[key];
    if (value !== undefined) copied[key] = typeof value === "object" ? [...value] : value;
  }
  return copied;
}
