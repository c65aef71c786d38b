import type { Address } from "#address";
import type { Datasets } from "#datasets";
import type { SourceRun } from "#evidence";
import type { SkipReason } from "#report";
import {
  type Breaker,
  type Budget,
  type BudgetTicket,
  type Turn,
  type Upstream,
  UpstreamError,
} from "#upstream";
import { askTable } from "./ask_table.ts";
import { boundObservation } from "./bound_observation.ts";
import { classifyError } from "./classify_error.ts";
import { describeRun } from "./describe_run.ts";
import { failedWith } from "./failed_with.ts";
import { isNeverSent } from "./is_never_sent.ts";
import { markAgeing } from "./mark_ageing.ts";
import { rankSource } from "./rank_source.ts";
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

/**
 * The question and, where one is due, the self-test of the zone, within one time limit. It begins when the source gets
 * its place among those under way, and the test when the question has ended: who is silent holds one place.
 */
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
  const clock = createTimeLimit(source.timeoutMs, limit);
  const onSurveyEnd = () => limit.abort(survey.reason);
  survey.addEventListener("abort", onSurveyEnd, { once: true });

  const rank = rankSource(source, ports.breaker);
  const { upstream, wasAsked, orderedMs } = watch(ports.upstream, {
    get rank() {
      return clock.hasBegun ? 0 : rank;
    },
    waits: clock.hold,
    begins: clock.begin,
  });
  try {
    const [answer, verdict] = await within(limit.signal, async () => {
      const asked = await settle(
        ask(source, address, { upstream, datasets: ports.datasets }, limit.signal, secret),
      );
      if (remembered !== undefined || source.selfTest === undefined) return [asked, remembered] as const;
      const points = source.selfTest(address.version, secret);
      const tested = await ports.zones.test(healthKey(source, address), points, upstream, limit.signal);
      return [asked, tested] as const;
    });
    if (verdict?.state === "retired") {
      ports.breaker.succeeded(source.id);
      return outcomeOfVerdict(verdict);
    }
    if (answer.status === "rejected") throw answer.reason;
    const observation = source.read(answer.value, address);
    ports.breaker.succeeded(source.id);
    if (verdict?.state === "unknown") return outcomeOfVerdict(verdict);
    const bounded =
      observation === undefined ? undefined : boundObservation(markAgeing(observation, source, ports.now()));
    return bounded === undefined ? { state: "empty" } : { state: "answered", observation: bounded };
  } catch (error) {
    const known = withWait(classifyError(error), orderedMs());
    ports.breaker.failed(source.id, known);
    if (!wasAsked() || isNeverSent(known)) ticket.giveBack();
    else if (known.kind === "timeout" && isTimeLimit(limit.signal) && isUntested(source, remembered))
      ports.zones.missed(healthKey(source, address), known.detail);
    return failedWith(survey.aborted && known.kind === "timeout" ? SURVEY_DEADLINE : known);
  } finally {
    clock.stop();
    survey.removeEventListener("abort", onSurveyEnd);
  }
}

function isUntested(source: Source, remembered: ZoneVerdict | undefined): boolean {
  return source.selfTest !== undefined && remembered === undefined;
}

/** A time limit that does not run while the source waits for its first place. */
function createTimeLimit(
  timeoutMs: number,
  limit: AbortController,
): {
  readonly hasBegun: boolean;
  readonly hold: () => void;
  readonly begin: () => void;
  readonly stop: () => void;
} {
  let hasBegun = false;
  const start = () =>
    setTimeout(() => limit.abort(new DOMException("The source took too long", "TimeoutError")), timeoutMs);
  let timer: Timer | undefined = start();
  return {
    get hasBegun() {
      return hasBegun;
    },
    hold() {
      if (hasBegun) return;
      clearTimeout(timer);
      timer = undefined;
    },
    begin() {
      hasBegun = true;
      timer ??= start();
    },
    stop() {
      clearTimeout(timer);
    },
  };
}

async function settle<Value>(work: Promise<Value>): Promise<PromiseSettledResult<Value>> {
  try {
    return { status: "fulfilled", value: await work };
  } catch (reason) {
    return { status: "rejected", reason };
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

/** Notes whether anything was asked at all, and what the last HTTP answer ordered us to wait, in milliseconds. */
function watch(
  upstream: Upstream,
  turn: Turn,
): {
  readonly upstream: Upstream;
  readonly wasAsked: () => boolean;
  readonly orderedMs: () => number | undefined;
} {
  let asked = false;
  let orderedMs: number | undefined;
  const note = (method: Upstream["a"]): Upstream["a"] => {
    return (name, signal) => {
      asked = true;
      return method(name, signal, turn);
    };
  };
  return {
    upstream: {
      async http(question, signal) {
        asked = true;
        const answer = await upstream.http(question, signal, turn);
        orderedMs = answer.retryAfterMs;
        return answer;
      },
      a: note(upstream.a),
      aaaa: note(upstream.aaaa),
      txt: note(upstream.txt),
      ptr: note(upstream.ptr),
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
