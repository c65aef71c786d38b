import type { Band, ScenarioId, ScenarioLevel, SourceKind, UsageType } from "./words.ts";

/** One rule of the score with every number it has. Points are risk; negative ones are given back. */
export interface MethodRule {
  readonly id: string;
  readonly category: string;
  readonly points?: number;
  readonly floor?: number;
  readonly steps?: readonly { readonly from: number; readonly points: number }[];
  readonly cap?: number;
  readonly share?: number;
}

/** What every reading takes from 100 in one use. */
export interface MethodScenario {
  readonly id: ScenarioId;
  readonly usage: Readonly<Record<UsageType, number>>;
  readonly tor: number;
  readonly proxy: number;
  readonly vpn: number;
  readonly relay: number;
  readonly broadcast: number;
  readonly lists: readonly number[];
  readonly policy: number;
  readonly abuse: number;
  readonly shared: number;
  readonly needs: string;
}

/** One vendor's published regions, countries as ISO 3166-1 alpha-2. */
export interface MethodVendor {
  readonly name: string;
  readonly unsupported: readonly string[];
  readonly unclear: readonly string[];
}

/** One source as the method shows it. */
export interface MethodSource {
  readonly name: string;
  readonly family: string;
  readonly kind: SourceKind;
  readonly matters: readonly string[];
  /** Share in coverage. */
  readonly weight: number;
}

/** One version of the scoring; `changes` are ids of its changes, told by the texts. `date` is YYYY-MM-DD. */
export interface MethodVersion {
  readonly version: number;
  readonly date: string;
  readonly changes: readonly string[];
}

/** The whole method as plain data: what the public page is made of. */
export interface Method {
  readonly version: number;
  readonly rules: readonly MethodRule[];
  /** Lower bounds, best first. */
  readonly bands: readonly (readonly [Band, number])[];
  readonly levels: readonly (readonly [ScenarioLevel, number])[];
  readonly loneShare: number;
  readonly subnetShare: number;
  readonly halfLifeDays: number;
  readonly forgottenDays: number;
  /** Shares of the planned weight that must be heard; ageing data counts by `ageing` of its weight; one list in `listsOneIn` must be for lists to count as heard. */
  readonly confidence: {
    readonly high: number;
    readonly medium: number;
    readonly core: readonly string[];
    readonly listsOneIn: number;
    readonly ageing: number;
  };
  readonly scenarios: readonly MethodScenario[];
  /** The highest score of a use case without core evidence, without the evidence it needs, or with a doubtful region. */
  readonly maxScores: {
    readonly withoutCore: number;
    readonly withoutNeeded: number;
    readonly regionPartial: number;
    readonly regionUnclear: number;
  };
  /** What a botnet controller or criminal netblock costs every use case. */
  readonly criticalListing: number;
  readonly regions: { readonly asOf: string; readonly vendors: readonly MethodVendor[] };
  readonly sources: readonly MethodSource[];
  /** Newest first. */
  readonly versions: readonly MethodVersion[];
}
