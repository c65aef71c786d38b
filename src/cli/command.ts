import { parseArgs } from "node:util";
import { type AppContext, EXIT, ExitError, openService, prepareDataDirectory, type Service } from "#app";
import { DAY_MS, type Log } from "#common";
import type { Config } from "#config";
import { type Language, POLICY_WORDS, type PolicyWord, readWords } from "#report";
import catalogue from "./commands.json" with { type: "json" };

/**
 * One option of a command, also with one letter. With `value` it takes one: `values` are the allowed words, `file` says
 * that it is a path.
 */
export interface CommandOption {
  readonly name: string;
  readonly short?: string;
  readonly value?: string;
  readonly values?: readonly string[];
  readonly file?: boolean;
  readonly what: string;
}

/** The width of help and tables, for terminals of 80 columns. */
export const WIDTH = 79;

/** The option that every command has. */
export const HELP: CommandOption = catalogue.shared["@help"];

/** One command: its description for the help and the shell completions, and the function that runs it. */
export interface Command {
  readonly name: string;
  /** The operands as the help shows them. */
  readonly operands: string;
  /** The words allowed as the first operand. */
  readonly words?: readonly string[];
  /** The first operand is a path. */
  readonly file?: boolean;
  /** Every operand is a path. */
  readonly files?: boolean;
  readonly what: string;
  readonly options: readonly CommandOption[];
  /** Runs the command and returns the exit code. */
  readonly run: (args: readonly string[], context: CommandContext) => Promise<number>;
}

/**
 * Reads what `commands.json` says of a command. There, an option such as `@column` stands for one that several commands
 * share, and `facts` replace the names in braces.
 */
export function commandTextsOf(
  name: keyof typeof catalogue.commands,
  facts: Readonly<Record<string, string | number>> = {},
): Omit<Command, "run"> {
  const shared = new Map<unknown, object>(Object.entries(catalogue.shared));
  const read = (_: string, value: unknown) =>
    typeof value === "string"
      ? (shared.get(value) ?? value.replaceAll(/\{(\w+)\}/g, (_, fact) => String(facts[fact])))
      : value;
  return { name, ...JSON.parse(JSON.stringify(catalogue.commands[name]), read) };
}

/** The language of the user's environment, and whether the output is a terminal that shows colours. */
export interface Terminal {
  readonly language: Language;
  readonly isTerminal: boolean;
  readonly hasColour: boolean;
}

/** What a command takes from the process. */
export interface CommandContext extends Omit<AppContext, "log"> {
  /**
   * Only a server uses `./data` of the folder in which it is started, whatever that is.
   * @throws {ConfigError} naming every variable that cannot be used.
   */
  readonly readConfig: (user?: "server" | "command") => Config;
  readonly openLog: (config: Config) => Log;
  readonly terminal: Terminal;
  readonly readInput: () => ReadableStream<Uint8Array>;
  /**
   * Writes to the standard output; resolves when the text has been handed over.
   * @throws {ExitError} when nobody reads it any more, or it cannot be written.
   */
  readonly write: (text: string | Uint8Array) => Promise<void>;
  /** Writes a line to the standard error. */
  readonly warn: (line: string) => void;
  /** Writes to the standard output without waiting for its reader. */
  readonly announce: (text: string) => void;
  /** Replaces the last line on the terminal of the standard error; absent when that is not a terminal. */
  readonly progress?: (line: string) => void;
  /** Aborts on the first SIGINT, SIGTERM or SIGHUP; the second one ends the process. */
  readonly abortOnSignal: () => AbortSignal;
  /** Resolves with the first SIGINT, SIGTERM or SIGHUP; later ones are ignored. */
  readonly waitForSignal: () => Promise<string>;
  /** Resolves when the program that started this process has ended. */
  readonly waitForLauncherEnd: () => Promise<void>;
  /** Ends the process after the log is written. */
  readonly exit: (code: number) => Promise<never>;
}

/**
 * Parses the arguments of a command by its own options: flags, values by name, and operands. Each option may be given
 * once. Operands are refused if the command has none.
 * @throws {ExitError} with one line that says what is wrong.
 */
export function readOptions(
  command: Pick<Command, "name" | "operands" | "options">,
  args: readonly string[],
) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: Object.fromEntries(
        command.options.map(({ name, short, value }) => [
          name,
          {
            type: value === undefined ? "boolean" : "string",
            multiple: true,
            ...(short === undefined ? {} : { short }),
          },
        ]),
      ),
    });
    const flags = new Set<string>();
    const texts = new Map<string, string>();
    for (const option of command.options) {
      const given = values[option.name];
      if (!Array.isArray(given)) continue;
      if (given.length > 1) throw new Error(`--${option.name} was given ${given.length} times`);
      const [text] = given;
      if (typeof text !== "string") {
        flags.add(option.name);
        continue;
      }
      if (option.values?.includes(text) === false) {
        throw new Error(`--${option.name} must be ${option.values.join(" or ")}: current value is "${text}"`);
      }
      texts.set(option.name, text);
    }
    if (command.operands === "" && positionals.length > 0)
      throw new Error(`unexpected argument "${positionals[0]}"`);
    return { flags, values: texts, operands: positionals };
  } catch (error) {
    // The second sentence of parseArgs explains how to pass an operand that starts with a dash.
    const [problem = ""] = (error instanceof Error ? error.message : String(error)).split(/\.\s/);
    const quoted = problem.replaceAll("'", '"');
    throw wrongUsage(command.name, quoted.slice(0, 1).toLowerCase() + quoted.slice(1));
  }
}

/**
 * Reads an option that is a whole number.
 * @throws {ExitError} when it is none, or not from `least` to `most`.
 */
export function readNumber(
  command: string,
  values: ReadonlyMap<string, string>,
  { name, least, most }: { readonly name: string; readonly least: number; readonly most: number },
): number | undefined {
  const text = values.get(name);
  if (text === undefined) return undefined;
  if (/^\d{1,5}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
  throw wrongUsage(command, `--${name} must be ${least} to ${most}: current value is "${text}"`);
}

/** The words of a policy, for the help. */
export const WORDS = POLICY_WORDS.join(", ");

/**
 * Reads an option that is words of a policy, separated by commas. Without the option there is none.
 * @throws {ExitError} when a word is none.
 */
export function readPolicyWords(
  command: string,
  values: ReadonlyMap<string, string>,
  name: string,
): readonly PolicyWord[] {
  const { words, unknown } = readWords(readList(values, name), POLICY_WORDS);
  if (unknown === undefined) return words;
  throw wrongUsage(command, `--${name} must be words of ${WORDS}: "${unknown}" is none`);
}

/** Reads an option that is a list separated by commas. Without the option the list is empty. */
export function readList(values: ReadonlyMap<string, string>, name: string): readonly string[] {
  const parts = values.get(name)?.split(",") ?? [];
  return parts.map((part) => part.trim());
}

/** The option `--fail-below` of `lookup` and `batch`. */
export const FAIL_BELOW = { name: "fail-below", least: 0, most: 100 };

/** Creates the error for wrong arguments of a command. */
export function wrongUsage(command: string, why: string): ExitError {
  return new ExitError(EXIT.usage, `Cannot run "limpid ${command}": ${why}; see limpid ${command} --help`);
}

/** Creates the error for an output that cannot be written. */
export function cannotWrite(path: string, error: unknown): ExitError {
  const why = error instanceof Error ? error.message : String(error);
  return new ExitError(EXIT.cannotCreate, `Cannot write to "${path}": ${why}`, { cause: error });
}

/** Pads the cells of a table to the width of their columns; `isRight` says which columns are aligned to the right. */
export function alignColumns(
  rows: readonly (readonly string[])[],
  isRight: (column: number) => boolean,
): readonly string[][] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  }
  return rows.map((row) =>
    row.map((cell, column) => {
      const width = widths[column] ?? 0;
      return isRight(column) ? cell.padStart(width) : cell.padEnd(width);
    }),
  );
}

/** The bar of a progress line. */
export function formatBar(share: number): string {
  const full = Math.floor(Math.min(1, share) * BAR_CELLS);
  return `[${"#".repeat(full)}${".".repeat(BAR_CELLS - full)}]`;
}

const BAR_CELLS = 24;

/** Formats the result of a command with `--json`. */
export function formatJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

export function formatBytes(bytes: number): string {
  if (bytes >= 1_000_000_000) return `${(bytes / 1_000_000_000).toFixed(2)} GB`;
  if (bytes >= 1_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`;
  return bytes >= 1_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${bytes} B`;
}

/** Formats an age in its largest unit: `3d`, `2h`, `5m`, `7s`. */
export function formatAge(ms: number): string {
  const [unit, size] = AGE_UNITS.find(([, one]) => ms >= one) ?? ["s", 1000];
  return `${Math.max(0, Math.floor(ms / size))}${unit}`;
}

const AGE_UNITS = [
  ["d", DAY_MS],
  ["h", 3_600_000],
  ["m", 60_000],
] as const;

/** Opens the service of the operator. */
export async function openOwnService(config: Config, context: CommandContext): Promise<Service> {
  prepareDataDirectory(config.dataDirectory);
  const log = context.openLog(config);
  let isMissing = false;
  const service = await openService(config, {
    ...context,
    log(level, event, fields) {
      if (event === "table_missing") isMissing = true;
      else log(level, event, fields);
    },
  });
  if (isMissing) context.warn(catalogue.advice.tables);
  return service;
}

/** Opens the service of the operator for one command, and closes it in any case. */
export async function withService<Result>(
  context: CommandContext,
  config: Config,
  work: (service: Service) => Promise<Result>,
): Promise<Result> {
  const service = await openOwnService(config, context);
  try {
    return await work(service);
  } finally {
    await service.close();
  }
}
