import type { Band, CoveredKind, ScenarioId, ScenarioLevel, SourceKind, UsageType } from "./vocabulary.ts";

/** Points for a measure that reaches a threshold. Steps are ordered from the highest. */
export interface Step {
  readonly from: number;
  readonly points: number;
}

/**
 * One rule of the score with all its numbers. Points are risk; negative points reduce it. `cap` limits its whole category;
 * `share` is the part of other points it gives back.
 */
export interface MethodRule {
  readonly id: string;
  readonly category: string;
  readonly points?: number;
  /** Minimum risk that nothing offsets. It needs two families or one authority. */
  readonly floor?: number;
  readonly steps?: readonly Step[];
  /** Points that the factor has at least, and that no relief takes away. */
  readonly least?: number;
  readonly cap?: number;
  readonly share?: number;
  /**
   * The points above 50 count in part below a coverage of `enough`, and for `least` at 0. The purity is at most `most`
   * there.
   */
  readonly counted?: { readonly least: number; readonly enough: number; readonly most: number };
}

/** The points that every finding deducts from 100 in one use case. Anonymity counts half when only one family reports it. */
export interface MethodScenario {
  readonly id: ScenarioId;
  readonly usage: Readonly<Record<UsageType, number>>;
  readonly tor: number;
  readonly proxy: number;
  readonly vpn: number;
  readonly relay: number;
  readonly broadcast: number;
  /** On lists of one, two, or three and more families that accuse the address. */
  readonly lists: readonly [number, number, number];
  /** On a list of end-user space that should not send mail. */
  readonly policy: number;
  readonly nameless: number;
  /** At the cap of abuse points; proportional below it. */
  readonly abuse: number;
  /** At the highest step of devices on the address, half at a lower step, nothing on mobile lines. */
  readonly shared: number;
  /** The category of evidence that this use case needs for a high score. */
  readonly needs: "anonymity" | "lists";
}

/**
 * The regions that one vendor publishes at `url`. `asOf` is the date of the list that was read (YYYY-MM-DD); countries are
 * ISO 3166-1 alpha-2 codes.
 */
export interface MethodVendor {
  readonly use: ScenarioId;
  readonly name: string;
  readonly url: string;
  readonly asOf: string;
  readonly unsupported: readonly string[];
  readonly unclear: readonly string[];
}

/** One source as the method shows it. `matters` are the categories of evidence that it covers. */
export interface MethodSource {
  readonly name: string;
  readonly family: string;
  readonly kind: SourceKind;
  readonly matters: readonly string[];
  /** Share in coverage. */
  readonly weight: number;
}

/** A share of counted rows with its 95 % interval. */
export interface Share {
  readonly hits: number;
  readonly of: number;
  readonly share: number;
  readonly low: number;
  readonly high: number;
}

/** How often one flag or usage type is right. `alarms`: said where it is not true. */
export interface Rate {
  readonly id: string;
  readonly recall: Share;
  readonly precision: Share;
  readonly alarms: Share;
}

/** How right the verdicts are, on addresses whose truth is known. */
export interface Accuracy {
  readonly rows: number;
  readonly flags: readonly Rate[];
  readonly types: readonly Rate[];
  /** By band of purity: the share that is an exit or listed. */
  readonly bands: readonly { readonly band: Band; readonly bad: Share }[];
  /** By number of sources that agree on a kind of exit (3 = 3 and more): the share that is true. */
  readonly agreement: readonly { readonly sources: number; readonly right: Share }[];
  /** Mean distance of 100 − purity from the percentage that is bad, over ten parts of the scale, by rows. 0 to 1. */
  readonly calibrationError: number;
}

/** What was measured on the labelled sets, and the figures of others on rows that the project does not have. */
export interface MethodAccuracy {
  readonly date: string;
  readonly version: string;
  /** With all that ships, on sets that do not ship. */
  readonly shipped: readonly { readonly id: string; readonly rows: number; readonly tables: string }[];
  /** Rows that lie in a list that ships are left out. */
  readonly sets: readonly { readonly id: string; readonly rows: number; readonly leftOut: number }[];
  readonly measured: Accuracy;
  /** Types of labelled host names: all, and those of operators that our own table does not name, in percent. */
  readonly hostNames: Record<"all" | "newOperators", Record<"rows" | "right" | "wrong", number>>;
  readonly independent: {
    readonly date: string;
    readonly version: string;
    /** Shares as they were given, with the tables alone and with lists downloaded. "-" = not measured. */
    readonly rows: readonly {
      readonly id: string;
      readonly rows: number;
      readonly tables: string;
      readonly lists: string;
    }[];
  };
}

/** One version of the scoring. `changes` are ids of changes that the texts describe. `date` is YYYY-MM-DD. */
export interface MethodVersion {
  readonly version: number;
  readonly date: string;
  readonly changes: readonly string[];
}

/** The whole method as plain data, from which the public page is made. */
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
  /** What a further list of one family counts, as a part of a list of another family. */
  readonly furtherList: number;
  /** Accusations of sources that no longer answer: their half-life, and the days after which they are dropped. */
  readonly carried: { readonly halfLifeDays: number; readonly days: number };
  /**
   * Parts of the weight that must have answered: of the usable weight, in all and of each kind that may accuse, for high
   * confidence, and of the sources turned on for medium. Old data counts for `ageing` of its weight. Lists count as
   * answered when one in `listsOneIn` answered.
   */
  readonly confidence: {
    readonly high: number;
    readonly medium: number;
    readonly core: readonly string[];
    readonly listsOneIn: number;
    readonly ageing: number;
  };
  /**
   * The points that missing evidence can still deduct, by what is known about the address, else its kind of network, and
   * by kind of evidence. `total` = all kinds together.
   */
  readonly range: Readonly<
    Record<"tor" | "vpn" | "listed" | UsageType, Readonly<Record<CoveredKind | "total", number>>>
  >;
  readonly scenarios: readonly MethodScenario[];
  /** The highest score of a use case without core evidence, without the evidence it needs, or with a doubtful region. */
  readonly maxScores: {
    readonly withoutCore: number;
    readonly withoutNeeded: number;
    readonly regionPartial: number;
    readonly regionUnclear: number;
  };
  /** The points that a botnet controller or criminal netblock deducts in every use case. */
  readonly criticalListing: number;
  readonly regions: readonly MethodVendor[];
  readonly accuracy: MethodAccuracy;
  readonly sources: readonly MethodSource[];
  /** Newest first. */
  readonly versions: readonly MethodVersion[];
}
