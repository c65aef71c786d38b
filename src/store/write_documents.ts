import type { Assessment } from "#report";
import type { Cast } from "./cast.ts";
import type { CastBook } from "./cast_book.ts";
import { packAssessment } from "./pack_assessment.ts";
import { packSurvey } from "./pack_survey.ts";
import { seal } from "./seal.ts";

/** A report's columns as they are written, and the cast they need. */
export interface Documents {
  readonly assessment: string | Uint8Array;
  readonly survey: Uint8Array;
  readonly cast?: Cast;
}

/** Packs a survey and its assessment; what is not in the form of a survey is kept as it is. */
export function writeDocuments(assessment: Assessment, survey: string, casts: CastBook): Documents {
  const { address } = assessment;
  const parsed = parseSurvey(survey);
  const cast = parsed && casts.cast(parsed.runs);
  if (parsed === undefined || cast === undefined) {
    return { assessment: JSON.stringify(assessment), survey: Bun.zstdCompressSync(survey) };
  }
  return {
    assessment: sealAssessment(assessment, [cast]),
    survey: seal(address, { castId: cast.id, body: packSurvey(parsed, cast) }),
    cast,
  };
}

/** Packs an assessment with the first cast that is its own; without one it stays JSON. */
export function sealAssessment(assessment: Assessment, casts: readonly Cast[]): string | Uint8Array {
  for (const cast of casts) {
    const body = packAssessment(assessment, cast);
    if (body !== undefined) return seal(assessment.address, { castId: cast.id, body });
  }
  return JSON.stringify(assessment);
}

function parseSurvey(json: string): { readonly runs: readonly object[] } | undefined {
  let survey: unknown;
  try {
    survey = JSON.parse(json);
  } catch {
    return undefined;
  }
  if (typeof survey !== "object" || survey === null || !("runs" in survey) || !Array.isArray(survey.runs))
    return undefined;
  const runs: readonly unknown[] = survey.runs;
  return runs.every((run) => typeof run === "object" && run !== null)
    ? { ...survey, runs: runs as readonly object[] }
    : undefined;
}
