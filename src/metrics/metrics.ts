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
import { type ProcessState, readProcess } from "./process.ts";
import { createRegistry, type Reading } from "./registry.ts";

/** The label of each end of a lookup that is not a tier. */
const END_LABELS = {
  refused: "denied",
  not_in_mirror: "elsewhere",
  overloaded: "overloaded",
  failed: "failed",
} as const;

/** Label values that only the composition knows, and the clock. */
export interface MetricsOptions {
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
  readonly process?: () => ProcessState;
}

/** Values that are read when the metrics are written. A part that the process does not have is absent. */
export interface Readings {
  /** Surveys running and waiting, reports in memory, surveys not yet stored, and whether the store can be read. */
  readonly load?: () => {
    readonly running: number;
    readonly waiting: number;
    readonly cached: number;
    readonly unsaved: number;
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
  readonly feeds?: () => Iterable<{
    readonly id: string;
    readonly ready: boolean;
    readonly freshness: string;
    readonly ageMs?: number;
  }>;
  /** `date` of the data, YYYY-MM-DD. */
  readonly tables?: () => Iterable<{
    readonly id: string;
    readonly ready: boolean;
    readonly date?: string;
    readonly rows?: number;
  }>;
  readonly replica?: () => {
    readonly state: string;
    readonly lagMs?: number;
    readonly lastSyncAt?: number;
    readonly frame?: number;
  };
  /** Addresses that are watched, and events that wait for the webhook. */
  readonly watch?: () => { readonly addresses: number; readonly waiting: number };
  /** The longest delay of the event loop since it was last read, seconds. */
  readonly longestDelay?: () => number;
  /** Log lines that could not be written since the process started. */
  readonly lostLogLines?: () => number;
}

/** See {@link createMetrics}. */
export type Metrics = ReturnType<typeof createMetrics>;

/** Statuses that the service may send; 499 = the client disconnected. */
const STATUSES = [
  200, 202, 204, 302, 304, 400, 401, 403, 404, 405, 406, 409, 413, 414, 415, 429, 499, 500, 503,
].map(String);
const REFUSALS = ["new_per_minute", "refresh_per_minute", "open_per_minute", "client_day", "total_day"];
const REASONS = [...REFUSALS, "lookups_per_minute", "refresh", "feedback", "cross_site", ""];
const CHECK_RESULTS = ["passed", "failed", "expired", "replayed", "unavailable"];
const OPERATIONS = [
  "find",
  "find_survey",
  "save",
  "rescore",
  "history",
  "budgets",
  "permits",
  "challenges",
  "votes",
  "watch",
  "ping",
];
const FRESHNESS = ["fresh", "ageing", "snapshot", "expired", "absent"];
const ZONE_STATES = ["alive", "retired", "unknown"];
const REPLICA_STATES = ["starting", "current", "behind", "rebuilding"];

/** From a report in memory to a survey that waited in the queue. Seconds. */
const REQUEST_BOUNDS = [0.000_25, 0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25];
const SURVEY_BOUNDS = [0.1, 0.25, 0.5, 1, 1.5, 2, 3, 4, 6, 10, 20];
const RUN_BOUNDS = [0.025, 0.1, 0.25, 0.5, 1, 2, 4];
const STORE_BOUNDS = [0.000_1, 0.000_5, 0.001, 0.005, 0.025, 0.1, 0.5, 2, 10];
const DELAY_BOUNDS = [0.001, 0.005, 0.025, 0.1, 0.5, 2];

/**
 * Creates the metrics of this process: events are counted as they happen, values are read on write. No method throws.
 * Names follow https://prometheus.io/docs/practices/naming/.
 */
export function createMetrics(options: MetricsOptions) {
  const { sources, feeds, tables, now } = options;
  const registry = createRegistry();
  const { counter, histogram, gauge } = registry;
  const readings: { -readonly [Key in keyof Readings]: Readings[Key] } = {};
  const preparing: (() => Promise<void>)[] = [];

  const source = ["source", sources] as const;
  const feed = ["feed", feeds] as const;
  const table = ["table", tables] as const;

  const requests = counter(
    "limpid_http_requests_total",
    "Responses by route pattern, format and status; 499 = the client had disconnected.",
    [
      ["route", options.routes],
      ["shape", options.shapes],
      ["status", STATUSES],
    ],
  );
  const requestSeconds = histogram(
    "limpid_http_request_seconds",
    "Time from a request to the headers of its response, by route pattern.",
    [["route", options.routes]],
    REQUEST_BOUNDS,
  );
  const problems = counter(
    "limpid_http_problems_total",
    "Error responses by code and, for refusals, by the limit or the check that refused.",
    [
      ["code", PROBLEM_CODES],
      ["reason", REASONS],
    ],
  );
  const answers = counter(
    "limpid_answers_total",
    "Lookups by the tier that answered, or by the reason why there was no answer.",
    [["result", [...TIERS, ...Object.values(END_LABELS)]]],
  );
  const surveySeconds = histogram("limpid_survey_seconds", "How long surveys took.", [], SURVEY_BOUNDS);
  const runs = counter(
    "limpid_source_runs_total",
    "Sources of surveys by state; reason = why a source failed or was skipped.",
    [source, ["state", RUN_STATES], ["reason", ["", ...RUN_ERRORS, ...SKIP_REASONS]]],
  );
  const runSeconds = histogram(
    "limpid_source_run_seconds",
    "How long live sources took to answer or fail.",
    [source],
    RUN_BOUNDS,
  );
  const questions = counter(
    "limpid_upstream_questions_total",
    "Requests to other servers, from surveys, feeds and checks, by outcome.",
    [
      ["transport", ["http", "dns"]],
      ["outcome", ["answered", ...RUN_ERRORS]],
    ],
  );
  const admissions = counter(
    "limpid_admissions_total",
    "Requests to start a survey: admitted, or refused by reason.",
    [
      ["kind", ["new-ip", "refresh"]],
      ["outcome", ["admitted", ...REFUSALS]],
    ],
  );
  const verifications = counter(
    "limpid_verifications_total",
    "Solutions of the human verification by result.",
    [["result", CHECK_RESULTS]],
  );
  const votes = counter("limpid_votes_total", "Ratings by visitors.", []);
  const operations = counter("limpid_store_operations_total", "Database operations by outcome.", [
    ["operation", OPERATIONS],
    ["outcome", ["ok", "failed"]],
  ]);
  const operationSeconds = histogram(
    "limpid_store_seconds",
    "How long database operations took, successful or failed.",
    [["operation", OPERATIONS]],
    STORE_BOUNDS,
  );
  const refreshes = counter("limpid_feed_refreshes_total", "Downloads of lists by outcome.", [
    feed,
    ["outcome", ["updated", "unchanged", "failed"]],
  ]);
  const changes = counter("limpid_watch_changes_total", "Proven changes of watched addresses.", [
    ["type", CHANGE_TYPES],
  ]);
  const deliveries = counter("limpid_watch_messages_total", "Messages to the webhook of the watch.", [
    ["outcome", ["sent", "failed"]],
  ]);
  const delays = histogram(
    "limpid_event_loop_delay_seconds",
    "How late a timer of the process fired.",
    [],
    DELAY_BOUNDS,
  );
  const uncaught = counter(
    "limpid_uncaught_errors_total",
    "Errors in callbacks of timers, events and streams that no code caught. Each message is logged once.",
    [],
  );

  const plain = (name: string, help: string, read: () => number | undefined, type?: "counter") =>
    gauge(name, help, [], () => one(read()), type);

  plain("limpid_surveys_running", "Surveys in progress.", () => readings.load?.().running);
  plain("limpid_surveys_waiting", "Surveys that wait for their turn.", () => readings.load?.().waiting);
  plain("limpid_cache_entries", "Reports kept in memory.", () => readings.load?.().cached);
  plain(
    "limpid_unsaved_surveys",
    "Surveys that are not saved yet, because the database failed.",
    () => readings.load?.().unsaved,
  );
  plain("limpid_store_up", "1 while reports can be read from the database.", () =>
    flag(readings.load?.().storeReadable),
  );
  plain(
    "limpid_allowance_counted",
    "1 while the allowance is counted in the database, 0 while this process counts alone.",
    () => flag(readings.isCounted?.()),
  );
  plain(
    "limpid_reply_cache_entries",
    "Rendered responses kept in memory.",
    () => readings.replies?.().entries,
  );
  plain("limpid_watch_addresses", "Addresses that are watched.", () => readings.watch?.().addresses);
  plain("limpid_watch_waiting", "Changes that wait for the webhook.", () => readings.watch?.().waiting);
  plain("limpid_reply_cache_bytes", "Memory of rendered responses.", () => readings.replies?.().bytes);
  gauge("limpid_source_budget_used", "Queries on this UTC day by source, from all processes.", [source], () =>
    list(readings.budgets, ({ id, used }) => [[id], used]),
  );
  gauge("limpid_source_budget_limit", "Our own limit of queries per UTC day by source.", [source], () =>
    list(readings.budgets, ({ id, limit }) => [[id], limit]),
  );
  gauge(
    "limpid_source_paused",
    "1 = not queried now: it failed several times in a row or asked us to wait.",
    [source],
    () => {
      const paused = new Set(readings.paused?.() ?? []);
      return readings.paused === undefined ? [] : sources.map((id) => [[id], paused.has(id) ? 1 : 0]);
    },
  );
  gauge(
    "limpid_zone_state",
    "State of a DNS list after its last self-test, by IP version: 1 for the current state.",
    [source, ["version", ["4", "6"]], ["state", ZONE_STATES]],
    () =>
      [...(readings.zones?.() ?? [])].flatMap((zone) =>
        ZONE_STATES.map((state) => [[zone.id, zone.version, state], zone.state === state ? 1 : 0] as const),
      ),
  );
  gauge("limpid_feed_ready", "1 = the list is in use.", [feed], () =>
    list(readings.feeds, ({ id, ready }) => [[id], ready ? 1 : 0]),
  );
  gauge("limpid_feed_age_seconds", "Time since the publisher last confirmed the list.", [feed], () =>
    list(readings.feeds, ({ id, ageMs }) => (ageMs === undefined ? undefined : [[id], ageMs / 1000])),
  );
  gauge("limpid_feeds", "Lists by freshness.", [["freshness", FRESHNESS]], () => {
    if (readings.feeds === undefined) return [];
    const states = [...readings.feeds()];
    return FRESHNESS.map((freshness) => [
      [freshness],
      states.filter((state) => state.freshness === freshness).length,
    ]);
  });
  gauge("limpid_table_ready", "1 = the table can be used.", [table], () =>
    list(readings.tables, ({ id, ready }) => [[id], ready ? 1 : 0]),
  );
  gauge("limpid_table_rows", "Ranges of the table that have data.", [table], () =>
    list(readings.tables, ({ id, rows }) => (rows === undefined ? undefined : [[id], rows])),
  );
  gauge("limpid_table_age_seconds", "Age of the table's data.", [table], () =>
    list(readings.tables, ({ id, date = "" }) => {
      const age = (now() - Date.parse(date)) / 1000;
      return Number.isNaN(age) ? undefined : [[id], Math.max(0, age)];
    }),
  );
  gauge(
    "limpid_replica_state",
    "State of a mirror's copy: 1 for the current state.",
    [["state", REPLICA_STATES]],
    () => {
      const replica = readings.replica?.();
      if (replica === undefined) return [];
      return REPLICA_STATES.map((state) => [[state], replica.state === state ? 1 : 0]);
    },
  );
  plain("limpid_replica_lag_seconds", "Time since a mirror last had all data of its primary.", () =>
    seconds(readings.replica?.().lagMs),
  );
  plain("limpid_replica_last_sync_timestamp_seconds", "When a mirror last had all data of its primary.", () =>
    seconds(readings.replica?.().lastSyncAt),
  );
  plain(
    "limpid_replica_frame",
    "The last page of the primary's log that a mirror has.",
    () => readings.replica?.().frame,
  );
  plain(
    "limpid_event_loop_longest_delay_seconds",
    "The longest delay of the timer since the metrics were last read.",
    () => readings.longestDelay?.(),
  );
  plain(
    "limpid_log_lines_lost_total",
    "Log lines that were dropped because stderr could not be written or nobody read it.",
    () => readings.lostLogLines?.(),
    "counter",
  );

  let state = (options.process ?? readProcess)();
  plain("process_cpu_seconds_total", "User and system time.", () => state.cpuSeconds, "counter");
  plain("process_resident_memory_bytes", "Resident memory.", () => state.residentBytes);
  plain("process_heap_bytes", "Heap of the JavaScript engine.", () => state.heapTotalBytes);
  plain("process_heap_used_bytes", "Used part of the heap.", () => state.heapUsedBytes);
  plain("process_open_fds", "Open file descriptors.", () => state.openFiles);
  plain("process_max_fds", "Maximum number of open file descriptors.", () => state.maxFiles);
  plain("process_start_time_seconds", "When the process started.", () => options.startedAt / 1000);
  const { version, scoringVersion, role } = options;
  gauge(
    "limpid_build_info",
    "Always 1; the labels are the version, the scoring version and the role of the process.",
    [
      ["version", [version]],
      ["scoring", [String(scoringVersion)]],
      ["role", ["full", "mirror"]],
    ],
    () => [[[version, String(scoringVersion), role], 1]],
  );

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
    /** A watched address changed. */
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

function one(value: number | undefined): readonly Reading[] {
  return value === undefined ? [] : [[[], value]];
}

function flag(value: boolean | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}

function seconds(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : ms / 1000;
}

/** The readings of items; an item without one is left out. */
function list<Item>(
  read: (() => Iterable<Item>) | undefined,
  toReading: (item: Item) => Reading | undefined,
): Reading[] {
  return [...(read?.() ?? [])].flatMap((item) => {
    const reading = toReading(item);
    return reading === undefined ? [] : [reading];
  });
}
