import { localize } from "#locale";
import type { Answer } from "#lookup";
import type { Language, Report } from "#report";
import type { HttpDeps } from "./http_deps.ts";
import { reportUrlOf } from "./report_url.ts";

/** The report of an answer in one language, citing its page on this service. */
export function speakAnswer(deps: Pick<HttpDeps, "baseUrl">, answer: Answer, language: Language): Report {
  const { assessment, tier, stale, votes } = answer;
  const reportUrl = reportUrlOf(deps.baseUrl, assessment.address, language);
  return localize(assessment, { language, tier, stale, reportUrl, votes });
}
