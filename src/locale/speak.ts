import type {
  Assessment,
  Confidence,
  Factor,
  Language,
  Place,
  Report,
  Saying,
  SourceState,
  Tier,
} from "#report";
import { recite } from "./facts.ts";
import { nameCountry } from "./name_country.ts";
import { type RatingSum, showFeedback } from "./show_feedback.ts";
import type { PartialTexts, Phrase, Tell } from "./texts.ts";
import { wordsOf } from "./words_of.ts";

/** What a report says about its own making. `reportUrl` is the absolute address of the page for people. */
export interface SpeakContext {
  readonly language: Language;
  readonly tier: Tier;
  readonly stale: boolean;
  readonly reportUrl: string;
  /** What visitors said of the address; no part of the assessment. */
  readonly votes?: readonly RatingSum[];
}

/**
 * Speaks an assessment in one language: ids become sentences, facts stay as they are.
 * Ids without a text (retired, or newer than this build) are shown as they are and, in English,
 * listed in `untranslated` when they are deductions. Strings from outside pass through unchanged:
 * escaping is the renderers' work. Parts of the assessment are shared with the report, not copied.
 */
export function speak(assessment: Assessment, context: SpeakContext): Report {
  const { language } = context;
  const texts = wordsOf(language);
  const { band, geo, vpn } = assessment;
  const feedback = showFeedback(context.votes ?? []);

  return {
    ip: assessment.address,
    version: assessment.version,
    queriedAt: assessment.surveyedAt,
    source: context.tier,
    stale: context.stale,
    usageType: assessment.usage,
    nativeType: assessment.native,
    flags: assessment.flags,
    flagAgreement: assessment.agreement,
    vpnOperator: vpn ?? null,
    ...(geo === undefined ? {} : { geo: namePlace(geo, language) }),
    ...(assessment.asn === undefined ? {} : { asn: assessment.asn }),
    ...(assessment.registry === undefined ? {} : { registry: assessment.registry }),
    risk: {
      purity: assessment.purity,
      level: band,
      label: texts.bands[band],
      verdict: tellOf(texts.verdicts, assessment.verdict.id, texts.anyVerdict)(assessment.verdict.data),
      confidence: context.stale ? lower(assessment.confidence) : assessment.confidence,
      factors: assessment.factors.map((factor) => speakFactor(factor, texts)),
    },
    scenarios: assessment.scenarios.map((scenario) => ({
      id: scenario.id,
      label: texts.scenarios[scenario.id],
      score: scenario.score,
      level: scenario.level,
      levelLabel: texts.levels[scenario.level],
      reason: texts.joinReasons(
        scenario.reasons.map((reason) => tellOf(texts.reasons, reason.id, () => reason.id)(reason.data)),
      ),
    })),
    scenarioApplicable: assessment.note === undefined,
    ...(assessment.note === undefined ? {} : { scenarioNote: speakNote(assessment.note, texts) }),
    blocklists: assessment.listings.map(({ zone, label, listed, benign, unavailable }) => ({
      zone,
      label,
      listed,
      benign,
      unavailable,
    })),
    abuse: assessment.abuse,
    exposure: assessment.exposure ?? null,
    sharing: assessment.sharing ?? null,
    sources: assessment.sources.map((source) => speakSource(source, texts)),
    ...(feedback === undefined ? {} : { feedback }),
    reportUrl: context.reportUrl,
    unknowns: assessment.unknowns.map((unknown) => speakUnknown(unknown, texts)),
    ...(language === "en" ? { lang: "en", untranslated: findUntranslated(assessment, texts) } : {}),
  };
}

/** A stale report tells of the past: its confidence is one step lower, its purity as it was. */
function lower(confidence: Confidence): Confidence {
  return confidence === "high" ? "medium" : "low";
}

/** The text of an id; own keys only, so that an id such as `constructor` finds nothing. */
function textOf<T>(table: Readonly<Partial<Record<string, T>>>, id: string): T | undefined {
  return Object.hasOwn(table, id) ? table[id] : undefined;
}

function tellOf(table: Readonly<Record<string, Tell>>, id: string, fallback: Tell): Tell {
  return textOf(table, id) ?? fallback;
}

function speakFactor(factor: Factor, texts: PartialTexts): Report["risk"]["factors"][number] {
  const phrase = textOf<Phrase>(texts.factors, factor.id);
  return {
    id: factor.id,
    label: phrase?.label ?? factor.id,
    category: factor.category,
    points: factor.points,
    detail: phrase?.detail(factor.data) ?? recite(factor.data),
    ...(factor.floor === undefined ? {} : { floor: factor.floor }),
  };
}

function speakNote(note: Saying, texts: PartialTexts): string {
  return tellOf(texts.notes, note.id, () => texts.anyNote)(note.data);
}

function speakUnknown(unknown: Saying, texts: PartialTexts): Report["unknowns"][number] {
  const phrase = textOf<Phrase>(texts.unknowns, unknown.id);
  return {
    id: unknown.id,
    label: phrase?.label ?? unknown.id,
    detail: phrase?.detail(unknown.data) ?? recite(unknown.data),
  };
}

/** Each kind of source in one piece: a report has a hundred, and putting objects together twice is half of speaking. */
function speakSource(source: SourceState, texts: PartialTexts): Report["sources"][number] {
  const { name, kind, ms, state, detail } = source;
  if (state === "failed") {
    const known = detail === undefined ? undefined : textOf(texts.sourceDetails, detail);
    const error = known ?? bracket(texts.runErrors[source.error ?? "unavailable"], detail, texts);
    return { name, kind, ok: false, ms, error };
  }
  if (state === "skipped") {
    const skipped = bracket(texts.skips[source.skipped ?? "turned_off"], detail, texts);
    return { name, kind, ok: false, ms, skipped };
  }
  const told = speakDetails(source, texts);
  return told === undefined ? { name, kind, ok: true, ms } : { name, kind, ok: true, ms, detail: told };
}

function bracket(sentence: string, detail: string | undefined, texts: PartialTexts): string {
  return detail === undefined ? sentence : texts.bracket(sentence, detail);
}

function speakDetails({ state, detail, dataDate }: SourceState, texts: PartialTexts): string | undefined {
  if (state !== "empty" && detail === undefined && dataDate === undefined) return undefined;
  const details: string[] = [];
  if (state === "empty") details.push(texts.noRecord);
  if (detail !== undefined) details.push(textOf(texts.sourceDetails, detail) ?? detail);
  if (dataDate !== undefined) details.push(texts.dataDate(dataDate));
  return texts.joinDetails(details);
}

function namePlace(place: Place, language: Language): NonNullable<Report["geo"]> {
  const { country, ...rest } = place;
  return country === undefined ? rest : { country, countryName: nameCountry(country, language), ...rest };
}

function findUntranslated(assessment: Assessment, texts: PartialTexts): string[] {
  const ids = assessment.factors.map((factor) => factor.id);
  return [...new Set(ids)].filter((id) => textOf<Phrase>(texts.factors, id) === undefined);
}
