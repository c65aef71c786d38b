import type { Method, SourceKind } from "#report";
import type { ChangeId, FactorId } from "#scoring";

/** Readings of the table of uses that are no usage type. */
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

/** Every word of the page that tells the method, in one language. Numbers come from the method itself. */
export interface MethodTexts {
  readonly title: string;
  readonly link: string;
  /** Where to read it, on one line of text. */
  readonly at: (url: string) => string;
  readonly version: (version: number) => string;
  readonly description: string;
  readonly lead: readonly ((method: Method) => string)[];
  readonly rulesTitle: string;
  readonly rule: string;
  readonly category: string;
  readonly weight: string;
  /** What the rule looks at, in one sentence. */
  readonly rules: Readonly<Record<FactorId, string>>;
  readonly points: (points: number) => string;
  readonly back: (points: number) => string;
  /** Beside the steps: for each code, by family, that its list does not document. */
  readonly undocumented: (points: number) => string;
  readonly floor: (floor: number) => string;
  readonly cap: (cap: number) => string;
  readonly share: (share: number) => string;
  /** A step of a rule with steps: from how much on, and how many points. */
  readonly step: (from: number, points: number, measure: string) => string;
  readonly measures: Readonly<Partial<Record<FactorId, string>>>;
  readonly weighingTitle: string;
  readonly weighing: readonly ((method: Method) => string)[];
  readonly bandsTitle: string;
  readonly band: string;
  readonly from: string;
  readonly confidenceTitle: string;
  readonly confidence: readonly ((method: Method, matters: readonly string[]) => string)[];
  readonly matters: Readonly<Record<string, string>>;
  readonly scenariosTitle: string;
  readonly scenarios: readonly ((method: Method) => string)[];
  readonly reading: string;
  readonly readings: Readonly<Record<MethodReading, string>>;
  readonly levelsTitle: string;
  readonly regionsTitle: string;
  readonly regions: readonly ((method: Method) => string)[];
  readonly vendor: string;
  readonly unsupported: string;
  readonly unclear: string;
  readonly none: string;
  readonly sourcesTitle: string;
  readonly sources: string;
  readonly family: string;
  readonly members: string;
  readonly covers: string;
  readonly kinds: Readonly<Record<SourceKind, string>>;
  readonly changesTitle: string;
  readonly changes: Readonly<Record<ChangeId, string>>;
}
