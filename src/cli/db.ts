import { EXIT, ExitError, prepareDataDirectory } from "#app";
import { DAY_MS } from "#common";
import type { Config } from "#config";
import {
  backupDatabase,
  checkDatabase,
  type DatabaseCheck,
  type DatabaseStats,
  MaintenanceError,
  type MaintenanceProblem,
  measureDatabase,
  pruneDatabase,
  restoreDatabase,
} from "#store";
import {
  type Command,
  type CommandContext,
  commandTextsOf,
  formatAge,
  formatBytes,
  formatJson,
  readNumber,
  readOptions,
  wrongUsage,
} from "./command.ts";

/** The actions of `limpid db`, and the options of each. */
const ACTIONS = {
  backup: ["force"],
  restore: [],
  check: ["json"],
  prune: ["older-than"],
  stats: ["json"],
} as const satisfies Record<string, readonly string[]>;

const MAX_DAYS = 36_500;

/** Problems that backup and restore show; `limpid db check` shows more. */
const MAX_SHOWN = 3;

const CODES: Readonly<Record<MaintenanceProblem, number>> = {
  missing: EXIT.noInput,
  in_use: EXIT.inUse,
  damaged: EXIT.badData,
  newer: EXIT.software,
  unwritable: EXIT.cannotCreate,
  unsupported: EXIT.usage,
};

/** `limpid db`: maintains the database. */
export const db: Command = {
  ...commandTextsOf("db"),
  async run(args, context) {
    const given = readDbArguments(args);
    const config = context.readConfig();
    if (given.action === "restore") prepareDataDirectory(config.dataDirectory);
    return runDb(config, given, context);
  },
};

/**
 * Reads the arguments of `limpid db`. `file` is of backup and restore, `olderThanDays` of prune.
 * @throws {ExitError} with one line that says what is wrong.
 */
export function readDbArguments(args: readonly string[]) {
  const { flags, values, operands } = readOptions(db, args);
  const [action = "", file, ...more] = operands;
  if (!isAction(action)) throw wrongUsage("db", `expected ${db.operands}`);
  const allowed: readonly string[] = ACTIONS[action];
  const wrong = [...flags, ...values.keys()].find((name) => !allowed.includes(name));
  if (wrong !== undefined) throw wrongUsage("db", `--${wrong} is not an option of ${action}`);
  const wantsFile = action === "backup" || action === "restore";
  if (more.length > 0 || wantsFile !== (file !== undefined))
    throw wrongUsage("db", wantsFile ? `${action} needs one FILE` : `${action} takes no operand`);
  const olderThanDays = readNumber("db", values, { name: "older-than", least: 1, most: MAX_DAYS });
  return {
    action,
    file: file ?? "",
    force: flags.has("force"),
    json: flags.has("json"),
    ...(olderThanDays === undefined ? {} : { olderThanDays }),
  };
}

/**
 * Backs up, restores, checks, prunes or measures the database. Returns the exit code: 1 when a check found a problem.
 * @throws {ExitError} with what failed and why; {StoreError} when the database does not answer.
 */
export async function runDb(
  config: Pick<Config, "database" | "retentionMs">,
  given: ReturnType<typeof readDbArguments>,
  context: Pick<CommandContext, "now" | "write" | "abortOnSignal"> & {
    readonly paths: Pick<CommandContext["paths"], "migrations" | "program">;
  },
): Promise<number> {
  const { paths, now, write } = context;
  const options = { ...config.database, migrations: paths.migrations };
  const startedMs = now();
  const seconds = () => `${((now() - startedMs) / 1000).toFixed(1)} s`;
  try {
    switch (given.action) {
      case "backup": {
        const { file, force } = given;
        const made = await backupDatabase(options, file, { force, program: paths.program });
        await write(
          `saved ${made.check.reports} reports as ${made.file}: ${formatBytes(made.bytes)} in ${seconds()}\n${describeProblems(made.check, MAX_SHOWN)}`,
        );
        return EXIT.ok;
      }
      case "restore": {
        const made = await restoreDatabase(options, given.file, { now });
        await write(
          `restored ${made.check.reports} reports into ${made.path} in ${seconds()}\n${describeProblems(made.check, MAX_SHOWN)}`,
        );
        if (made.aside !== undefined) await write(`the previous database is ${made.aside}\n`);
        return EXIT.ok;
      }
      case "check": {
        const check = await checkDatabase(options);
        await write(given.json ? formatJson(check) : `${describeCheck(check)}${describeProblems(check)}`);
        return check.isSound ? EXIT.ok : EXIT.unsound;
      }
      case "prune": {
        const ageMs = given.olderThanDays === undefined ? config.retentionMs : given.olderThanDays * DAY_MS;
        if (ageMs === undefined)
          throw wrongUsage("db", "prune needs --older-than DAYS or LIMPID_RETENTION_DAYS");
        const signal = context.abortOnSignal();
        const { isDone, ...done } = await pruneDatabase(options, { before: now() - ageMs, signal });
        const rows = `${done.reports} reports and ${done.history} conclusions`;
        await write(`deleted ${rows} in ${seconds()}${isDone ? "" : ", stopped early"}\n`);
        return EXIT.ok;
      }
      case "stats": {
        const stats = await measureDatabase(options);
        await write(given.json ? formatJson(stats) : describeStats(stats, now()));
        return EXIT.ok;
      }
    }
  } catch (error) {
    if (error instanceof MaintenanceError) {
      throw new ExitError(CODES[error.problem], error.message, { cause: error });
    }
    throw error;
  }
}

function isAction(text: string): text is keyof typeof ACTIONS {
  return Object.hasOwn(ACTIONS, text);
}

function describeCheck(check: DatabaseCheck): string {
  const { structure, reports, history, unread } = check;
  const lines = [
    `structure   ${structure ?? "not available from a server"}`,
    `reports     ${reports}${unread === 0 ? "" : `, ${unread} in a format that is no longer read`}`,
    `history     ${history}`,
    `problems    ${check.problemCount}`,
  ];
  return `${lines.join("\n")}\n`;
}

/** A damaged file may contain anything, so control characters are replaced. */
function describeProblems({ problems, problemCount }: DatabaseCheck, max = problems.length): string {
  const shown = problems.slice(0, max);
  const rest = problemCount - shown.length;
  const lines = shown.map((problem) => `problem: ${problem.replaceAll(/[^\x20-\x7e]/g, "?")}\n`);
  return lines.join("") + (rest > 0 ? `and ${rest} more\n` : "");
}

function describeStats(stats: DatabaseStats, nowMs: number): string {
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
      ["file", `${formatBytes(file.bytes)}, of which ${formatBytes(file.freeBytes)} free for new reports`],
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
    );
  }
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}\n`).join("");
}
