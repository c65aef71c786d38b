import type { SourceRun } from "#evidence";
import {
  CHANGE_TYPES,
  type ChangeType,
  PROBLEM_CODES,
  RUN_ERRORS,
  RUN_STATES,
  SKIP_REASONS,
  TIERS,
} from "#report";
import { readTsv } from "#tsv";
import table from "./metrics.tsv" with { type: "text" };
import { readProcess } from "./process.ts";
import { type Counter, createRegistry, type Histogram, type LabelSets, type Reading } from "./registry.ts";

/** The label of each end of a lookup that is not a tier. */
const END_LABELS = {
  refused: "denied",
  not_in_mirror: "elsewhere",
  overloaded: "overloaded",
  failed: "failed",
} as const;

/** Values that are read when the metrics are written. A part that the process does not have is absent. */
export interface Readings {
  /** Surveys running and waiting, reports in memory, surveys not yet stored, and whether the store can be read. */
  readonly load?: () => Readonly<Record<"running" | "waiting" | "cached" | "unsaved", number>> & {
    readonly storeReadable: boolean;
  };
  /** Rendered responses in memory. */
  readonly replies?: () => { readonly entries: number; readonly bytes: number };
  /** Whether the allowance is counted in the database. */
  readonly isCounted?: () => boolean;
  /** Queries a day by source: our own limit, and how many are used. */
  readonly budgets?: () => Iterable<{ readonly id: string; readonly used: number; readonly limit: number }>;
  readonly zones?: () => Iterable<{ readonly id: string; readonly version: string; readonly state: string }>;
  /** Sources that are not queried now, because they failed or asked us to wait. */
  readonly paused?: () => Iterable<string>;
  readonly feeds?: () => Iterable<Item & { readonly freshness: string; readonly ageMs?: number }>;
  /** `date` of the data, YYYY-MM-DD. */
  readonly tables?: () => Iterable<Item & { readonly date?: string; readonly rows?: number }>;
  readonly replica?: () => { readonly state: string } & Partial<
    Readonly<Record<"lagMs" | "lastSyncAt" | "frame", number>>
  >;
  /** Addresses that are watched, and events that wait for the webhook. */
  readonly watch?: () => { readonly addresses: number; readonly waiting: number };
  /** The longest delay of the event loop since it was last read, seconds. */
  readonly longestDelay?: () => number;
  /** Log lines that could not be written since the process started. */
  readonly lostLogLines?: () => number;
}

interface Item {
  readonly id: string;
  readonly ready: boolean;
}

/** See {@link createMetrics}. */
export type Metrics = ReturnType<typeof createMetrics>;

const METRICS = readTsv(table, ["name", "type", "labels", "bounds", "help"]);

const FRESHNESS = ["fresh", "ageing", "snapshot", "expired", "absent"];
const ZONE_STATES = ["alive", "retired", "unknown"];
const REPLICA_STATES = ["starting", "current", "behind", "rebuilding"];

/** Sets of label values that the table names. */
const SETS = {
  change_types: CHANGE_TYPES,
  freshness: FRESHNESS,
  operations: [
    ...["find", "find_survey", "save", "rescore", "history", "budgets"],
    ...["permits", "challenges", "votes", "watch", "ping"],
  ],
  problem_codes: PROBLEM_CODES,
  refusals: ["new_per_minute", "refresh_per_minute", "open_per_minute", "client_day", "total_day"],
  replica_states: REPLICA_STATES,
  results: [...TIERS, ...Object.values(END_LABELS)],
  run_errors: RUN_ERRORS,
  run_states: RUN_STATES,
  skip_reasons: SKIP_REASONS,
  zone_states: ZONE_STATES,
};

type Sets = Readonly<Record<string, readonly string[] | ReadonlySet<string>>>;

/** What a gauge reads: its samples, or the value of its only series. Without a value it has no sample. */
type GaugeValue = Iterable<Reading> | number | boolean | undefined;

/**
 * Creates the metrics of this process: events are counted as they happen, values are read on write. No method throws.
 * @throws {Error} when the table of metrics and this file do not agree.
 */
export function createMetrics(options: {
  readonly version: string;
  readonly scoringVersion: number;
  readonly role: "full" | "mirror";
  /** Route patterns, never paths. The set may grow later. */
  readonly routes: ReadonlySet<string>;
  readonly shapes: readonly string[];
  readonly sources: readonly string[];
  readonly feeds: readonly string[];
  readonly tables: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly startedAt: number;
  readonly process?: typeof readProcess;
}) {
  const { now, version, role, routes, shapes, sources, feeds, tables } = options;
  const scoring = String(options.scoringVersion);
  const registry = createRegistry();
  const readings: { -readonly [Key in keyof Readings]: Readings[Key] } = {};
  const preparing: (() => Promise<void>)[] = [];
  let state = (options.process ?? readProcess)();

  /** The gauges, and the counters that are kept elsewhere. */
  const gauges: Readonly<Record<string, () => GaugeValue>> = {
    limpid_surveys_running: () => readings.load?.().running,
    limpid_surveys_waiting: () => readings.load?.().waiting,
    limpid_cache_entries: () => readings.load?.().cached,
    limpid_unsaved_surveys: () => readings.load?.().unsaved,
    limpid_store_up: () => readings.load?.().storeReadable,
    limpid_allowance_counted: () => readings.isCounted?.(),
    limpid_reply_cache_entries: () => readings.replies?.().entries,
    limpid_watch_addresses: () => readings.watch?.().addresses,
    limpid_watch_waiting: () => readings.watch?.().waiting,
    limpid_reply_cache_bytes: () => readings.replies?.().bytes,
    limpid_source_budget_used: () => list(readings.budgets, ({ used }) => used),
    limpid_source_budget_limit: () => list(readings.budgets, ({ limit }) => limit),
    limpid_source_paused: () => {
      const paused = new Set(readings.paused?.() ?? []);
      return readings.paused === undefined ? [] : sources.map((id) => [[id], paused.has(id) ? 1 : 0]);
    },
    limpid_zone_state: () =>
      [...(readings.zones?.() ?? [])].flatMap((zone) =>
        ZONE_STATES.map((one) => [[zone.id, zone.version, one], zone.state === one ? 1 : 0] as const),
      ),
    limpid_feed_ready: () => list(readings.feeds, ({ ready }) => Number(ready)),
    limpid_feed_age_seconds: () => list(readings.feeds, ({ ageMs }) => seconds(ageMs)),
    limpid_feeds: () => {
      if (readings.feeds === undefined) return [];
      const all = [...readings.feeds()];
      return FRESHNESS.map((one) => [[one], all.filter(({ freshness }) => freshness === one).length]);
    },
    limpid_table_ready: () => list(readings.tables, ({ ready }) => Number(ready)),
    limpid_table_rows: () => list(readings.tables, ({ rows }) => rows),
    limpid_table_age_seconds: () =>
      list(readings.tables, ({ date = "" }) => {
        const ageMs = now() - Date.parse(date);
        return Number.isNaN(ageMs) ? undefined : Math.max(0, ageMs / 1000);
      }),
    limpid_replica_state: () => {
      const replica = readings.replica?.();
      return replica && REPLICA_STATES.map((one) => [[one], replica.state === one ? 1 : 0]);
    },
    limpid_replica_lag_seconds: () => seconds(readings.replica?.().lagMs),
    limpid_replica_last_sync_timestamp_seconds: () => seconds(readings.replica?.().lastSyncAt),
    limpid_replica_frame: () => readings.replica?.().frame,
    limpid_event_loop_longest_delay_seconds: () => readings.longestDelay?.(),
    limpid_log_lines_lost_total: () => readings.lostLogLines?.(),
    process_cpu_seconds_total: () => state.cpuSeconds,
    process_resident_memory_bytes: () => state.residentBytes,
    process_heap_bytes: () => state.heapTotalBytes,
    process_heap_used_bytes: () => state.heapUsedBytes,
    process_open_fds: () => state.openFiles,
    process_max_fds: () => state.maxFiles,
    process_start_time_seconds: () => options.startedAt / 1000,
    limpid_build_info: () => [[[version, scoring, role], 1]],
  };

  const counters = new Map<string, Counter>();
  const histograms = new Map<string, Histogram>();
  const sets: Sets = {
    ...SETS,
    routes,
    shapes,
    sources,
    feeds,
    tables,
    version: [version],
    scoring: [scoring],
  };
  for (const { name, type, labels: text, bounds, help } of METRICS) {
    const labels = readLabels(text, sets);
    const read = gauges[name];
    if (read !== undefined) {
      registry.gauge(name, help, labels, () => toReadings(read()), type === "counter" ? type : "gauge");
    } else if (type === "counter") {
      counters.set(name, registry.counter(name, help, labels));
    } else if (type === "histogram") {
      histograms.set(name, registry.histogram(name, help, labels, bounds.split(" ").map(Number)));
    } else throw new Error(`Cannot read the metric "${name}": it has no reader`);
  }
  const requests = get(counters, "limpid_http_requests_total");
  const requestSeconds = get(histograms, "limpid_http_request_seconds");
  const problems = get(counters, "limpid_http_problems_total");
  const answers = get(counters, "limpid_answers_total");
  const surveySeconds = get(histograms, "limpid_survey_seconds");
  const runs = get(counters, "limpid_source_runs_total");
  const runSeconds = get(histograms, "limpid_source_run_seconds");
  const questions = get(counters, "limpid_upstream_questions_total");
  const admissions = get(counters, "limpid_admissions_total");
  const verifications = get(counters, "limpid_verifications_total");
  const votes = get(counters, "limpid_votes_total");
  const operations = get(counters, "limpid_store_operations_total");
  const operationSeconds = get(histograms, "limpid_store_seconds");
  const refreshes = get(counters, "limpid_feed_refreshes_total");
  const changes = get(counters, "limpid_watch_changes_total");
  const deliveries = get(counters, "limpid_watch_messages_total");
  const delays = get(histograms, "limpid_event_loop_delay_seconds");
  const uncaught = get(counters, "limpid_uncaught_errors_total");

  return {
    request(request: {
      readonly route: string;
      readonly shape: string;
      readonly status: number;
      readonly ms: number;
      readonly code?: string;
      readonly reason?: string;
    }): void {
      const { route, shape, status, ms, code, reason } = request;
      requests.add([route, shape, String(status)]);
      requestSeconds.observe([route], ms / 1000);
      if (code !== undefined) problems.add([code, reason ?? ""]);
    },
    /** A lookup ended: the tier that answered, or why there was no answer. */
    answered: (end: (typeof TIERS)[number] | keyof typeof END_LABELS): void =>
      answers.add([end in END_LABELS ? END_LABELS[end as keyof typeof END_LABELS] : end]),
    surveyed(
      sourceRuns: readonly Pick<SourceRun, "id" | "local" | "state" | "ms" | "error" | "skipped">[],
      elapsed: number,
    ): void {
      surveySeconds.observe([], elapsed);
      for (const run of sourceRuns) {
        runs.add([run.id, run.state, run.error ?? run.skipped ?? ""]);
        if (!run.local && run.state !== "skipped") runSeconds.observe([run.id], run.ms / 1000);
      }
    },
    asked: (transport: "http" | "dns", outcome: string): void => questions.add([transport, outcome]),
    /** A survey was requested: `outcome` is "admitted" or the reason of the refusal. */
    admitted: (kind: "new-ip" | "refresh", outcome: string): void => admissions.add([kind, outcome]),
    verified: (result: string): void => verifications.add([result]),
    voted: (): void => votes.add([]),
    stored(operation: string, outcome: "ok" | "failed", elapsed: number): void {
      operations.add([operation, outcome]);
      operationSeconds.observe([operation], elapsed);
    },
    refreshed: (id: string, outcome: "updated" | "unchanged" | "failed"): void =>
      refreshes.add([id, outcome]),
    changed: (type: ChangeType): void => changes.add([type]),
    /** A message was sent to the webhook, or could not be. */
    delivered: (outcome: "sent" | "failed"): void => deliveries.add([outcome]),
    delayed: (delay: number): void => delays.observe([], delay),
    /** An error that no code caught. */
    uncaught: (): void => uncaught.add([]),
    /** Adds values that are read on write. */
    attach: (more: Readings): void => void Object.assign(readings, more),
    /** Adds asynchronous work that runs before each write. */
    prepare: (work: () => Promise<void>): void => void preparing.push(work),
    async write(): Promise<string> {
      await Promise.allSettled(preparing.map((work) => work()));
      state = (options.process ?? readProcess)();
      return registry.write();
    },
  };
}

/** Finds a metric by the name in the table. @throws {Error} when the table has none. */
function get<Metric>(metrics: ReadonlyMap<string, Metric>, name: string): Metric {
  const metric = metrics.get(name);
  if (metric === undefined) throw new Error(`Cannot count "${name}": the table has no such metric`);
  return metric;
}

/** Reads `NAME=VALUES` for each label, as the head of the table describes it. */
function readLabels(text: string, sets: Sets): LabelSets {
  const find = (name: string) => {
    const values = sets[name];
    if (values === undefined) throw new Error(`Cannot read the labels "${text}": there is no set "${name}"`);
    return values;
  };
  return text
    .split(" ")
    .filter(Boolean)
    .map((label) => {
      const [name = "", values = ""] = label.split("=");
      // A set alone stays the same object, because it may grow.
      const isSet = /^@\w+$/.test(values);
      if (isSet) return [name, find(values.slice(1))];
      return [
        name,
        values.split(",").flatMap((one) => (one.startsWith("@") ? [...find(one.slice(1))] : one)),
      ];
    });
}

function toReadings(value: GaugeValue): Iterable<Reading> {
  if (value === undefined) return [];
  return typeof value === "object" ? value : [[[], Number(value)]];
}

function seconds(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : ms / 1000;
}

/** The values of items by their id; an item without one is left out. */
function list<Item extends { readonly id: string }>(
  read: (() => Iterable<Item>) | undefined,
  toValue: (item: Item) => number | undefined,
): Reading[] {
  return [...(read?.() ?? [])].flatMap((item) => {
    const value = toValue(item);
    return value === undefined ? [] : [[[item.id], value]];
  });
}
