import type { Address } from "#address";
import { MINUTE_MS } from "#common";
import type { Survey } from "#evidence";
import type { Answer } from "./answer.ts";
import { assess } from "./assess.ts";
import { NO_VOTES } from "./known_reports.ts";

/**
 * Answers about a special-purpose address. The report is the same for a minute: its time is the start of the minute,
 * and its source needs no measurable time. So it has one tag in this minute, although it is never stored.
 */
export async function answerSpecial(
  address: Address,
  survey: (address: Address) => Promise<Survey>,
): Promise<Answer> {
  const surveyed = await survey(address);
  const minute = Math.floor(Date.parse(surveyed.surveyedAt) / MINUTE_MS) * MINUTE_MS;
  const assessment = assess({
    ...surveyed,
    surveyedAt: new Date(minute).toISOString(),
    runs: surveyed.runs.map((run) => ({ ...run, ms: 0 })),
  });
  return { tier: "fresh", stale: false, assessment, votes: NO_VOTES, liveAnswers: 0 };
}
