import {
  type Assessment,
  CORRECTION_ID,
  type Confidence,
  countAttacks,
  type Data,
  type Factor,
  type Flag,
  findHighestScore,
  type Language,
  type Place,
  type Report,
  SCENARIOS,
  type SourceState,
  type Tier,
  type VoteSum,
} from "#report";
import { listAdjustments } from "#scoring";
import { factList, formatFacts, type Sentence } from "./fill.ts";
import { nameCountry, nameFamily, nameReporters, nameSource, nameSources, STATED } from "./names.ts";
import { type Phrase, type ReportTexts, reportTextsOf } from "./report.ts";

/** A use case needs this many ratings before the report shows it. */
const MIN_RATINGS = 3;

/** What a report says beside the assessment. `reportUrl` is the absolute URL of the page. */
export interface LocalizeContext {
  readonly language: Language;
  readonly tier: Tier;
  readonly stale: boolean;
  readonly reportUrl: string;
  /** Ratings by visitors. They are not part of the assessment. */
  readonly votes?: readonly VoteSum[];
}

/**
 * Makes the report of an assessment in one language: ids become sentences, facts stay as they are.
 * An id without a text (retired, or newer than this build) is shown as it is; the ids of such factors are listed
 * in `untranslated` of an English report. Strings from outside are not escaped here: the renderers do that.
 * The report shares parts of the assessment and does not copy them.
 */
export function localize(assessment: Assessment, context: LocalizeContext): Report {
  const { language } = context;
  const texts = reportTextsOf(language);
  const { band, geo, vpn, verdict, note, nativeReason } = assessment;
  const feedback = averageRatings(context.votes ?? []);
  const sources = assessment.sources.map((source) => localizeSource(source, texts, language));
  const dates = dateShipped(assessment, language);
  const ids = new Set(assessment.factors.map(({ id }) => id));
  const sayVerdict = sentenceOf(texts.verdicts, verdict.id, texts.otherVerdict);
  const loneFlag = verdict.data.lone === undefined ? undefined : STATED[verdict.id]?.flag;
  const deniers = listDeniers(loneFlag, assessment, language);
  const sayNote = sentenceOf(texts.notes, note?.id ?? "", () => texts.otherNote);
  const untranslated = [...ids].filter((id) => textOf<Phrase>(texts.factors, id) === undefined);
  const counts = {
    sourcesAnswered: sources.filter(({ ok }) => ok).length,
    sourcesAsked: sources.filter(({ skipped }) => skipped === undefined).length,
  };

  return {
    ip: assessment.address,
    version: assessment.version,
    queriedAt: assessment.surveyedAt,
    source: context.tier,
    stale: context.stale,
    usageType: assessment.usage,
    nativeType: assessment.native,
    ...(nativeReason === undefined ? {} : { nativeReason: texts.nativeReasons[nativeReason] }),
    flags: assessment.flags,
    flagAgreement: assessment.agreement,
    vpnOperator: vpn ?? null,
    ...(geo === undefined ? {} : { geo: localizePlace(geo, assessment.countries, language) }),
    ...(assessment.asn === undefined ? {} : { asn: assessment.asn }),
    ...(assessment.hostnames?.[0] === undefined ? {} : { hostname: assessment.hostnames[0] }),
    ...(assessment.registry === undefined ? {} : { registry: assessment.registry }),
    risk: {
      purity: assessment.purity,
      ...(assessment.coverage === undefined ? {} : { coverage: assessment.coverage }),
      ...(assessment.range === undefined ? {} : { range: assessment.range }),
      level: band,
      label: texts.bands[band],
      verdict: sayVerdict({ ...verdict.data, ...counts, deniers, band }),
      confidence: context.stale ? lower(assessment.confidence) : assessment.confidence,
      factors: [
        ...assessment.factors.map((factor) => ({
          ...factor,
          data: nameSources(readData(factor, assessment, language), language),
        })),
        ...listAdjustments(assessment.factors, assessment.purity).map((line) => ({ ...line, data: {} })),
      ].map((factor) => localizeFactor(factor, texts, dates)),
    },
    scenarios: assessment.scenarios.map((scenario) => {
      const factors = scenario.reasons.map(({ id, data, points = 0 }) => ({
        id,
        label: sentenceOf(texts.reasons, id, () => id)(data),
        points,
      }));
      const reasons = factors.map(({ label }) => label);
      return {
        id: scenario.id,
        label: texts.scenarios[scenario.id],
        score: scenario.score,
        ...(scenario.low === undefined ? {} : { low: scenario.low }),
        level: scenario.level,
        levelLabel: texts.levels[scenario.level],
        reason: texts.joinReasons(reasons),
        reasons,
        factors: factors.filter(({ points }) => points > 0),
        ...(scenario.regions === undefined ? {} : { regions: scenario.regions }),
      };
    }),
    scenarioApplicable: note === undefined,
    ...(note === undefined ? {} : { scenarioNote: sayNote(note.data) }),
    blocklists: assessment.listings.map(({ codes, subnet, ...listing }) => ({
      ...listing,
      label: nameSource(listing.label, language),
    })),
    abuse: assessment.abuse.map((record) => ({ ...record, source: nameSource(record.source, language) })),
    exposure: nameReported(assessment.exposure, language),
    sharing: nameReported(assessment.sharing, language),
    sources,
    ...(feedback === undefined ? {} : { feedback }),
    reportUrl: context.reportUrl,
    unknowns: assessment.unknowns.map(({ id, data }) => ({
      id,
      ...phraseOf(texts.unknowns, id, nameSources(data, language)),
    })),
    ...(language === "en" ? { lang: "en", untranslated } : {}),
  };
}

/** Names the sources of ports or devices in the language of the report. A stored document can lack them. */
function nameReported<T extends { readonly sources?: readonly string[] }>(
  seen: T | undefined,
  language: Language,
): T | null {
  if (seen?.sources === undefined) return seen ?? null;
  return { ...seen, sources: seen.sources.map((name) => nameSource(name, language)) };
}

/**
 * Returns the `feedback` of a report: the use cases with at least 3 ratings, averages rounded to 2 decimals.
 * Returns `undefined` when no use case has that many.
 */
export function averageRatings(ratings: readonly VoteSum[]): Report["feedback"] {
  const shown = SCENARIOS.flatMap((scenario) => {
    const found = ratings.find((rating) => rating.scenario === scenario);
    if (found === undefined || found.count < MIN_RATINGS) return [];
    return [[scenario, { count: found.count, average: Math.round((found.sum / found.count) * 100) / 100 }]];
  });
  return shown.length === 0 ? undefined : Object.fromEntries(shown);
}

/** The confidence of a stale report is one step lower; its purity does not change. */
function lower(confidence: Confidence): Confidence {
  return confidence === "high" ? "medium" : "low";
}

/** Looks up own keys only, so that an id such as `constructor` finds nothing. */
function textOf<T>(table: Readonly<Partial<Record<string, T>>>, id: string): T | undefined {
  return Object.hasOwn(table, id) ? table[id] : undefined;
}

function sentenceOf(table: Readonly<Record<string, Sentence>>, id: string, fallback: Sentence): Sentence {
  return textOf(table, id) ?? fallback;
}

/** The facts of a factor, with the counts and names that the rest of the report shows. */
function readData(
  { id, data }: Factor,
  { abuse, countries, sources, exposure, sharing }: Assessment,
  language: Language,
): Data {
  if (id === "shared_address") return { ...data, sources: sharing?.sources ?? [] };
  if (id === "open_ports" || id === "exposed_vulnerabilities")
    return { ...data, sources: exposure?.sources ?? [] };
  if (id === "abuse_score") {
    const highest = findHighestScore(abuse);
    const sources = abuse.filter(({ score = 0 }) => score > 0).map(({ source }) => source);
    return highest === undefined ? data : { ...data, sources, score: highest.score, by: highest.sources };
  }
  if (id === "attack_history") {
    const attacked = abuse.filter(({ attacks }) => (attacks?.total ?? 0) > 0);
    return attacked.length === 0
      ? data
      : { ...data, sources: attacked.map(({ source }) => source), total: countAttacks(abuse) };
  }
  if (id === "broadcast" && countries !== undefined) {
    const votes = countries.find(({ country }) => country === data.located)?.sources.length;
    const voters = countries.reduce((sum, claim) => sum + claim.sources.length, 0);
    return votes === undefined ? data : { ...data, votes, voters };
  }
  if (data.families === undefined) return data;
  const deniers = listDeniers(STATED[id]?.flag, { sources }, language);
  const reporters = nameReporters(id, data, sources, language);
  return { ...data, reporters, ...(deniers.length === 0 ? {} : { deniers }) };
}

/** The names of the sources that deny a flag, if there is one. */
function listDeniers(flag: Flag | undefined, { sources }: Pick<Assessment, "sources">, language: Language) {
  const denying = sources.filter(({ answer }) => flag && answer?.flags?.[flag] === false);
  return denying.map(({ name }) => nameSource(name, language));
}

/** The dates of the lists in use that ship with the program, by the name of the source. */
function dateShipped({ sources }: Assessment, language: Language): ReadonlyMap<string, string> {
  const shipped = sources.filter(({ detail = "" }) => detail.startsWith("list_snapshot"));
  return new Map(shipped.map(({ name, dataDate = "" }) => [nameSource(name, language), dataDate]));
}

function localizeFactor(
  factor: Factor,
  texts: ReportTexts,
  dates: ReadonlyMap<string, string>,
): Report["risk"]["factors"][number] {
  // Where a text names the full points, it names the points beside them.
  const points = factor.data.full === undefined ? {} : { points: factor.points };
  const reporters = factList(factor.data, "reporters");
  const dated = reporters.map((name) => {
    const date = dates.get(name);
    return date === undefined ? name : texts.withDetail(name, texts.dataDate(date));
  });
  const named = reporters.length === 0 ? {} : { reporters: dated };
  const { label, detail } = phraseOf(texts.factors, factor.id, { ...factor.data, ...points, ...named });
  return {
    id: factor.id,
    label,
    category: factor.category,
    points: factor.points,
    detail,
    ...(factor.floor === undefined ? {} : { floor: factor.floor }),
    ...(typeof factor.data.ageDays === "number" ? { ageDays: factor.data.ageDays } : {}),
    ...(reporters.length === 0 ? {} : { reporters: [...reporters] }),
  };
}

/** The label and the sentence of an id; the id and its facts when it has no text. */
function phraseOf(table: Readonly<Partial<Record<string, Phrase>>>, id: string, data: Data) {
  const phrase = textOf(table, id);
  return { label: phrase?.label ?? id, detail: phrase?.detail(data) ?? formatFacts(data) };
}

// A report has about a hundred sources. One object literal for each is much faster than spreading parts.
function localizeSource(
  source: SourceState,
  texts: ReportTexts,
  language: Language,
): Report["sources"][number] {
  const { kind, ms, state, detail } = source;
  // The only source of the operator's own has a name in each language.
  const name =
    source.id === CORRECTION_ID ? nameFamily("operator", language) : nameSource(source.name, language);
  if (state === "failed") {
    const known = detail === undefined ? undefined : textOf(texts.sourceDetails, detail);
    const error = known ?? withDetail(texts.runErrors[source.error ?? "unavailable"], detail, texts);
    return { name, kind, ok: false, ms, error: withCarried(error, source, texts) };
  }
  if (state === "skipped") {
    const skipped = withDetail(texts.skips[source.skipped ?? "turned_off"], detail, texts);
    return { name, kind, ok: false, ms, skipped: withCarried(skipped, source, texts) };
  }
  const details = formatDetails(source, texts);
  const localized: Report["sources"][number] = { name, kind, ok: true, ms };
  if (details !== undefined) localized.detail = details;
  if (source.answer !== undefined) localized.answer = source.answer;
  return localized;
}

function withCarried(text: string, { carriedFrom }: SourceState, texts: ReportTexts): string {
  return carriedFrom === undefined ? text : texts.joinClaims([text, texts.carriedFrom(carriedFrom)]);
}

function withDetail(text: string, detail: string | undefined, texts: ReportTexts): string {
  return detail === undefined ? text : texts.withDetail(text, texts.translateDetail(detail) ?? detail);
}

function formatDetails({ state, detail, dataDate }: SourceState, texts: ReportTexts): string | undefined {
  if (state !== "empty" && detail === undefined && dataDate === undefined) return undefined;
  const details: string[] = [];
  if (state === "empty") details.push(texts.noRecord);
  if (detail !== undefined) details.push(textOf(texts.sourceDetails, detail) ?? detail);
  if (dataDate !== undefined) details.push(texts.dataDate(dataDate));
  return texts.joinDetails(details);
}

function localizePlace(
  place: Place,
  claims: Assessment["countries"],
  language: Language,
): NonNullable<Report["geo"]> {
  const { country, region, city, ...rest } = place;
  const { namePlace } = reportTextsOf(language);
  const named = claims?.map(({ country, sources }) => ({
    country,
    countryName: nameCountry(country, language),
    sources: sources.map((source) => nameSource(source, language)),
  }));
  return {
    ...(country === undefined ? {} : { country, countryName: nameCountry(country, language) }),
    ...(region === undefined ? {} : { region: namePlace(country ?? "", region) }),
    ...(city === undefined ? {} : { city: namePlace(country ?? "", city) }),
    ...rest,
    ...(named === undefined ? {} : { claims: named }),
  };
}
