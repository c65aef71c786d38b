import type {
  AsKind,
  Band,
  Confidence,
  Data,
  Flag,
  ListState,
  NativeReason,
  NativeType,
  ProblemCode,
  RunError,
  ScenarioId,
  ScenarioLevel,
  SkipReason,
  SourceKind,
  Tier,
  UsageType,
} from "#report";
import type {
  AdjustmentId,
  FactorCategory,
  FactorId,
  NoteId,
  ReasonId,
  UnknownId,
  VerdictId,
} from "#scoring";

/** Formats one sentence from the facts behind it. A fact that is missing reads as `?`. */
export type Sentence = (data: Data) => string;

/** A short name and the sentence that explains it. */
export interface Phrase {
  readonly label: string;
  readonly detail: Sentence;
}

/**
 * Details of a list: refused because it covers too many addresses, without and with an older good one; not downloaded
 * or not prepared yet.
 */
export type SourceDetail =
  | "list_refused"
  | "list_missing"
  | "list_snapshot"
  | "list_snapshot_refused"
  | "list_update_refused"
  | "not downloaded yet"
  | "not compiled yet";

/** Titles, column heads and fixed phrases of the report in every format. */
export interface ReportLabels extends Readonly<Record<ListState, string>> {
  readonly title: string;
  readonly address: string;
  readonly purity: string;
  readonly confidence: string;
  readonly coverage: string;
  readonly noScore: string;
  readonly verdict: string;
  readonly surveyed: string;
  readonly stale: string;
  readonly usage: string;
  readonly native: string;
  readonly flags: string;
  readonly noFlags: string;
  readonly network: string;
  readonly hostname: string;
  readonly location: string;
  readonly place: string;
  readonly country: string;
  readonly claims: string;
  readonly region: string;
  readonly city: string;
  readonly timezone: string;
  readonly asn: string;
  readonly asName: string;
  readonly asKind: string;
  readonly org: string;
  readonly route: string;
  readonly rir: string;
  readonly registrant: string;
  readonly registeredIn: string;
  readonly netName: string;
  readonly abuseContact: string;
  readonly cidr: string;
  readonly breakdown: string;
  readonly breakdownCaption: string;
  readonly item: string;
  readonly effect: string;
  readonly start: string;
  readonly noFactors: string;
  readonly scenarios: string;
  readonly scenario: string;
  readonly level: string;
  readonly score: string;
  readonly reason: string;
  readonly blocklists: string;
  readonly list: string;
  readonly state: string;
  readonly noLists: string;
  readonly exitNote: string;
  readonly benignNote: string;
  readonly unavailableNote: string;
  readonly abuse: string;
  readonly abuseScore: string;
  readonly reports: string;
  readonly attacks: string;
  readonly noAbuse: string;
  readonly exposure: string;
  readonly ports: string;
  readonly vulns: string;
  readonly notObserved: string;
  readonly noExposure: string;
  readonly none: string;
  readonly sharing: string;
  readonly devicesAddress: string;
  readonly devicesSubnet: string;
  readonly noSharing: string;
  readonly vpn: string;
  readonly vpnName: string;
  readonly anonymity: string;
  readonly popularity: string;
  readonly protocols: string;
  readonly logging: string;
  readonly freeAccess: string;
  readonly yes: string;
  readonly no: string;
  readonly feedback: string;
  readonly votes: string;
  readonly average: string;
  readonly sources: string;
  readonly source: string;
  readonly time: string;
  readonly sourcesNote: string;
  readonly unknowns: string;
  readonly cite: string;
  readonly asText: string;
  readonly asJson: string;
  readonly otherLanguage: string;
  readonly skipLink: string;
  readonly credit: string;
  readonly disclaimer: string;
}

/**
 * The texts of the report in one language. The tables are keyed by closed unions, so a new id without a text is a
 * type error. Ids of stored documents may be retired or unknown, so lookups by id still need a fallback.
 */
export interface ReportTexts {
  readonly factors: Readonly<Record<FactorId | AdjustmentId, Phrase>>;
  readonly categories: Readonly<Record<FactorCategory, string>>;
  readonly bands: Readonly<Record<Band, string>>;
  readonly usages: Readonly<Record<UsageType, string>>;
  readonly natives: Readonly<Record<NativeType, string>>;
  readonly asKinds: Readonly<Record<AsKind, string>>;
  /** Why the native type is unknown, as a sentence. */
  readonly nativeReasons: Readonly<Record<NativeReason, string>>;
  readonly flags: Readonly<Record<Flag, string>>;
  readonly confidences: Readonly<Record<Confidence, string>>;
  readonly scenarios: Readonly<Record<ScenarioId, string>>;
  readonly levels: Readonly<Record<ScenarioLevel, string>>;
  readonly tiers: Readonly<Record<Tier, string>>;
  readonly kinds: Readonly<Record<SourceKind, string>>;
  /** Clauses, not sentences: `joinReasons` makes one sentence of them. */
  readonly reasons: Readonly<Record<ReasonId, Sentence>>;
  readonly joinReasons: (clauses: readonly string[]) => string;
  readonly verdicts: Readonly<Record<VerdictId, Sentence>>;
  /** For a verdict without a text of its own. */
  readonly otherVerdict: Sentence;
  readonly notes: Readonly<Record<NoteId, Sentence>>;
  readonly otherNote: string;
  readonly unknowns: Readonly<Record<UnknownId, Phrase>>;
  readonly runErrors: Readonly<Record<RunError, string>>;
  readonly skips: Readonly<Record<SkipReason, string>>;
  /** Appends a detail in brackets to a text. */
  readonly withDetail: (text: string, detail: string) => string;
  readonly noRecord: string;
  readonly dataDate: (date: string) => string;
  /** Texts of details that say everything: they stand without the kind of the failure. */
  readonly sourceDetails: Readonly<Record<SourceDetail, string>>;
  /** Translates any other detail of a source; `undefined` for a detail that stays as it is. */
  readonly translateDetail: (detail: string) => string | undefined;
  readonly joinDetails: (details: readonly string[]) => string;
  /** By the kind of attack that sources report. An open set: a kind without a text is shown as it is. */
  readonly attacks: Readonly<Record<string, string>>;
  /** Grades of a VPN operator, by the lower-case word of the source. An open set: another word is shown as it is. */
  readonly grades: Readonly<Record<string, string>>;
  /** Joins the items of a list without "and". */
  readonly joinItems: (items: readonly string[]) => string;
  /** The mark that ends a sentence. */
  readonly period: string;
  /** Names a city, province or state of a country (ISO 3166-1 alpha-2); a name without a text stays as it is. */
  readonly namePlace: (country: string, name: string) => string;
  readonly labels: ReportLabels;
  readonly sourceCount: (answered: number, failed: number, skipped: number) => string;
  readonly listCount: (counts: Readonly<Record<ListState, number>>) => string;
  /** Not enough data, without and with the score. */
  readonly notEnough: string;
  readonly thin: (score: string) => string;
  /** The purity that 95 % of such addresses reach with all evidence. */
  readonly usually: (low: number) => string;
  /** Of a source that did not answer: what it said on an earlier day still counts. */
  readonly carriedFrom: (day: string) => string;
  /** A value and the sentence that says why. */
  readonly withReason: (text: string, reason: string) => string;
  /** Joins statements of different sources, or of one source at different times. */
  readonly joinClaims: (claims: readonly string[]) => string;
  /** A country with the sources that name it. */
  readonly claim: (country: string, sources: string) => string;
  /** Agreement on a flag. An authority alone counts as two, so this is not a number of sources. */
  readonly agreement: (families: number) => string;
  readonly description: (facts: {
    readonly ip: string;
    readonly score: string;
    readonly confidence: string;
  }) => string;
}

/** Texts that only the text, terminal and Markdown formats need. */
export interface PlainTexts {
  readonly answered: string;
  readonly foundNothing: string;
  readonly failed: string;
  readonly skipped: string;
  /** Between the items of a list. */
  readonly comma: string;
  /** Before the sources that share a reason or a fact. */
  readonly reasonPrefix: (reason: string) => string;
  /** A name and its value on one line. */
  readonly field: (name: string, value: string) => string;
  readonly fact: string;
  readonly method: string;
  readonly attackKinds: string;
  readonly badge: string;
  /** Instead of a score, for an address that is not public. */
  readonly notPublic: string;
  /** Before a reason that applies to the last `lines` lines. */
  readonly linesAbove: (lines: number) => string;
  /** The deductions that are not shown one by one. */
  readonly others: (count: number) => string;
  /** Where the whole report is. */
  readonly whole: (url: string) => string;
  readonly legend: string;
  /** Terms of the report with their meanings. */
  readonly terms: readonly (readonly [term: string, meaning: string])[];
  /** A warning: a report without risk signals does not mean that the address is safe. */
  readonly noSignals: string;
}

/** What went wrong and what to do about it, for every error code. */
export type ProblemTexts = Readonly<
  Record<ProblemCode, { readonly error: Sentence; readonly hint: Sentence }>
>;
