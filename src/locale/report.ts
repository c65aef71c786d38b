import {
  type AsKind,
  type Band,
  type Confidence,
  type Data,
  type Flag,
  type Language,
  type ListState,
  type NativeReason,
  type NativeType,
  type RunError,
  type ScenarioId,
  type ScenarioLevel,
  type SkipReason,
  type SourceKind,
  type Tier,
  USAGE_TYPES,
  type UsageType,
} from "#report";
import {
  type AdjustmentId,
  type FactorCategory,
  type FactorId,
  findBand,
  type NoteId,
  type ReasonId,
  SCENARIO_TABLES,
  type UnknownId,
  type VerdictId,
} from "#scoring";
import CLAUSE_FACTS from "./clause_facts.json" with { type: "json" };
import en from "./en/report.json" with { type: "json" };
import {
  type Condition,
  factList,
  factText,
  fill,
  fillersOf,
  findNumber,
  findText,
  forLanguages,
  mapTable,
  nameById,
  type Sentence,
  sentenceMaker,
} from "./fill.ts";
import { nameCountryInSentence, namesOf, translatePlace } from "./names.ts";
import zh from "./zh/report.json" with { type: "json" };
import { translateDetail } from "./zh/source_details.ts";

type Table<Id extends string, Text = string> = Readonly<Record<Id, Text>>;

interface PhraseText {
  readonly label: string;
  readonly detail: string;
}

/** A short name and the sentence that explains it. */
export interface Phrase {
  readonly label: string;
  readonly detail: Sentence;
}

/**
 * What has a text, by closed unions of ids, so that a new id without a text is a type error. Ids of stored documents may
 * be retired or unknown, so lookups by id still need a fallback.
 */
interface Catalogue {
  readonly factors: Table<FactorId | AdjustmentId, PhraseText>;
  readonly categories: Table<FactorCategory>;
  readonly bands: Table<Band>;
  readonly usages: Table<UsageType>;
  readonly natives: Table<NativeType>;
  readonly asKinds: Table<AsKind>;
  /** Why the native type is unknown, as a sentence. */
  readonly nativeReasons: Table<NativeReason>;
  readonly flags: Table<Flag>;
  readonly confidences: Table<Confidence>;
  readonly scenarios: Table<ScenarioId>;
  readonly levels: Table<ScenarioLevel>;
  readonly tiers: Table<Tier>;
  readonly kinds: Table<SourceKind>;
  /** Clauses, not sentences: `joinReasons` makes one sentence of them. */
  readonly reasons: Table<ReasonId>;
  readonly verdicts: Table<VerdictId>;
  readonly notes: Table<NoteId>;
  readonly unknowns: Table<UnknownId, PhraseText>;
  readonly runErrors: Table<RunError>;
  readonly skips: Table<SkipReason>;
  /** Grades of a VPN operator, by the lower-case word of the source. An open set: another word is shown as it is. */
  readonly grades: Table<string>;
  readonly labels: Table<ListState>;
  readonly listCounts: Table<ListState>;
}

/** When a clause stands. A clause that is not here always stands. */
const CONDITIONS: Readonly<Partial<Record<keyof (typeof en)["clauses"], Condition>>> = {
  ...mapTable(CLAUSE_FACTS.known, knows),
  ...mapTable(CLAUSE_FACTS.listed, lists),
  ...mapTable(CLAUSE_FACTS.mild, () => (data) => !isSevere(data)),
  placed: (data) => data.votes === undefined,
  allAnswered: hasAllAnswers,
  someAnswered: (data) => !hasAllAnswers(data),
  halved: (data) => data.halved === true,
  counted: (data) => ![undefined, 1].includes(findNumber(data, "agreement")),
  loneFlag: (data) => findNumber(data, "agreement") === 1,
  lowerScores: (data) => factList(data, "by").length > 0 && lowerSources(data).length > 0,
  mostAtOneSource: (data) => factList(data, "sources").length > 1,
  oneRecord: (data) => factList(data, "sources").length < 2,
  manyRecords: (data) => factList(data, "sources").length > 1,
  onAnonymity: (data) => data.kind === "anonymity",
  onLists: (data) => data.kind === "lists",
  restricted: isSevere,
  localOnly: (data) => data.thin === "tables",
  hardlyCore: (data) => data.thin === "core",
  few: (data) => !["tables", "core"].includes(findText(data, "thin") ?? "core"),
  nothingLive: (data) => data.thin === "tables",
  littleAnswered: (data) => data.thin !== "tables",
};

/** The texts of the report in one language, for every format. */
export type ReportTexts = ReturnType<typeof makeReportTexts>;

/** Returns the texts of the report, for every format. */
export const reportTextsOf = forLanguages(en, zh, makeReportTexts);

function makeReportTexts(texts: typeof en & Catalogue, language: Language) {
  const { clauses, joints } = texts;
  const nameBand = (purity: number) => texts.bands[findBand(purity)];
  const purposes = namesOf("purposes", language);
  const read = (data: Data, name: string): string | undefined => {
    switch (name) {
      case "purpose":
        return nameById(purposes, data, name, texts.otherPurpose);
      case "role":
        return nameById(texts.roles, data, name, texts.otherRole);
      case "usage":
        return nameById(texts.usageClauses, data, name, factText(data, name));
      case "registered":
      case "located":
      case "country":
        return nameCountryInSentence(factText(data, name), language);
      case "countries":
        return listNames(data, name, (code) => nameCountryInSentence(code, language));
      case "flags":
        return listNames(data, name, (flag) => (texts.flags as Table<string>)[flag] ?? flag);
      case "by":
        return factText(data, findText(data, name) === undefined ? "sources" : name, joints.items);
      case "lowerSources":
        return lowerSources(data).join(joints.items);
      default:
        return undefined;
    }
  };
  const listNames = (data: Data, key: string, nameOf: (id: string) => string) =>
    factList(data, key).map(nameOf).join(joints.items);
  const sentence = sentenceMaker({ clauses, conditions: CONDITIONS, comma: joints.items, read });
  const phrase = ({ label, detail }: PhraseText): Phrase => ({
    label,
    detail: sentence(detail),
  });

  return {
    ...texts,
    factors: mapTable(texts.factors, phrase),
    reasons: mapTable(texts.reasons, sentence),
    verdicts: mapTable(texts.verdicts, sentence),
    notes: mapTable(texts.notes, sentence),
    unknowns: mapTable(texts.unknowns, phrase),
    /** For a verdict without a text of its own. */
    otherVerdict: sentence(texts.otherVerdict),
    joinReasons: (reasons: readonly string[]) => {
      const [first, last] = [reasons.slice(0, -1).join(joints.clauses), reasons.at(-1)];
      if (last === undefined) return texts.noReasons;
      const joint = reasons.length === 2 ? joints.lastOfTwo : joints.last;
      const text = reasons.length === 1 ? last : `${first}${joint}${last}`;
      return `${capitalize(text)}${texts.period}`;
    },
    /** Whether a reason speaks for the address in a use case: any other costs points or sets a limit. */
    isMerit: (reason: string, use: ScenarioId) =>
      [texts.reasons.not_listed, texts.reasons.native, texts.reasons.no_signals].includes(reason) ||
      USAGE_TYPES.some(
        (type) => texts.usageClauses[type] === reason && SCENARIO_TABLES[use].usage[type] === 0,
      ),
    /** Joins the items of a list without "and". */
    joinItems: (items: readonly string[]) => items.join(joints.items),
    joinSentences: (sentences: readonly string[]) => sentences.join(language === "en" ? " " : ""),
    joinDetails: (details: readonly string[]) => details.join(joints.details),
    /** Joins statements of different sources, or of one source at different times. */
    joinClaims: (claims: readonly string[]) => claims.join(joints.claims),
    /** Appends a detail in brackets to a text. */
    withDetail: (text: string, detail: string) => fill(texts.withDetail, { text, detail }),
    /** A value and the sentence that says why. */
    withReason: (text: string, reason: string) => fill(texts.withReason, { text, reason }),
    /** Translates a detail of a source that `sourceDetails` does not have; `undefined`: it stays as it is. */
    translateDetail: (detail: string) => (language === "zh" ? translateDetail(detail) : undefined),
    /** Names a city, province or state of a country (ISO 3166-1 alpha-2); a name without a text stays as it is. */
    namePlace: (country: string, name: string) => (language === "zh" ? translatePlace(country, name) : name),
    /** By the kind of attack that sources report. An open set: a kind without a text is shown as it is. */
    attacks: namesOf("attacks", language),
    ...fillersOf(texts, ["dataDate", "thin", "noReports", "carriedFrom"]),
    /** Counts the sources in each state. None is being downloaded most of the time. */
    sourceCount: (counts: Table<"found" | keyof (typeof texts)["sourceStates"], number>) =>
      fill(
        texts.sourceCounts[counts.absent > 0 ? "absent" : counts.pending > 0 ? "pending" : "usual"],
        counts,
      ),
    /** Counts the blocklists in each state, policy lists last; a state without any is left out. */
    listCount: (counts: Table<ListState, number>) => {
      const isUnlisted = counts.listed + counts.exit === 0;
      const parts = (["listed", "exit", "notListed", "unavailable", "benign"] as const)
        .filter((state) => counts[state] > 0)
        .map((state) =>
          fill(isUnlisted && state === "notListed" ? texts.unlisted : texts.listCounts[state], {
            count: counts[state],
          }),
        );
      return capitalize(parts.join(joints.details));
    },
    /** The purity that 95 % of such addresses reach with all evidence. */
    asLowAs: (low: number) =>
      low === 0 ? texts.lowest : fill(clauses.asLowAs, { low, band: nameBand(low) }),
    nameBand,
    /** A country with the sources that name it. */
    claim: (country: string, sources: string) => fill(texts.claim, { country, sources }),
    /** Agreement on a flag. An authority alone counts as two, so this is not a number of sources. */
    agreement: (families: number) =>
      families === 1 ? texts.loneAgreement : fill(texts.agreement, { families }),
    description: (facts: Table<"ip" | "score" | "confidence" | "verdict" | "kind">) =>
      fill(texts.description, facts),
  };
}

/** Writes the first letter small, for the middle of a sentence. */
export function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** Writes the first letter as a capital. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function hasAllAnswers(data: Data): boolean {
  const asked = findNumber(data, "sourcesAsked") ?? 0;
  return asked > 1 && asked === findNumber(data, "sourcesAnswered");
}

function knows(key: string): Condition {
  return (data) => findText(data, key) !== undefined;
}

function lists(key: string): Condition {
  return (data) => factList(data, key).length > 0;
}

/** Whether most platforms restrict an address of this band, whatever was found. */
function isSevere(data: Data): boolean {
  return data.band === "risky" || data.band === "dangerous";
}

/** The other sources whose score costs points. */
function lowerSources(data: Data): readonly string[] {
  const by = factList(data, "by");
  return factList(data, "sources").filter((source) => !by.includes(source));
}
