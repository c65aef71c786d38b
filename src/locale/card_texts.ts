import type { Flag, NativeType, UsageType } from "#report";

/** Short texts of the share cards. Their fonts have only the ideographs of the Chinese texts. */
export interface CardTexts {
  readonly title: string;
  /** The words of the headline, shorter than those of the report; "" for a fact that the headline leaves out. */
  readonly usages: Readonly<Record<UsageType, string>>;
  readonly natives: Readonly<Record<NativeType, string>>;
  readonly flags: Readonly<Record<Exclude<Flag, "isBogon" | "isMobile">, string>>;
  readonly lists: (count: number) => string;
  readonly vulns: (count: number) => string;
  /** A headline without any fact. */
  readonly nothingKnown: string;
  readonly type: string;
  readonly country: string;
  readonly network: string;
  readonly flagged: string;
  readonly blocklists: string;
  readonly noFlags: string;
  /** The coverage in percent. */
  readonly coverage: (percent: number) => string;
  readonly listed: (listed: number, notListed: number, unavailable: number) => string;
  readonly noLists: string;
  readonly unknown: string;
  readonly notSurveyed: string;
  readonly notSurveyedHint: string;
  readonly tablesOnly: (count: number) => string;
  readonly special: string;
  readonly homeTitle: string;
  readonly homeLines: readonly string[];
  readonly methodTitle: string;
  readonly methodLines: readonly string[];
  /** Text for those who do not see the card of a report or of a page. */
  readonly alt: (ip: string, score: string) => string;
}
