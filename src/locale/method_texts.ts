import type { Method, MethodAccuracy, MethodRule, SourceKind } from "#report";
import type { ChangeId, FactorId } from "#scoring";

/** Rows of the table of use cases, beside the usage types. */
export type MethodReading =
  | "tor"
  | "proxy"
  | "vpn"
  | "relay"
  | "broadcast"
  | "lists"
  | "policy"
  | "abuse"
  | "shared"
  | "needs";

/** Texts of the page that documents the scoring method. Every number comes from the method itself. */
export interface MethodTexts {
  readonly title: string;
  /** Text of the link to the page. */
  readonly link: string;
  readonly version: (version: number) => string;
  readonly description: string;
  readonly lead: readonly ((method: Method) => string)[];
  readonly contents: string;
  readonly exampleTitle: string;
  readonly exampleLead: string;
  /** Why a deduction of the example has its points: two providers, one provider, a list of one provider. */
  readonly exampleWhy: Readonly<Record<"full" | "lone" | "list", string>>;
  /** Title of a folded table with its details. */
  readonly table: string;
  readonly more: string;
  readonly olderVersions: string;
  readonly rulesTitle: string;
  readonly rulesLead: string;
  /** What the rule looks at. */
  readonly rules: Readonly<Record<FactorId, string>>;
  readonly points: (points: number) => string;
  readonly pointsBack: (points: number) => string;
  readonly floor: (floor: number) => string;
  readonly cap: (cap: number) => string;
  readonly share: (share: number) => string;
  readonly least: (points: number) => string;
  readonly counted: (counted: NonNullable<MethodRule["counted"]>) => string;
  /** A step of a rule: from which amount on, and how many points. */
  readonly step: (from: number, points: number, measure: string) => string;
  readonly measures: Readonly<Partial<Record<FactorId, string>>>;
  readonly weighingTitle: string;
  readonly weighing: readonly ((method: Method) => string)[];
  readonly bandsTitle: string;
  readonly confidenceTitle: string;
  readonly confidence: readonly ((method: Method, evidenceKinds: readonly string[]) => string)[];
  readonly evidenceKinds: Readonly<Record<string, string>>;
  readonly rangeTitle: string;
  readonly range: readonly ((method: Method) => string)[];
  readonly kindOfAddress: string;
  /** What can be known about an address, beside its kind of network. */
  readonly rangeKinds: Readonly<Record<"tor" | "vpn" | "listed", string>>;
  /** Head of the column for all kinds of evidence together. */
  readonly together: string;
  readonly scenariosTitle: string;
  readonly scenarios: readonly ((method: Method) => string)[];
  readonly reading: string;
  readonly readings: Readonly<Record<MethodReading, string>>;
  readonly levelsTitle: string;
  readonly regionsTitle: string;
  readonly regions: readonly ((method: Method) => string)[];
  readonly vendor: string;
  readonly use: string;
  /** Head of the column with the date of the list. */
  readonly listed: string;
  readonly unsupported: string;
  readonly unclear: string;
  readonly none: string;
  readonly accuracyTitle: string;
  readonly accuracyLead: (accuracy: MethodAccuracy) => string;
  readonly notMeasurable: readonly string[];
  readonly ownMeasurement: (accuracy: MethodAccuracy) => string;
  readonly independent: (accuracy: MethodAccuracy) => string;
  readonly measuredItem: string;
  readonly found: string;
  readonly rightWhenSaid: string;
  readonly falseAlarms: string;
  readonly bandsAreBad: string;
  readonly isBad: string;
  readonly sourcesAgree: string;
  readonly isTrue: string;
  readonly calibration: (error: number) => string;
  readonly rows: string;
  readonly byTables: string;
  readonly byLists: string;
  /** Measured words that no other table names. */
  readonly accuracyItems: Readonly<Record<string, string>>;
  /** By id of an independent figure. */
  readonly independentItems: Readonly<Record<string, string>>;
  readonly sourcesTitle: string;
  readonly sources: string;
  readonly family: string;
  readonly members: string;
  readonly covers: string;
  readonly kinds: Readonly<Record<SourceKind, string>>;
  readonly changesTitle: string;
  readonly changes: Readonly<Record<ChangeId, string>>;
}
