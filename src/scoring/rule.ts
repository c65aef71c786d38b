import type { Evidence } from "#evidence";
import type { Data, Factor } from "#report";
import type { FactorCategory, FactorId } from "./ids.ts";

/** What a rule found: points of risk (negative = given back), a floor, and the facts for its sentence. */
export interface Finding {
  readonly points: number;
  readonly floor?: number;
  readonly data: Data;
}

/**
 * One line of the bill. `judge` is pure and sees the factors of the rules before it, which is how caps and
 * reliefs know what there is to take back; `undefined` = nothing to say.
 */
export interface Rule {
  readonly id: FactorId;
  readonly category: FactorCategory;
  judge(evidence: Evidence, before: readonly Factor[]): Finding | undefined;
}
