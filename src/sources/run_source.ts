import type { Address } from "#address";
import type { SourceRun } from "#evidence";
import type { DailyBudget, Reservation } from "#upstream";
import { type AskPorts, askSource, outcomeOfVerdict, SURVEY_DEADLINE } from "./ask_source.ts";
import { failed, type Outcome, skipped } from "./outcome.ts";
import { findSkip } from "./settings.ts";
import { describeRun, type Source } from "./source.ts";
import { askTable } from "./table_survey.ts";

/** Everything that a run needs from outside. */
export interface RunPorts extends AskPorts {
  readonly budget: DailyBudget;
  /**
   * Resolves when the free sources have answered: true = their answers are enough for this address. A scarce source
   * waits for the result, and is skipped if it is true. Absent = every source is asked.
   */
  readonly isConclusive?: () => Promise<boolean>;
}

/**
 * Asks one source about one address and reports what happened. Never rejects: every failure becomes a `failed` run
 * with its reason and without an observation. `signal` is the deadline of the survey.
 */
export async function runSource(
  source: Source,
  address: Address,
  ports: RunPorts,
  signal: AbortSignal,
): Promise<SourceRun> {
  const skip = findSkip(source, address, ports.settings) ?? (await findSettledSkip(source, ports));
  const startedMs = ports.now();
  const outcome = skip ?? (await reach(source, address, ports, signal));
  return {
    ...describeRun(source),
    ms: Math.max(0, Math.round(ports.now() - startedMs)),
    ...outcome,
  };
}

async function findSettledSkip(source: Source, ports: RunPorts): Promise<Outcome | undefined> {
  if (source.scarce !== true || ports.isConclusive === undefined) return undefined;
  return (await ports.isConclusive()) ? skipped("settled") : undefined;
}

/** Asks the source unless its circuit breaker, its zone's self-test or its daily budget forbids it. */
async function reach(
  source: Source,
  address: Address,
  ports: RunPorts,
  survey: AbortSignal,
): Promise<Outcome> {
  if (source.local === true) return askTable(source, address, ports);
  if (survey.aborted) return failed(SURVEY_DEADLINE);
  if (!ports.breaker.admit(source.id))
    return skipped(ports.breaker.isToldToWait(source.id) ? "told_to_wait" : "paused");

  const zoneKey = `${source.id}/${address.version}`;
  const verdict = ports.zones.recall(zoneKey);
  if (verdict !== undefined && verdict.state !== "alive") return outcomeOfVerdict(verdict);

  const reservation = await reserveInTime(ports.budget, source.id, survey);
  if (reservation === "late") return failed(SURVEY_DEADLINE);
  if (reservation === undefined) return skipped("daily_budget");
  return askSource(source, address, ports, survey, { zoneKey, verdict, reservation });
}

/**
 * Reserves a request in the daily budget. A slow database must not delay the survey, so a late reservation is released.
 */
function reserveInTime(
  budget: DailyBudget,
  id: string,
  survey: AbortSignal,
): Promise<Reservation | undefined | "late"> {
  return new Promise((resolve) => {
    const giveUp = () => resolve("late");
    survey.addEventListener("abort", giveUp, { once: true });
    void budget.reserve(id).then((reservation) => {
      survey.removeEventListener("abort", giveUp);
      if (survey.aborted) reservation?.release();
      resolve(survey.aborted ? "late" : reservation);
    });
  });
}
