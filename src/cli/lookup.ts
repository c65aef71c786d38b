import { parseAddress } from "#address";
import { EXIT, ExitError, OPERATOR, type Service } from "#app";
import { localize, localizeProblem } from "#locale";
import { renderLine, renderMarkdown, renderScreen, renderStix, renderTerminal, reportUrlOf } from "#render";
import { findUnknownField, LANGUAGES, type Report } from "#report";
import { valueAt } from "./batch/columns.ts";
import { openLines } from "./batch/read_lines.ts";
import { exitCodeOf, factsOfAnswer } from "./batch/rows.ts";
import {
  type Command,
  type CommandContext,
  commandTextsOf,
  FAIL_BELOW,
  formatJson,
  readNumber,
  readOptions,
  type Terminal,
  withService,
  wrongUsage,
} from "./command.ts";

/** The formats of a printed report. `screen` has no option of its own. */
const FORMATS = {
  json: formatJson,
  stix: (report: Report) => `${renderStix(report)}\n`,
  text: renderTerminal,
  markdown: renderMarkdown,
  line: (report: Report) => `${renderLine(report).trimEnd()}\n`,
  screen: renderScreen,
} as const;

/** The arguments of `limpid lookup`. */
export type LookupArguments = ReturnType<typeof readLookupArguments>;

const NAMED = ["json", "stix", "text", "markdown", "line"] as const;

/** `limpid batch` resumes where it ended, so it serves longer lists better. */
const MOST_ADDRESSES = 1000;

/** The exit codes of several addresses, from the one that outweighs the others. */
const HEAVIEST = [EXIT.badInput, EXIT.below, EXIT.unavailable, EXIT.ok] as const;

/** `limpid lookup`: prints the report on each address. */
export const lookup: Command = {
  ...commandTextsOf("lookup"),
  async run(args, context) {
    const given = readLookupArguments(args, context.terminal);
    const config = context.readConfig();
    return withService(context, config, async (service) => {
      // Without a public URL, no page of the report may be there: texts for people do not name one.
      const isForPeople = given.field === undefined && ["text", "screen", "markdown"].includes(given.format);
      const baseUrl = config.baseUrl ?? (isForPeople ? "" : `http://${config.host}:${config.port}`);
      const print = (ip: string) => printReport(service, ip, given, { baseUrl, live: config.live });
      const [only = "", ...others] = given.ips;
      if (only !== "-" && others.length === 0) {
        const { text, code } = await print(only);
        await context.write(text);
        return code;
      }
      return printAll(readAddresses(given.ips, context), print, given, context);
    });
  },
};

/** The given addresses, with the words of the standard input in place of `-`. */
async function* readAddresses(
  ips: readonly string[],
  { readInput }: Pick<CommandContext, "readInput">,
): AsyncGenerator<string> {
  for (const ip of ips) {
    if (ip !== "-") yield ip;
    else
      for await (const lines of openLines("-", readInput).groups())
        for (const line of lines) yield* line.split(/\s+/).filter((word) => word !== "");
  }
}

/** Prints several reports as they are made. An address that cannot be read does not stop the others. */
async function printAll(
  ips: AsyncIterable<string>,
  print: (ip: string) => Promise<{ readonly text: string; readonly code: number }>,
  { format, field }: LookupArguments,
  { write, warn }: Pick<CommandContext, "write" | "warn">,
): Promise<number> {
  const codes = new Set<number>();
  const isOneLine = field !== undefined || format === "line";
  let count = 0;
  for await (const ip of ips) {
    count += 1;
    if (count > MOST_ADDRESSES)
      throw wrongUsage("lookup", `expected at most ${MOST_ADDRESSES} addresses; for more use limpid batch`);
    try {
      const { text, code } = await print(ip);
      // JSON of several reports is one report for each line.
      const isJson = format === "json" || format === "stix";
      if (isJson && !isOneLine) await write(`${JSON.stringify(JSON.parse(text))}\n`);
      else await write(isOneLine || codes.size === 0 ? text : `\n${text}`);
      codes.add(code);
    } catch (error) {
      if (!(error instanceof ExitError) || error.code !== EXIT.badInput) throw error;
      warn(error.message);
      codes.add(error.code);
    }
  }
  if (codes.size === 0) throw new ExitError(EXIT.badInput, "Cannot look up: the input has no address");
  return HEAVIEST.find((code) => codes.has(code)) ?? EXIT.ok;
}

/**
 * Reads the arguments of `limpid lookup`.
 * @throws {ExitError} with one line that says what is wrong.
 */
export function readLookupArguments(args: readonly string[], terminal: Terminal) {
  const { flags, values, operands } = readOptions(lookup, args);
  if (operands.length === 0) throw wrongUsage("lookup", "expected an address, or - for the standard input");
  const formats = NAMED.filter((format) => flags.has(format));
  const field = values.get("field");
  if (formats.length + (field === undefined ? 0 : 1) > 1) {
    throw wrongUsage("lookup", "give only one of --json, --stix, --text, --markdown, --line and --field");
  }
  if (field !== undefined) requireField(field);
  const format: keyof typeof FORMATS = formats[0] ?? (terminal.isTerminal ? "screen" : "text");
  const failBelow = readNumber("lookup", values, FAIL_BELOW);
  const language = LANGUAGES.find((one) => one === values.get("lang"));
  return {
    /** Addresses; `-` stands for the words of the standard input. */
    ips: operands,
    language: language ?? terminal.language,
    /** The options to repeat in the command for the whole report. */
    options: language === undefined ? "" : ` --lang ${language}`,
    format,
    colour: terminal.isTerminal && terminal.hasColour && !flags.has("no-color"),
    refresh: flags.has("refresh"),
    /** Print one value only: a path of names and list positions, such as `scenarios.0.score`. */
    ...(field === undefined ? {} : { field }),
    ...(failBelow === undefined ? {} : { failBelow }),
  };
}

/**
 * Looks up one address in this process and formats the report. The exit code follows `failBelow`.
 * @throws {ExitError} when the input is not an address, the service cannot answer, or a report has no such field.
 */
async function printReport(
  service: Pick<Service, "lookup">,
  ip: string,
  given: LookupArguments,
  { baseUrl, live }: { readonly baseUrl: string; readonly live: boolean },
): Promise<{ readonly text: string; readonly code: number }> {
  const address = parseAddress(ip);
  if (address === undefined) {
    const { error, hint = "" } = localizeProblem("invalid_ip", given.language, { input: ip.slice(0, 64) });
    throw new ExitError(EXIT.badInput, `${error}${given.language === "zh" ? "" : " "}${hint}`);
  }
  const { signal } = new AbortController();
  const result = await service.lookup({ address, refresh: given.refresh, client: OPERATOR }, signal);
  if (result.kind !== "answer")
    throw new ExitError(EXIT.unavailable, localizeProblem("overloaded", given.language, {}).error);
  const { answer } = result;
  const report = localize(answer.assessment, {
    language: given.language,
    tier: answer.tier,
    stale: answer.stale,
    reportUrl: baseUrl === "" ? "" : reportUrlOf(baseUrl, address.text, given.language),
  });
  return {
    text: given.field === undefined ? FORMATS[given.format](report, given) : `${pick(report, given.field)}\n`,
    code: exitCodeOf(factsOfAnswer(answer, live), given.failBelow),
  };
}

/** @throws {ExitError} when no report can have a value at this path, with what is possible there. */
function requireField(path: string): void {
  const unknown = findUnknownField(path);
  if (unknown === undefined) return;
  const { within, possible } = unknown;
  const known = `${within === "" ? "a report" : within} has ${possible.join(", ") || "no fields"}`;
  throw wrongUsage("lookup", `a report has no field "${path.slice(0, 64)}"; ${known}`);
}

/** The value at a path: text as it is, other values as JSON; an absent optional field gives an empty line. */
function pick(report: Report, path: string): string {
  const value = valueAt(report, path);
  if (value === undefined) return "";
  return typeof value === "string" ? value.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, "?") : JSON.stringify(value);
}
