import type { Config } from "#config";
import {
  backupDatabase,
  checkDatabase,
  type DatabaseCheck,
  type DatabaseStats,
  MaintenanceError,
  type MaintenanceProblem,
  type MaintenanceProgress,
  measureDatabase,
  pruneDatabase,
  restoreDatabase,
} from "#store";
import { commandOf } from "./commands.ts";
import { EXIT, ExitError } from "./exit_codes.ts";
import { readOptions } from "./read_options.ts";

/** What `limpid db` was asked for. */
export type DbArguments =
  | { readonly action: "backup"; readonly file: string; readonly force: boolean }
  | { readonly action: "restore"; readonly file: string }
  | { readonly action: "check" | "stats"; readonly json: boolean }
  | { readonly action: "prune"; readonly olderThanDays?: number };

/** What the command needs: where migrations are, the time, where text goes, and on a terminal where progress does. */
export interface DbEdge {
  readonly migrations: string;
  readonly now: () => number;
  readonly write: (text: string) => void;
  /** One line that replaces the one before. */
  readonly progress?: (line: string) => void;
  /** Ends a pruning after the batch under way. */
  readonly signal?: AbortSignal;
}

const DAY_MS = 86_400_000;
const MAX_DAYS = 36_500;

/** Problems of rows beside what was asked for: enough to call for a check. */
const SHOWN = 3;

/** Which options go with which action. */
const ACTIONS: Readonly<Record<DbArguments["action"], readonly string[]>> = {
  backup: ["force"],
  restore: [],
  check: ["json"],
  prune: ["older-than"],
  stats: ["json"],
};

const CODES: Readonly<Record<MaintenanceProblem, number>> = {
  missing: EXIT.noInput,
  exists: EXIT.cannotCreate,
  in_use: EXIT.inUse,
  damaged: EXIT.badData,
  unwritable: EXIT.cannotCreate,
  unsupported: EXIT.usage,
};

/**
 * Reads the arguments of `limpid db`.
 * @throws {ExitError} with one line on what is wrong.
 */
export function readDbArguments(args: readonly string[]): DbArguments {
  const { flags, values, operands } = readOptions(commandOf("db"), args);
  const [action = "", file, ...more] = operands;
  if (!isAction(action)) {
    throw refuse(`expected ${commandOf("db").operands}`);
  }
  for (const name of [...flags, ...values.keys()]) {
    if (!ACTIONS[action].includes(name)) throw refuse(`--${name} does not go with ${action}`);
  }
  const wantsFile = action === "backup" || action === "restore";
  if (more.length > 0 || wantsFile !== (file !== undefined)) {
    throw refuse(wantsFile ? `${action} wants one FILE` : `${action} wants nothing behind it`);
  }
  if (action === "backup") return { action, file: file ?? "", force: flags.has("force") };
  if (action === "restore") return { action, file: file ?? "" };
  if (action !== "prune") return { action, json: flags.has("json") };
  const days = values.get("older-than");
  if (days === undefined) return { action };
  if (!/^\d{1,5}$/.test(days) || Number(days) < 1 || Number(days) > MAX_DAYS) {
    throw refuse(`--older-than must be a whole number from 1 to ${MAX_DAYS}: current value is "${days}"`);
  }
  return { action, olderThanDays: Number(days) };
}

/**
 * Saves, replaces, looks through, thins out or measures the database. Gives the exit code: 1 when a check found a problem.
 * @throws {ExitError} with what was not done and why; {StoreError} when the database does not answer.
 */
export async function runDbCommand(
  config: Pick<Config, "database" | "retentionMs">,
  wanted: DbArguments,
  edge: DbEdge,
): Promise<number> {
  const options = { ...config.database, migrations: edge.migrations };
  const onProgress = (progress: MaintenanceProgress) => edge.progress?.(drawProgress(progress));
  const startedMs = edge.now();
  const seconds = () => `${((edge.now() - startedMs) / 1000).toFixed(1)} s`;
  try {
    switch (wanted.action) {
      case "backup": {
        const { file, force } = wanted;
        const made = await backupDatabase(options, file, { force, onProgress });
        edge.progress?.("");
        edge.write(
          `saved ${made.check.reports} reports as ${made.file}: ${formatBytes(made.bytes)} in ${seconds()}\n${describeProblems(made.check, SHOWN)}`,
        );
        if (made.kind === "copy") {
          edge.write(
            "read from a server in one read transaction: it is of one moment as far as the server keeps to that\n",
          );
        }
        return EXIT.ok;
      }
      case "restore": {
        const made = await restoreDatabase(options, wanted.file, { now: edge.now, onProgress });
        edge.progress?.("");
        edge.write(
          `restored ${made.check.reports} reports into ${made.path} in ${seconds()}\n${describeProblems(made.check, SHOWN)}`,
        );
        if (made.aside !== undefined) edge.write(`the database of before is ${made.aside}\n`);
        return EXIT.ok;
      }
      case "check": {
        const check = await checkDatabase(options, onProgress);
        edge.progress?.("");
        edge.write(wanted.json ? formatJson(check) : `${describeCheck(check)}${describeProblems(check)}`);
        return check.isSound ? EXIT.ok : EXIT.unsound;
      }
      case "prune": {
        const days = wanted.olderThanDays;
        const ageMs = days === undefined ? config.retentionMs : days * DAY_MS;
        if (ageMs === undefined) throw refuse("prune wants --older-than DAYS, or LIMPID_RETENTION_DAYS set");
        const { signal } = edge;
        const done = await pruneDatabase(options, {
          before: edge.now() - ageMs,
          onProgress,
          ...(signal === undefined ? {} : { signal }),
        });
        edge.progress?.("");
        edge.write(
          `deleted ${done.reports} reports and ${done.history} conclusions in ${seconds()}${done.isDone ? "" : ", ended early"}\n`,
        );
        return EXIT.ok;
      }
      case "stats": {
        const stats = await measureDatabase(options, onProgress);
        edge.progress?.("");
        edge.write(wanted.json ? formatJson(stats) : drawStats(stats, edge.now()));
        return EXIT.ok;
      }
    }
  } catch (error) {
    edge.progress?.("");
    if (error instanceof MaintenanceError) {
      throw new ExitError(CODES[error.problem], error.message, { cause: error });
    }
    throw error;
  }
}

function isAction(word: string): word is DbArguments["action"] {
  return Object.hasOwn(ACTIONS, word);
}

function refuse(why: string): ExitError {
  return new ExitError(EXIT.usage, `Cannot run "limpid db": ${why}`);
}

function formatJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

function drawProgress({ doing, done, of }: MaintenanceProgress): string {
  if (of === undefined) return done === 0 ? `${doing} …` : `${doing}: ${done}`;
  return `${doing}: ${of === 0 ? 100 : Math.floor((100 * done) / of)} % of ${of}`;
}

function describeCheck(check: DatabaseCheck): string {
  const { structure, reports, history, unread, left } = check;
  const lines = [
    `structure   ${structure ?? "not shown by the server"}`,
    `reports     ${reports}${unread === 0 ? "" : `, ${unread} in a form that is no longer read`}`,
    `history     ${history}${left === 0 ? "" : `, ${left} of addresses without a report`}`,
    `problems    ${check.problemCount}`,
  ];
  return `${lines.join("\n")}\n`;
}

/** What stands in a damaged file may be anything: nothing of it commands the terminal. */
function describeProblems({ problems, problemCount }: DatabaseCheck, most = problems.length): string {
  const shown = problems.slice(0, most);
  const rest = problemCount - shown.length;
  const lines = shown.map((problem) => `problem: ${problem.replaceAll(/[^\x20-\x7e]/g, "?")}\n`);
  return lines.join("") + (rest > 0 ? `and ${rest} more\n` : "");
}

function drawStats(stats: DatabaseStats, nowMs: number): string {
  const { file, reports } = stats;
  const age = (moment: number) =>
    `${new Date(moment).toISOString().slice(0, 16).replace("T", " ")} UTC, ${formatAge(nowMs - moment)} ago`;
  const average = `${formatBytes(reports.averageBytes)} each: `;
  const rows: (readonly [string, string])[] = [
    ["database", stats.database],
    ["schema", `${stats.schema.applied} of ${stats.schema.known} changes applied`],
  ];
  if (file !== undefined) {
    rows.push(
      [
        "file",
        `${formatBytes(file.bytes)}, of which ${formatBytes(file.freeBytes)} free for reports to come`,
      ],
      ["log (wal)", formatBytes(file.walBytes)],
    );
  }
  rows.push(...Object.entries(stats.tables).map(([name, count]) => [name, String(count)] as const));
  if (reports.oldest !== undefined && reports.newest !== undefined) {
    const documents = `${formatBytes(reports.assessmentBytes)} of documents, ${formatBytes(reports.surveyBytes)} of surveys`;
    rows.push(
      ["report size", average + documents],
      ["oldest survey", age(reports.oldest)],
      ["newest survey", age(reports.newest)],
      ["by scoring", joinCounts(reports.byScoringVersion, "version ")],
      ["by band", joinCounts(reports.byBand)],
    );
  }
  for (const { day, sources, used } of stats.budgetDays) {
    const date = new Date(day * DAY_MS).toISOString().slice(0, 10);
    rows.push([`asked ${date}`, `${used} questions of ${sources} sources`]);
  }
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}\n`).join("");
}

function joinCounts(counts: Readonly<Record<string, number>>, prefix = ""): string {
  return Object.entries(counts)
    .sort(([, left], [, right]) => right - left)
    .map(([name, count]) => `${prefix}${name.replaceAll(/[^\x20-\x7e]/g, "?")} ${count}`)
    .join(", ");
}

function formatAge(ms: number): string {
  return ms >= DAY_MS ? `${Math.floor(ms / DAY_MS)} d` : `${Math.max(0, Math.floor(ms / 3_600_000))} h`;
}

function formatBytes(bytes: number): string {
  if (bytes >= 1_000_000_000) return `${(bytes / 1_000_000_000).toFixed(2)} GB`;
  if (bytes >= 1_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`;
  return bytes >= 1_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${bytes} B`;
}
