import { type Address, parseAddress } from "#address";
import { createRecentMap } from "#common";
import { type Corrections, correctSurvey, mergeEvidence, NO_CORRECTIONS, type Survey } from "#evidence";
import { type Assessment, FLAGS, type PolicyFacts, readFactors } from "#report";
import { isBenign, score } from "#scoring";
import type { TableSurvey } from "#sources";
import { readFlags } from "./assess.ts";

/** What the tables alone say about an address. Addresses with the same evidence share one object. */
export interface TableFacts
  extends PolicyFacts,
    Pick<Assessment, "agreement" | "band" | "confidence" | "native"> {
  /** The share of the expected evidence that was obtained, 0 to 1. */
  readonly coverage: number;
  /** The lower end of the range of the purity. */
  readonly low: number;
  readonly country?: string;
  readonly asn?: number;
  readonly asName?: string;
  /** What the block of a special-purpose address is for. */
  readonly purpose?: string;
  /** Number of lists that list it, without policy and informational listings. */
  readonly listed: number;
  /** Number of lists that could not be read. */
  readonly unavailable: number;
  /** Number of tables and lists that could not be read. */
  readonly failed: number;
  /** What the tables say without the operator's corrections; absent where there is none. */
  readonly uncorrected?: TableFacts;
}

/** The fields by which `/api/classify` and the library describe an address, without the address. */
export function describeFacts(facts: TableFacts) {
  const { asn = null, asName = null, country = null, purity, coverage, confidence, purpose } = facts;
  return {
    usageType: facts.usage,
    asn,
    asName,
    country,
    flags: FLAGS.filter((flag) => facts.flags[flag]),
    purity,
    coverage,
    range: facts.low,
    confidence,
    ...(purpose === undefined ? {} : { purpose }),
  };
}

/** An address in canonical form, and what the tables say about it. */
export interface ClassifiedAddress {
  readonly ip: string;
  readonly facts: TableFacts;
}

/** Judges addresses by the tables alone, at once: no query, no database. */
export type TableClassifier = ReturnType<typeof createTableClassifier>;

/** Limits of the memory of a classifier: about 1 kB for each of the facts, 150 bytes for each address. */
export interface ClassifierLimits {
  readonly facts: number;
  readonly addresses: number;
}

/** About 25 MB. */
const DEFAULT_LIMITS: ClassifierLimits = { facts: 16_000, addresses: 65_536 };

/**
 * Creates a {@link TableClassifier}. It judges the same evidence once, and remembers the addresses that it saw last. A
 * table that is replaced counts at once; a list that becomes ready, old or refused counts within a second.
 */
export function createTableClassifier(
  tables: TableSurvey,
  {
    limits = DEFAULT_LIMITS,
    corrections = NO_CORRECTIONS,
  }: { readonly limits?: ClassifierLimits; readonly corrections?: Corrections } = {},
) {
  const facts = createRecentMap<string, TableFacts>(limits.facts);
  const addresses = createRecentMap<string, ClassifiedAddress>(limits.addresses);
  // A number is found faster than a text, above all than a part of a line.
  const ipv4 = createRecentMap<number, TableFacts>(limits.addresses);
  let tablesVersion = tables.version();
  let corrected = corrections.version();
  let version = 0;

  /** Forgets everything when the tables or the corrections may say something else than before. */
  function checkTables(): void {
    const current = tables.version();
    if (current === tablesVersion && corrections.version() === corrected) return;
    tablesVersion = current;
    corrected = corrections.version();
    version += 1;
    facts.clear();
    addresses.clear();
    ipv4.clear();
  }

  function find(address: Address): TableFacts {
    const uncorrected = findByKey(address);
    if (corrected === "" || corrections.find(address, uncorrected.asn).length === 0) return uncorrected;
    return { ...judgeSurvey(correctSurvey(tables.survey(address), corrections)), uncorrected };
  }

  function findByKey(address: Address): TableFacts {
    const key = tables.keyOf(address);
    const known = facts.get(key);
    if (known !== undefined) return known;
    const judged = judgeSurvey(tables.survey(address));
    facts.set(key, judged);
    return judged;
  }

  function findByText(address: Address): TableFacts {
    const known = addresses.get(address.text);
    if (known !== undefined) return known.facts;
    const found = find(address);
    addresses.set(address.text, { ip: address.text, facts: found });
    return found;
  }

  return {
    /** Increases when addresses may be judged differently than before. */
    version(): number {
      checkTables();
      return version;
    },
    classify(address: Address): TableFacts {
      checkTables();
      if (address.version === 6) return findByText(address);
      // Small integers are the fastest keys of a map; no two addresses share one.
      const key = (address.words[0] ?? 0) | 0;
      const known = ipv4.get(key);
      if (known !== undefined) return known;
      const found = find(address);
      ipv4.set(key, found);
      return found;
    },
    /** Reads and classifies an address. Undefined for a text that is not an address; see `parseAddress`. */
    classifyText(text: string): ClassifiedAddress | undefined {
      checkTables();
      const known = addresses.get(text);
      if (known !== undefined) return known;
      const address = parseAddress(text);
      if (address === undefined) return undefined;
      const classified = { ip: address.text, facts: find(address) };
      // Only our own copy of the text is kept: a part of a larger text would keep all of it in memory.
      if (text === address.text) addresses.set(address.text, classified);
      return classified;
    },
  };
}

/** Judges a survey of the tables. */
export function judgeSurvey(survey: Survey): TableFacts {
  const evidence = mergeEvidence(survey);
  const { purity, coverage, range, band, confidence, scenarios, factors } = score(evidence);
  const { geo, asn, special, listings } = evidence;
  return {
    purity,
    coverage: coverage.total,
    low: range.low,
    band,
    confidence,
    usage: evidence.usage.type,
    native: evidence.native.type,
    ...readFlags(evidence),
    ...(geo?.country === undefined ? {} : { country: geo.country }),
    ...(asn?.asn === undefined ? {} : { asn: asn.asn }),
    ...(asn?.name === undefined ? {} : { asName: asn.name }),
    ...(asn === undefined || evidence.usage.kind === undefined ? {} : { asKind: evidence.usage.kind }),
    ...readFactors(purity, factors),
    ...(special === undefined ? {} : { purpose: special.purpose }),
    scenarios: scenarios.map(({ id, score: points, level }) => ({ id, score: points, level })),
    listed: listings.filter((listing) => listing.listed && !isBenign(listing)).length,
    unavailable: listings.filter(({ answered }) => !answered).length,
    failed: survey.runs.filter(({ state }) => state === "failed").length,
  };
}
