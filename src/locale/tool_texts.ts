/** The limits in force, what one comparison may hold, and what this client has left of its open day. */
export interface ToolLimits {
  readonly lookupsPerMinute: number;
  readonly newPerMinute: number;
  readonly openPerDay: number;
  readonly openPerMinute: number;
  readonly addressesPerComparison: number;
  readonly openLeft: number;
}

/** Words of what the tools for models answer, beside those of the text report. */
export interface ToolTexts {
  /** Which sources were asked and not heard: names, each with why. */
  readonly notHeard: (sources: string) => string;
  /** Which sources were not asked at all. */
  readonly notAsked: (sources: string) => string;
  /** Names, and the reason they share. */
  readonly reasoned: (names: string, why: string) => string;
  readonly semicolon: string;
  readonly allHeard: string;
  /** What cannot be known, to be passed on. */
  readonly passOn: (unknowns: string) => string;
  readonly cite: (url: string) => string;
  readonly openLeft: (left: number) => string;
  readonly comparison: (addresses: number) => string;
  /** Purity, band and confidence of one address. */
  readonly summary: (purity: number, band: string, confidence: string) => string;
  readonly deductions: (factors: string) => string;
  readonly noDeductions: string;
  readonly listedOn: (lists: string) => string;
  readonly listsNotHeard: (lists: string) => string;
  /** Behind a refusal: that it is no finding. */
  readonly noFinding: string;
  readonly waitSeconds: (seconds: number) => string;
  readonly openPage: (url: string) => string;
  readonly limits: readonly ((limits: ToolLimits) => string)[];
}
