import type { Address } from "#address";
import type { Datasets } from "#datasets";
import type { SourceRun } from "#evidence";
import type { SkipReason } from "#report";
import { type Breaker, type Budget, type BudgetTicket, type Upstream, UpstreamError } from "#upstream";
import { askTable } from "./ask_table.ts";
import { boundObservation } from "./bound_observation.ts";
import { classifyError } from "./classify_error.ts";
import { describeRun } from "./describe_run.ts";
import { failedWith } from "./failed_with.ts";
import { isNeverSent } from "./is_never_sent.ts";
import { markAgeing } from "./mark_ageing.ts";
import type { Source, SourcePorts } from "./source.ts";
import type { ZoneHealth, ZoneVerdict } from "./zone_health.ts";

/** What the operator has decided about sources. */
export interface SourceSettings {
  /** False: only tables held by the process are asked. */
  readonly live: boolean;
  readonly allowNoncommercial: boolean;
  readonly contact?: string;
  /** Ids of sources and zones that are left out. */
  readonly off: ReadonlySet<string>;
  /** Keys by source id. */
  readonly secrets: ReadonlyMap<string, string>;
}

/** Everything a run needs from outside. `now` in milliseconds. */
export interface RunPorts {
  readonly upstream: Upstream;
  readonly datasets: Datasets;
  readonly breaker: Breaker;
  readonly budget: Budget;
  readonly zones: ZoneHealth;
  readonly settings: SourceSettings;
  /**
   * Whether the free answers have settled the address by themselves: a scarce source waits for it, and is not asked
   * if so. Absent = everybody is asked.
   */
  readonly settled?: () => Promise<boolean>;
  readonly now: () => number;
}

/** How a run ended, without what is known of the source beforehand. */
type Outcome = Pick<SourceRun, "state" | "error" | "detail" | "skipped" | "observation">;

const SURVEY_DEADLINE = new UpstreamError("timeout", "survey deadline");

/**
 * Asks one source about one address and tells what became of it. Never rejects: whatever goes wrong is a
 * `failed` run with its reason and without an observation. `signal` is the survey's deadline.
 */
export async function run(
  source: Source,
  address: Address,
  ports: RunPorts,
  signal: AbortSignal,
): Promise<SourceRun> {
  const skipped = findChosenSkip(source, address, ports.settings) ?? (await findSettledSkip(source, ports));
  const startedMs = ports.now();
  const outcome =
    skipped ??
    (await (source.local === true
      ? askTable(source, address, ports)
      : reachOutcome(source, address, ports, signal)));
  return {
    ...describeRun(source),
    ms: Math.max(0, Math.round(ports.now() - startedMs)),
    ...outcome,
  };
}

async function reachOutcome(
  source: Source,
  address: Address,
  ports: RunPorts,
  survey: AbortSignal,
): Promise<Outcome> {
  if (survey.aborted) return failedWith(SURVEY_DEADLINE);
  if (!ports.breaker.admit(source.id)) return skippedFor("paused");

  const remembered = ports.zones.recall(healthKey(source, address));
  if (remembered !== undefined && remembered.state !== "alive") return outcomeOfVerdict(remembered);

  const ticket = await takeInTime(ports.budget, source.id, survey);
  if (ticket === "late") return failedWith(SURVEY_DEADLINE);
  if (ticket === undefined) return skippedFor("daily_budget");
  return askSource(source, address, ports, survey, remembered, ticket);
}

/** Where questions are counted may be slow, and must not hold the survey up: what is granted too late is given back. */
function takeInTime(
  budget: Budget,
  id: string,
  survey: AbortSignal,
): Promise<BudgetTicket | undefined | "late"> {
  return new Promise((resolve) => {
    const giveUp = () => resolve("late");
    survey.addEventListener("abort", giveUp, { once: true });
    void budget.take(id).then((ticket) => {
      survey.removeEventListener("abort", giveUp);
      if (survey.aborted) ticket?.giveBack();
      resolve(survey.aborted ? "late" : ticket);
    });
  });
}

async function findSettledSkip(source: Source, ports: RunPorts): Promise<Outcome | undefined> {
  if (source.scarce !== true || ports.settled === undefined) return undefined;
  return (await ports.settled()) ? skippedFor("settled") : undefined;
}

/** Reasons that hold before anything is looked at, in the order in which they are told. */
function findChosenSkip(source: Source, address: Address, settings: SourceSettings): Outcome | undefined {
  const { off, secrets } = settings;
  if (off.has(source.id) || (source.zone !== undefined && off.has(source.zone.id))) {
    return skippedFor("turned_off");
  }
  const { replacedBy } = source;
  if (replacedBy !== undefined && hasKey(settings, replacedBy) && !off.has(replacedBy)) {
    return skippedFor("turned_off", `${replacedBy} is asked instead`);
  }
  if (source.local !== true && !settings.live) return skippedFor("live_off");
  if (!source.versions.includes(address.version)) return skippedFor("version");
  if (source.secret === "required" && !hasKey({ secrets }, source.id)) return skippedFor("no_key");
  if (source.noncommercial === true && !settings.allowNoncommercial) return skippedFor("noncommercial");
  if (source.needsContact === true && settings.contact === undefined) return skippedFor("no_contact");
  return undefined;
}

/** The question and, where one is due, the self-test of the zone: side by side, within one time limit. */
async function askSource(
  source: Source,
  address: Address,
  ports: RunPorts,
  survey: AbortSignal,
  remembered: ZoneVerdict | undefined,
  ticket: BudgetTicket,
): Promise<Outcome> {
  const secret = ports.settings.secrets.get(source.id) || undefined;
  const limit = new AbortController();
  const timer = setTimeout(
    () => limit.abort(new DOMException("The source took too long", "TimeoutError")),
    source.timeoutMs,
  );
  const onSurveyEnd = () => limit.abort(survey.reason);
  survey.addEventListener("abort", onSurveyEnd, { once: true });

  const { upstream, wasAsked, orderedMs } = watch(ports.upstream);
  const sourcePorts: SourcePorts = { upstream, datasets: ports.datasets };
  try {
    const [answer, verdict] = await within(limit.signal, () =>
      Promise.allSettled([
        ask(source, address, sourcePorts, limit.signal, secret),
        remembered ?? testZone(source, address, ports, limit.signal, secret),
      ] as const),
    );
    if (verdict.status === "fulfilled" && verdict.value?.state === "retired") {
      ports.breaker.succeeded(source.id);
      return outcomeOfVerdict(verdict.value);
    }
    if (answer.status === "rejected") throw answer.reason;
    if (verdict.status === "rejected") throw verdict.reason;
    const observation = source.read(answer.value, address);
    ports.breaker.succeeded(source.id);
    if (verdict.value?.state === "unknown") return outcomeOfVerdict(verdict.value);
    const bounded =
      observation === undefined ? undefined : boundObservation(markAgeing(observation, source, ports.now()));
    return bounded === undefined ? { state: "empty" } : { state: "answered", observation: bounded };
  } catch (error) {
    const known = withWait(classifyError(error), orderedMs());
    ports.breaker.failed(source.id, known);
    if (!wasAsked() || isNeverSent(known)) ticket.giveBack();
    return failedWith(survey.aborted && known.kind === "timeout" ? SURVEY_DEADLINE : known);
  } finally {
    clearTimeout(timer);
    survey.removeEventListener("abort", onSurveyEnd);
  }
}

/** Turns a throw before the first await into a rejection. */
async function ask(
  source: Source,
  address: Address,
  ports: SourcePorts,
  signal: AbortSignal,
  secret: string | undefined,
): Promise<unknown> {
  return source.ask(address, ports, signal, secret);
}

async function testZone(
  source: Source,
  address: Address,
  ports: RunPorts,
  signal: AbortSignal,
  secret: string | undefined,
): Promise<ZoneVerdict | undefined> {
  const points = source.selfTest?.(address.version, secret);
  if (points === undefined) return undefined;
  return ports.zones.test(healthKey(source, address), points, ports.upstream, signal);
}

/** Notes whether anything was asked at all, and what the last HTTP answer ordered us to wait, in milliseconds. */
function watch(upstream: Upstream): {
  readonly upstream: Upstream;
  readonly wasAsked: () => boolean;
  readonly orderedMs: () => number | undefined;
} {
  let asked = false;
  let orderedMs: number | undefined;
  const note = <Args extends readonly unknown[], Result>(method: (...args: Args) => Result) => {
    return (...args: Args): Result => {
      asked = true;
      return method(...args);
    };
  };
  return {
    upstream: {
      http: note(async (question, signal) => {
        const answer = await upstream.http(question, signal);
        orderedMs = answer.retryAfterMs;
        return answer;
      }),
      a: note((name, signal) => upstream.a(name, signal)),
      aaaa: note((name, signal) => upstream.aaaa(name, signal)),
      txt: note((name, signal) => upstream.txt(name, signal)),
      ptr: note((name, signal) => upstream.ptr(name, signal)),
    },
    wasAsked: () => asked,
    orderedMs: () => orderedMs,
  };
}

/** A reader sees a body and no header: what both of them say about waiting holds, whichever is longer. */
function withWait(error: UpstreamError, orderedMs: number | undefined): UpstreamError {
  if (orderedMs === undefined || orderedMs <= (error.retryAfterMs ?? -1)) return error;
  return new UpstreamError(error.kind, error.detail, { retryAfterMs: orderedMs });
}

/**
 * Waits for work that heeds the signal, and hardly longer than the signal if it does not: whoever heeds it
 * tells better what happened, so it gets one turn of the event loop to say so.
 * @throws {UpstreamError} kind `timeout` when the signal fires first.
 */
function within<Value>(signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const giveUp = () =>
      reject(new UpstreamError("timeout", isTimeLimit(signal) ? "no answer in time" : "cancelled"));
    signal.addEventListener("abort", () => setTimeout(giveUp, 0), { once: true });
    work().then(resolve, reject);
  });
}

function isTimeLimit(signal: AbortSignal): boolean {
  return signal.reason instanceof Error && signal.reason.name === "TimeoutError";
}

function outcomeOfVerdict(verdict: ZoneVerdict): Outcome {
  if (verdict.state === "retired") return skippedFor("zone_retired", verdict.reason);
  return failedWith(new UpstreamError("unavailable", `self-test failed: ${verdict.reason}`));
}

function skippedFor(skipped: SkipReason, detail?: string): Outcome {
  return { state: "skipped", skipped, ...(detail === undefined ? {} : { detail }) };
}

function hasKey(settings: Pick<SourceSettings, "secrets">, id: string): boolean {
  return (settings.secrets.get(id) ?? "") !== "";
}

function healthKey(source: Source, address: Address): string {
  return `${source.id}/${address.version}`;
}
