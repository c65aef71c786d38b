/** The limits in force, the size of a comparison, and what this client has left of its daily allowance. */
export interface ToolLimits {
  readonly lookupsPerMinute: number;
  readonly newPerMinute: number;
  readonly openPerDay: number;
  readonly openPerMinute: number;
  readonly addressesPerComparison: number;
  readonly openLeft: number;
  /** How to reach the operator. */
  readonly contact?: string;
}

/** Texts of the MCP tools, beside those of the text report. */
export interface ToolTexts {
  /** Sources that were asked and did not answer, with the reasons. */
  readonly unanswered: (sources: string) => string;
  /** Sources that were not asked, with the reasons. */
  readonly skipped: (sources: string) => string;
  /** Names and the reason that they share. */
  readonly withReason: (names: string, why: string) => string;
  readonly semicolon: string;
  readonly allAnswered: string;
  /** What an address cannot tell. */
  readonly unknowns: (unknowns: string) => string;
  readonly cite: (url: string) => string;
  /** How to get the full report, after a brief one. */
  readonly moreDetail: string;
  readonly allowanceLeft: (left: number) => string;
  readonly comparison: (addresses: number) => string;
  /** Score and confidence of one address. */
  readonly summary: (score: string, confidence: string) => string;
  readonly deductions: (factors: string) => string;
  readonly noDeductions: string;
  readonly listedOn: (lists: string) => string;
  readonly unknownLists: (lists: string) => string;
  /** After a refusal: nothing was looked up. */
  readonly notLookedUp: string;
  readonly waitSeconds: (seconds: number) => string;
  readonly openPage: (url: string) => string;
  readonly limits: readonly ((limits: ToolLimits) => string)[];
}

/** Facts in llms.txt: the public origin without a trailing slash, the parameters of a lookup, the limits in force. */
export interface LlmsFacts {
  readonly origin: string;
  readonly parameters: readonly { readonly name: string; readonly description: string }[];
  readonly lookupsPerMinute: number;
  readonly newPerMinute: number;
  readonly refreshPerMinute: number;
  readonly openPerDay: number;
  readonly openPerMinute: number;
  /** How to reach the operator. */
  readonly contact?: string;
}
