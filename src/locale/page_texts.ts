/** Texts of the pages, beside those that they share with the other formats of the report. */
export interface PageTexts {
  /** Names of the two groups of links: of this page, and of the whole site. */
  readonly pages: string;
  readonly more: string;
  readonly home: string;
  readonly compare: string;
  readonly docs: string;
  readonly forModels: string;

  readonly asMarkdown: string;
  readonly otherFormats: string;
  readonly refresh: string;
  /** Text of the link to the page where a list explains or removes an entry. */
  readonly delisting: string;
  readonly detail: string;
  readonly citation: (facts: {
    readonly ip: string;
    readonly score: string;
    readonly confidence: string;
    readonly moment: string;
  }) => string;

  readonly history: string;
  readonly historyFacts: (facts: {
    readonly count: number;
    readonly from: string;
    readonly to: string;
    readonly lowest: number;
    readonly highest: number;
  }) => string;
  readonly historyTable: string;
  readonly date: string;
  readonly band: string;
  readonly scoringVersion: string;
  readonly scoringChanged: (from: number, to: number, date: string) => string;

  readonly slogan: string;
  readonly homeDescription: string;
  readonly homeLead: string;
  readonly field: string;
  readonly fieldHint: string;
  readonly lookUp: string;
  readonly yourAddress: string;
  readonly yourReport: string;
  readonly aboutTitle: string;
  readonly about: readonly (readonly [title: string, text: string])[];
  readonly compareTitle: string;
  readonly compareDescription: string;
  readonly compareField: string;
  readonly compareHint: string;
  readonly compareSubmit: string;
  readonly terminalTitle: string;
  readonly terminalLead: string;
  readonly terminalOwn: string;
  readonly terminalReport: string;
  readonly terminalJson: string;
  readonly terminalText: string;
  readonly linksTitle: string;
  readonly methodLink: string;
  readonly docsLink: string;
  readonly modelsLink: string;

  readonly candidate: string;
  readonly compareEmpty: string;
  readonly compareCaption: string;
  readonly notAvailable: string;
  readonly examples: string;
  readonly examplesHint: string;
  /** How long to wait, counted from when the page was rendered. */
  readonly waitFor: (seconds: number) => string;
  readonly waitOver: string;
  readonly tryAgain: string;
  readonly openReport: string;
  readonly code: string;
  readonly goHome: string;
}

/** The limits in force that the page of the API states. */
export interface DocsLimits {
  readonly lookupsPerMinute: number;
  readonly newPerMinute: number;
  readonly refreshPerMinute: number;
  readonly openPerDay: number;
  readonly openPerMinute: number;
  readonly openDailyTotal: number;
}

/** Headings and labels of the page that documents the API. `describeInterface` has the descriptions. */
export interface DocsTexts {
  readonly title: string;
  readonly description: string;
  readonly lead: string;
  readonly quickTitle: string;
  /** What the calls of the quick start do. */
  readonly quick: Readonly<Record<"own" | "json" | "text" | "terminal" | "gate", string>>;
  /** How to read the answers, and the limits. */
  readonly use: readonly ((limits: DocsLimits) => string)[];
  /** Before the link to the machine-readable description. */
  readonly source: string;
  readonly contents: string;
  readonly parameters: string;
  readonly name: string;
  readonly place: string;
  /** By where a parameter is sent. */
  readonly places: Readonly<Record<"query" | "path" | "header" | "cookie", string>>;
  readonly type: string;
  readonly meaning: string;
  readonly required: string;
  readonly requestBody: string;
  readonly responses: string;
  readonly headers: string;
  readonly example: string;
  readonly call: string;
  readonly documents: string;
  readonly field: string;
  readonly allHeaders: string;
  readonly cookies: string;
  /** Before the path that answers the same in the other language. */
  readonly inOtherLanguage: string;
}

/** What a human check is needed for. */
export type CheckPurpose = "lookup" | "refresh" | "feedback";

/** Texts that scripts show. The scripts fill in `{name}` placeholders. */
type ScriptTexts<Name extends string> = Readonly<Record<Name, string>>;

/** Texts of the ALTCHA widget, under the names that it uses. */
export type WidgetTexts = ScriptTexts<
  "label" | "verifying" | "verified" | "error" | "expired" | "waitAlert" | "verificationRequired"
>;

/** Texts of the live progress of a survey. */
export type ProgressTexts = ScriptTexts<
  | "verifying"
  | "heading"
  | "queued"
  | "count"
  | "countFailed"
  | "countSkipped"
  | "countJoin"
  | "announceStart"
  | "announceEnd"
  | "sources"
  | "waiting"
  | "answered"
  | "empty"
  | "failed"
  | "moment"
  | "cancel"
  | "cancelledTitle"
  | "cancelled"
  | "openReport"
  | "problemTitle"
  | "lost"
  | "unreachable"
  | "blocked"
  | "tryAgain"
>;

/** Texts of the form that rates an address. */
export type RatingTexts = ScriptTexts<
  "choose" | "sending" | "check" | "elsewhere" | "toCheck" | "thanks" | "shown" | "notYet" | "failed"
>;

/** The five ratings, best first. */
export const RATINGS = [5, 4, 3, 2, 1] as const;
export type Rating = (typeof RATINGS)[number];

/** Texts of the human check, the live progress and the rating form. */
export interface CheckTexts {
  readonly title: Readonly<Record<CheckPurpose, (ip: string) => string>>;
  readonly why: Readonly<Record<CheckPurpose, string>>;
  readonly stepsTitle: string;
  readonly steps: Readonly<Record<CheckPurpose, readonly string[]>>;
  readonly ownCheck: string;
  readonly thirdPartyCheck: string;
  readonly needsScript: string;
  readonly needsScriptHint: string;
  readonly needsHttps: string;
  readonly needsHttpsHint: string;
  readonly loading: string;
  readonly forScripts: string;
  /** Why an earlier check did not pass. */
  readonly reasons: Readonly<
    Record<"failed" | "expired" | "replayed" | "unavailable" | "cross_site", string>
  >;
  readonly widget: WidgetTexts;
  readonly progress: ProgressTexts;
  readonly rating: {
    readonly title: string;
    readonly lead: string;
    readonly scenario: string;
    readonly legend: string;
    readonly meanings: Readonly<Record<Rating, string>>;
    readonly send: string;
    readonly needsScript: string;
    readonly script: RatingTexts;
  };
}
