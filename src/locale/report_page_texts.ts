import type { NativeType, RegionState, ScenarioId, UsageType } from "#report";

/** Short facts of the headline: those that cost points, then those in favour of the address. */
export interface HeadlineTexts {
  readonly tor: string;
  readonly proxy: string;
  readonly vpn: (operator: string | undefined) => string;
  readonly relay: string;
  readonly hosting: string;
  readonly broadcast: string;
  readonly severe: string;
  readonly botnet: string;
  readonly listed: (lists: number) => string;
  readonly reported: string;
  readonly attacks: (total: number) => string;
  readonly vulnerabilities: (count: number) => string;
  readonly ports: string;
  readonly shared: (devices: number) => string;
  readonly usageUnknown: string;
  readonly notListed: (lists: number) => string;
  readonly noExit: string;
}

/**
 * Texts of the comparison of the browser with the visitor's own address. `/static/own_profile.js` reads them and fills
 * in `{name}` placeholders.
 */
export interface ProfileTexts {
  readonly title: string;
  readonly lead: string;
  readonly limits: string;
  readonly item: string;
  readonly browser: string;
  readonly address: string;
  readonly addressIn: string;
  readonly unknown: string;
  readonly timeZone: string;
  readonly clock: string;
  readonly languages: string;
  readonly fits: string;
  readonly differs: string;
  /** The offsets or times in all zones of a country. */
  readonly spread: string;
  readonly comma: string;
  /** The clock of the device shows a time before the survey. */
  readonly behind: string;
}

/** Texts that only the page of a report needs. */
export interface ReportPageTexts {
  /** Short names of the use of a network, for labels and cells. */
  readonly usages: Readonly<Record<UsageType, string>>;
  readonly natives: Readonly<Record<NativeType, string>>;
  readonly headline: HeadlineTexts;
  readonly search: string;

  /** The coverage in percent. */
  readonly coverage: (percent: number) => string;
  readonly localTime: string;

  readonly copyAddress: string;
  readonly copyCommand: string;
  readonly copyCitation: string;
  /** What a script shows after a button was used. */
  readonly copied: string;
  readonly saveImage: string;
  readonly compareWith: string;
  readonly compareField: string;
  readonly theme: string;

  readonly scenarios: Readonly<Record<ScenarioId, string>>;
  readonly profile: ProfileTexts;
  readonly vendors: (asOf: string) => string;
  readonly regionStates: Readonly<Record<RegionState, string>>;

  readonly adjustments: string;
  readonly adjustmentsNote: string;

  readonly matrix: string;
  readonly matrixLead: (sources: number) => string;
  readonly columns: Readonly<
    Record<"source" | "usage" | "country" | "proxy" | "vpn" | "tor" | "hosting" | "list", string>
  >;
  readonly yes: string;
  readonly no: string;
  readonly silent: string;
  readonly listed: string;
  readonly lists: (count: number) => string;
  readonly conclusion: string;
  readonly agreement: (families: number) => string;
  readonly matrixHow: string;
  readonly matrixNote: string;
  readonly moreSources: (count: number) => string;
  readonly scores: string;

  readonly evidence: string;

  readonly strip: Readonly<
    Record<"answered" | "foundNothing" | "failed" | "pending" | "skipped" | "unused", string>
  >;
  readonly eachSource: string;
  readonly unusedNote: string;

  readonly bogonTitle: string;
  readonly bogonLead: string;
  readonly bogonNext: string;
  readonly bogonLink: string;

  readonly offset: (offset: string, time: string) => string;
  readonly command: string;
  /** Before links to what others publish about the address. */
  readonly further: string;
}
