import { parseAddress } from "#address";
import { EXIT, ExitError } from "#app";
import { wrapText } from "#render";
import { runSync, SYNC_COMMAND } from "#store";
import { batch } from "./batch/batch.ts";
import { check } from "./check.ts";
import { type Command, type CommandContext, type CommandOption, HELP, WIDTH } from "./command.ts";
import catalogue from "./commands.json" with { type: "json" };
import { createCompletionsCommand } from "./completions.ts";
import { db } from "./db.ts";
import { evaluate } from "./evaluate.ts";
import { exportList } from "./export/export.ts";
import { feeds } from "./feeds.ts";
import { grep } from "./grep.ts";
import { health } from "./health.ts";
import { lookup } from "./lookup.ts";
import { mcp } from "./mcp.ts";
import { serve } from "./serve.ts";
import { watch } from "./watch.ts";

export type { Command } from "./command.ts";

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  serve,
  lookup,
  batch,
  grep,
  exportList,
  evaluate,
  feeds,
  db,
  check,
  watch,
  health,
  mcp,
  createCompletionsCommand(() => COMMANDS),
];

/**
 * Runs the command that the arguments name; without arguments, `serve`. Returns the exit code.
 * @throws {ExitError} with what is wrong, and the exit code.
 */
export async function runProgram(args: readonly string[], context: CommandContext): Promise<number> {
  const [name = "serve", ...rest] = args;
  if (["version", "--version", "-V", "-v"].includes(name)) {
    await context.write(`${context.version}\n`);
    return EXIT.ok;
  }
  if ((name === "help" && rest.length === 0) || name === "--help" || name === "-h") {
    await context.write(describeUsage(context.version, COMMANDS));
    return EXIT.ok;
  }
  if (name === SYNC_COMMAND) {
    await context.write(await runSync(await new Response(context.readInput()).text()));
    return context.exit(EXIT.ok);
  }
  const command = COMMANDS.find((known) => known.name === (name === "help" ? rest[0] : name));
  if (command === undefined) {
    const near = COMMANDS.find((known) => isNear(known.name, name)) ?? (parseAddress(name) && lookup);
    const advice = near === undefined ? "" : `; did you mean limpid ${near.name}?`;
    throw new ExitError(
      EXIT.usage,
      `Cannot run "limpid ${args.join(" ")}": no such command${advice || "; see limpid --help"}`,
    );
  }
  if (name === "help" || asksForHelp(rest)) {
    await context.write(describeCommand(command));
    return EXIT.ok;
  }
  return command.run(rest, context);
}

/** Whether a word is a command with letters that are missing, doubled or in another order. */
function isNear(command: string, word: string): boolean {
  return command[0] === word[0] && [...word].every((letter) => command.includes(letter));
}

/** `--help` anywhere before `--` shows the help, whatever else is given. */
function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  const options = end === -1 ? args : args.slice(0, end);
  return options.includes("--help") || options.includes("-h");
}

/** What the exit codes mean. */
export const EXIT_CODES = Object.entries(catalogue.exitCodes);

/** The width of the first column of the help. */
const COLUMN = 30;

/** The help of the program: every command, and the exit codes. The help of a command has its options. */
export function describeUsage(version: string, commands: readonly Command[]): string {
  return `limpid ${version}: tells how clean an IP address is, and shows its reasoning

Usage: limpid COMMAND [OPTION ...]
Without a command, limpid serves.

${commands.map(({ name, operands, what }) => line(`  ${name} ${operands}`.trimEnd(), what)).join("")}
${line("  COMMAND --help", "show the options of a command")}${line("  --version | --help", "")}
Exit codes:
${EXIT_CODES.map(([code, meaning]) => line(`  ${code}`, meaning, 6)).join("")}
${catalogue.usageEnd.join("\n")}
`;
}

/** The help of one command. */
export function describeCommand({ name, operands, what, options }: Command): string {
  const words = ["limpid", name, operands, "[OPTION ...]"].filter((word) => word !== "");
  const sentence = `${what.slice(0, 1).toUpperCase()}${what.slice(1)}.`;
  return `Usage: ${words.join(" ")}

${wrapText(sentence, WIDTH).join("\n")}

${[...options, HELP].map(describeOption).join("")}`;
}

function describeOption({ name, short, value, values, what }: CommandOption): string {
  const letter = short === undefined ? "" : `-${short}, `;
  return line(`  ${letter}--${name}${value === undefined ? "" : ` ${values?.join("|") ?? value}`}`, what);
}

function line(head: string, what: string, column = COLUMN): string {
  const [first = "", ...others] = wrapText(what, WIDTH - column).map((text) => " ".repeat(column) + text);
  const start = head.length < column ? head + first.slice(head.length) : `${head}\n${first}`;
  return [start, ...others].map((text) => `${text.trimEnd()}\n`).join("");
}
