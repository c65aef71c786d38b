import type {
  Band,
  Confidence,
  Data,
  Flag,
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
import type { FactorCategory, FactorId, NoteId, ReasonId, UnknownId, VerdictId } from "#scoring";

/** Makes a sentence out of the facts behind it. */
export type Tell = (data: Data) => string;

/** A short name and the sentence that explains it. */
export interface Phrase {
  readonly label: string;
  readonly detail: Tell;
}

/** Titles, column heads and set phrases of the page and the text report. */
export interface Headings {
  readonly title: string;
  readonly summary: string;
  readonly address: string;
  readonly purity: string;
  readonly confidence: string;
  readonly verdict: string;
  readonly surveyed: string;
  readonly stale: string;
  readonly usage: string;
  readonly native: string;
  readonly flags: string;
  readonly noFlags: string;
  readonly network: string;
  readonly location: string;
  readonly place: string;
  readonly country: string;
  readonly region: string;
  readonly city: string;
  readonly timezone: string;
  readonly asn: string;
  readonly asName: string;
  readonly org: string;
  readonly route: string;
  readonly registry: string;
  readonly rir: string;
  readonly registrant: string;
  readonly registeredIn: string;
  readonly netName: string;
  readonly cidr: string;
  readonly bill: string;
  readonly billCaption: string;
  readonly item: string;
  readonly effect: string;
  readonly start: string;
  readonly floor: string;
  readonly bounds: string;
  readonly rounding: string;
  readonly noFactors: string;
  readonly scenarios: string;
  readonly scenario: string;
  readonly level: string;
  readonly score: string;
  readonly reason: string;
  readonly blocklists: string;
  readonly list: string;
  readonly state: string;
  readonly listed: string;
  readonly benign: string;
  readonly unavailable: string;
  readonly notListed: string;
  readonly noLists: string;
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
  readonly kind: string;
  readonly time: string;
  readonly answered: string;
  readonly skipped: string;
  readonly failed: string;
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

/** Every word of one language. Unions are closed, so a new id is a compile error here until it is worded. */
export interface Texts {
  readonly factors: Readonly<Record<FactorId, Phrase>>;
  readonly categories: Readonly<Record<FactorCategory, string>>;
  readonly bands: Readonly<Record<Band, string>>;
  readonly usages: Readonly<Record<UsageType, string>>;
  readonly natives: Readonly<Record<NativeType, string>>;
  readonly flags: Readonly<Record<Flag, string>>;
  readonly confidences: Readonly<Record<Confidence, string>>;
  readonly scenarios: Readonly<Record<ScenarioId, string>>;
  readonly levels: Readonly<Record<ScenarioLevel, string>>;
  readonly tiers: Readonly<Record<Tier, string>>;
  readonly kinds: Readonly<Record<SourceKind, string>>;
  /** Clauses, not sentences: `joinReasons` makes one sentence of them. */
  readonly reasons: Readonly<Record<ReasonId, Tell>>;
  readonly joinReasons: (clauses: readonly string[]) => string;
  readonly verdicts: Readonly<Record<VerdictId, Tell>>;
  /** For a verdict without a text of its own. */
  readonly anyVerdict: Tell;
  readonly notes: Readonly<Record<NoteId, Tell>>;
  readonly anyNote: string;
  readonly unknowns: Readonly<Record<UnknownId, Phrase>>;
  readonly runErrors: Readonly<Record<RunError, string>>;
  readonly skips: Readonly<Record<SkipReason, string>>;
  /** Appends a fact in brackets. */
  readonly bracket: (sentence: string, detail: string) => string;
  readonly noRecord: string;
  readonly dataDate: (date: string) => string;
  /** Details of a source that have a text: a list refused because it covers too much, without and with a last good one. */
  readonly sourceDetails: Readonly<Record<"list_refused" | "list_update_refused", string>>;
  readonly joinDetails: (details: readonly string[]) => string;
  /** By kind of attack as sources name it, an open set: a name not here stands for itself. */
  readonly attacks: Readonly<Record<string, string>>;
  /** Joins the items of a list that has no "and". */
  readonly joinItems: (items: readonly string[]) => string;
  /** The mark that ends a sentence. */
  readonly stop: string;
  /** By id of the special-purpose block; ids come from stored documents, so there is a fallback. */
  readonly purposes: Readonly<Record<string, string>>;
  readonly anyPurpose: string;
  /** By role of a public service. */
  readonly roles: Readonly<Record<string, string>>;
  readonly anyRole: string;
  readonly problems: Readonly<Record<ProblemCode, { readonly error: Tell; readonly hint?: Tell }>>;
  readonly headings: Headings;
  readonly sourceCount: (heard: number, failed: number, skipped: number) => string;
  readonly listCount: (listed: number, benign: number, unavailable: number, clean: number) => string;
  /** Agreement on a flag; an authority alone counts as two, so this is no count of sources. */
  readonly agreement: (families: number) => string;
  readonly description: (facts: {
    readonly ip: string;
    readonly purity: number;
    readonly band: string;
    readonly confidence: string;
  }) => string;
}

/** Texts in which factors may be missing: a missing one is what `untranslated` lists. */
export type PartialTexts = Omit<Texts, "factors"> & { readonly factors: Partial<Texts["factors"]> };
