import { EXIT } from "#app";
import {
  type Command,
  type CommandOption,
  commandTextsOf,
  HELP,
  readOptions,
  wrongUsage,
} from "./command.ts";
import SCRIPTS from "./completion_scripts.json" with { type: "json" };

/** The functions that write completions, by shell. */
const WRITERS = { bash: writeBash, zsh: writeZsh, fish: writeFish, powershell: writePowerShell } as const;
export type Shell = keyof typeof WRITERS;
export const SHELLS = Object.keys(WRITERS) as readonly Shell[];

/** `limpid completions`: prints the completions of all `commands` for a shell. */
export function createCompletionsCommand(commands: () => readonly Command[]): Command {
  const completions: Command = {
    ...commandTextsOf("completions"),
    async run(args, context) {
      const { operands } = readOptions(completions, args);
      const shell = SHELLS.find((known) => known === operands[0]);
      if (shell === undefined || operands.length !== 1) {
        throw wrongUsage("completions", `the shell must be one of ${SHELLS.join(", ")}`);
      }
      await context.write(writeCompletions(shell, commands()));
      return EXIT.ok;
    },
  };
  return completions;
}

/** Writes the completions for a shell as a script to be sourced. */
export function writeCompletions(shell: Shell, commands: readonly Command[]): string {
  return WRITERS[shell](commands.map((command) => ({ ...command, options: [...command.options, HELP] })));
}

/** Fills the script of a shell; `{{name}}` stands for a text that is made of the commands. */
function fill(lines: readonly string[], texts: Readonly<Record<string, string>>): string {
  return lines.join("\n").replaceAll(/\{\{(\w+)\}\}/g, (_, name) => texts[name] ?? "");
}

function lettersOf({ name, short }: CommandOption): readonly string[] {
  return short === undefined ? [`--${name}`] : [`-${short}`, `--${name}`];
}

/** Programmable completion of GNU Bash, https://www.gnu.org/software/bash/manual/html_node/Programmable-Completion.html */
function writeBash(commands: readonly Command[]): string {
  const names = commands.map(({ name }) => name).join(" ");
  const cases = commands.map(({ name, options, words = [], file, files }) => {
    const values = options
      .filter(({ value }) => value !== undefined)
      .map((option) => {
        const choice = option.values;
        if (choice !== undefined) {
          return `      --${option.name}) COMPREPLY=($(compgen -W "${choice.join(" ")}" -- "$word")); return;;\n`;
        }
        return `      --${option.name}) ${option.file === true ? 'COMPREPLY=($(compgen -f -- "$word")); ' : ""}return;;\n`;
      })
      .join("");
    const all = [...words, ...options.flatMap(lettersOf)].join(" ");
    const paths = file === true || files === true ? ' $(compgen -f -- "$word")' : "";
    return `    ${name})
${values === "" ? "" : `      case "$before" in\n${values}      esac\n`}      COMPREPLY=($(compgen -W "${all}" -- "$word")${paths});;
`;
  });
  return fill(SCRIPTS.bash, { names, cases: cases.join("") });
}

/** Completion system of zsh, https://zsh.sourceforge.io/Doc/Release/Completion-System.html */
function writeZsh(commands: readonly Command[]): string {
  const quote = (text: string) => text.replaceAll("'", "'\\''").replaceAll(/[[\]:]/g, "\\$&");
  const cases = commands.map(({ name, options, words = [], file, files }) => {
    const specs = options.flatMap((option) => {
      const action =
        option.value === undefined
          ? ""
          : `:${option.value}:${option.values === undefined ? (option.file === true ? "_files" : " ") : `(${option.values.join(" ")})`}`;
      return lettersOf(option).map((letters) => `'${letters}[${quote(option.what)}]${action}'`);
    });
    if (words.length > 0) specs.push(`'1: :(${words.join(" ")})'`);
    if (file === true) specs.push("'1: :_files'");
    if (files === true) specs.push("'*: :_files'");
    return `    ${name}) ${specs.length === 0 ? "" : `_arguments ${specs.join(" ")}`};;\n`;
  });
  const descriptions = commands.map(({ name, what }) => `    '${name}:${quote(what)}'`).join("\n");
  return fill(SCRIPTS.zsh, { descriptions, cases: cases.join("") });
}

/** Completions of fish, https://fishshell.com/docs/current/cmds/complete.html */
function writeFish(commands: readonly Command[]): string {
  const quote = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  const within = (name: string) => `-n '__fish_seen_subcommand_from ${name}'`;
  const option = (name: string, { name: long, short, value, values, file, what }: CommandOption) => {
    const choice = values === undefined ? "" : ` -a '${values.join(" ")}'`;
    const wants = value === undefined ? "" : file === true ? " -r -F" : " -x";
    return `complete -c limpid ${within(name)} -l ${long}${short === undefined ? "" : ` -s ${short}`}${wants}${choice} -d ${quote(what)}\n`;
  };
  return [
    "complete -c limpid -f\n",
    ...commands.flatMap(({ name, what, options, words = [], file, files }) => [
      `complete -c limpid -n __fish_use_subcommand -a ${name} -d ${quote(what)}\n`,
      ...(words.length === 0 ? [] : [`complete -c limpid ${within(name)} -a '${words.join(" ")}'\n`]),
      ...(file === true || files === true ? [`complete -c limpid ${within(name)} -F\n`] : []),
      ...options.map((one) => option(name, one)),
    ]),
  ].join("");
}

/** `Register-ArgumentCompleter`, https://learn.microsoft.com/powershell/module/microsoft.powershell.core/register-argumentcompleter */
function writePowerShell(commands: readonly Command[]): string {
  const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;
  const list = (words: readonly string[]) => `@(${words.map(quote).join(", ")})`;
  const after = commands.map(({ name, words = [], options }) => {
    return `    ${quote(name)} = ${list([...words, ...options.flatMap(lettersOf)])}\n`;
  });
  const values = commands.flatMap(({ name, options }) =>
    options.flatMap((option) =>
      option.values === undefined
        ? []
        : [`    ${quote(`${name} --${option.name}`)} = ${list(option.values)}\n`],
    ),
  );
  return fill(SCRIPTS.powershell, {
    after: after.join(""),
    values: values.join(""),
    names: list([...commands.map(({ name }) => name), "--help", "--version"]),
  });
}
