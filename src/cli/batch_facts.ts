import type { Evidence, Survey } from "#evidence";
import type { Answer } from "#lookup";
import { type Assessment, FLAGS, type Flag } from "#report";
import { judge } from "#scoring";

/** What a row of a batch tells of an address. */
export interface BatchFacts
  extends Pick<Assessment, "address" | "purity" | "band" | "confidence" | "usage" | "native" | "surveyedAt"> {
  readonly flags: readonly Flag[];
  readonly country?: string;
  readonly asn?: number;
  readonly asName?: string;
  /** Lists that accuse it. */
  readonly listed: number;
  /** Sources that failed. */
  readonly failed: number;
  /** Live sources heard, or undefined where none was to be asked. */
  readonly heard?: number;
}

/** The facts of a report. */
export function factsOfAnswer(
  { assessment, heard }: Pick<Answer, "assessment" | "heard">,
  live: boolean,
): BatchFacts {
  const { address, purity, band, confidence, usage, native, surveyedAt, flags, listings, sources } =
    assessment;
  const isPublic = !flags.isBogon;
  return {
    address,
    purity,
    band,
    confidence,
    usage,
    native,
    surveyedAt,
    flags: FLAGS.filter((flag) => flags[flag]),
    ...nameNetwork(assessment),
    listed: listings.filter((one) => one.listed && !one.benign).length,
    failed: sources.filter(({ state }) => state === "failed").length,
    ...(live && isPublic ? { heard } : {}),
  };
}

/** The same facts straight from the evidence of a survey of the tables: a row needs no sentence and no use case. */
export function factsOfEvidence(survey: Survey, evidence: Evidence): BatchFacts {
  const { purity, band, confidence } = judge(evidence);
  const accusing = evidence.listings.filter(
    ({ listed, meanings }) => listed && !meanings.every((one) => one === "policy" || one === "info"),
  );
  return {
    address: survey.address,
    purity,
    band,
    confidence,
    usage: evidence.usage.type,
    native: evidence.native.type,
    surveyedAt: survey.surveyedAt,
    flags: FLAGS.filter((flag) => evidence.flags[flag].value),
    ...nameNetwork(evidence),
    listed: accusing.length,
    failed: survey.runs.filter(({ state }) => state === "failed").length,
  };
}

function nameNetwork({
  geo,
  asn,
}: Pick<Assessment, "geo" | "asn">): Pick<BatchFacts, "country" | "asn" | "asName"> {
  return {
    ...(geo?.country === undefined ? {} : { country: geo.country }),
    ...(asn?.asn === undefined ? {} : { asn: asn.asn }),
    ...(asn?.name === undefined ? {} : { asName: asn.name }),
  };
}
