import { parseAddress } from "#address";
import { localize } from "#locale";
import { renderLine, renderMarkdown, renderTerminal, renderText } from "#render";
import type { Language, Report } from "#report";
import { factsOfAnswer } from "./batch_facts.ts";
import { commandOf } from "./commands.ts";
import { exitCodeOf } from "./exit_code_of.ts";
import { EXIT, ExitError } from "./exit_codes.ts";
import type { Service } from "./open_service.ts";
import { readFailBelow } from "./read_fail_below.ts";
import { readOptions } from "./read_options.ts";

/** How a report is printed. `terminal` in colour, if there is to be any. */
export type PrintForm = "json" | "text" | "markdown" | "line" | "terminal";

/** What `limpid lookup` was asked for. */
export interface LookupArguments {
  readonly ip: string;
  readonly language: Language;
  readonly form: PrintForm;
  /** One value instead of the whole: a path of names and places in lists, such as `scenarios.0.score`. */
  readonly field?: string;
  readonly failBelow?: number;
  readonly refresh: boolean;
}

/** What is known of the reader: the language of the environment, and whether a terminal with colour reads. */
export interface Reader {
  readonly language: Language;
  readonly isTerminal: boolean;
  readonly wantsColour: boolean;
}

const FORMS = ["json", "text", "markdown", "line"] as const;
const MAX_FIELD_LENGTH = 128;

/**
 * Reads the arguments of `limpid lookup`.
 * @throws {ExitError} with one line on what is wrong.
 */
export function readLookupArguments(args: readonly string[], reader: Reader): LookupArguments {
  const { flags, values, operands } = readOptions(commandOf("lookup"), args);
  const [ip, ...rest] = operands;
  if (ip === undefined || rest.length > 0) throw wrong("expected exactly one address");
  const forms = FORMS.filter((form) => flags.has(form));
  const field = values.get("field");
  if (forms.length + (field === undefined ? 0 : 1) > 1) {
    throw wrong("only one of --json, --text, --markdown, --line and --field can be had");
  }
  if (field !== undefined && (field === "" || field.length > MAX_FIELD_LENGTH)) {
    throw wrong(`--field must be a path such as risk.purity: current value is "${field.slice(0, 40)}"`);
  }
  const coloured = reader.isTerminal && reader.wantsColour && !flags.has("no-color");
  const failBelow = readFailBelow(values);
  return {
    ip,
    language: values.get("lang") === "zh" ? "zh" : values.get("lang") === "en" ? "en" : reader.language,
    form: forms[0] ?? (coloured ? "terminal" : "text"),
    refresh: flags.has("refresh"),
    ...(field === undefined ? {} : { field }),
    ...(failBelow === undefined ? {} : { failBelow }),
  };
}

/** What is printed, and the exit code that goes with it. */
export interface Printed {
  readonly text: string;
  readonly code: number;
}

/**
 * Looks one address up in this process and prints the report. With `failBelow` the exit code is 1 for a purity
 * below it, and 3 where no live source could be heard although some were asked: silence passes no threshold.
 * @throws {ExitError} when the input is no address, the service cannot answer, or there is no such field.
 */
export async function lookupOnce(
  service: Pick<Service, "lookup">,
  wanted: LookupArguments,
  edge: { readonly baseUrl: string; readonly live: boolean },
  signal: AbortSignal,
): Promise<Printed> {
  const address = parseAddress(wanted.ip);
  if (address === undefined)
    throw new ExitError(EXIT.badInput, `Cannot parse address ${JSON.stringify(wanted.ip)}`);
  const admit = async () => ({ admitted: true, giveBack: () => {} }) as const;
  const result = await service.lookup(address, { refresh: wanted.refresh, admit }, signal);
  if (result.kind !== "answer") throw new ExitError(EXIT.unavailable, "Cannot look up: the service is busy");
  const { answer } = result;
  const prefix = wanted.language === "en" ? "/en" : "";
  const report = localize(answer.assessment, {
    language: wanted.language,
    tier: answer.tier,
    stale: answer.stale,
    reportUrl: `${edge.baseUrl}${prefix}/ip/${address.text}`,
  });
  return {
    text: print(report, wanted),
    code: exitCodeOf(factsOfAnswer(answer, edge.live), wanted.failBelow),
  };
}

function print(report: Report, { form, field }: LookupArguments): string {
  if (field !== undefined) return `${pick(report, field)}\n`;
  switch (form) {
    case "json":
      return `${JSON.stringify(report, undefined, 2)}\n`;
    case "markdown":
      return renderMarkdown(report);
    case "line":
      return `${renderLine(report).trimEnd()}\n`;
    case "text":
      return renderText(report);
    case "terminal":
      return renderTerminal(report, { colour: true });
  }
}

/** The value at a path: text as it is, everything else as JSON; a field that a report may lack is an empty line. */
function pick(report: Report, path: string): string {
  let value: unknown = report;
  for (const step of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) {
      if (value === report) throw wrong(`a report has no field "${step}"`);
      return "";
    }
    value = Reflect.get(value, step);
  }
  return typeof value === "string" ? value.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, "?") : JSON.stringify(value);
}

function wrong(why: string): ExitError {
  return new ExitError(EXIT.usage, `Cannot run "limpid lookup": ${why}`);
}
