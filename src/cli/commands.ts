/** One option of a command. With `value` it wants one: `values` are the words to choose from, `file` a path. */
export interface CommandOption {
  readonly name: string;
  readonly value?: string;
  readonly values?: readonly string[];
  readonly file?: true;
  readonly what: string;
}

/** One command, as its reader, the help and the shell completions know it. */
export interface Command {
  readonly name: string;
  /** What stands behind the name in the help. */
  readonly operands: string;
  /** Words that may stand behind the name. */
  readonly words?: readonly string[];
  readonly file?: true;
  readonly what: string;
  readonly options: readonly CommandOption[];
}

const LANGUAGE: CommandOption = {
  name: "lang",
  value: "LANGUAGE",
  values: ["zh", "en"],
  what: "language of the words",
};
const BELOW: CommandOption = {
  name: "fail-below",
  value: "PURITY",
  what: "end with 1 when the purity is lower than this",
};

/** Every command, in the order of the help. */
export const COMMANDS = [
  { name: "serve", operands: "", what: "serve the HTTP interface", options: [] },
  {
    name: "lookup",
    operands: "ADDRESS",
    what: "print one report: coloured on a terminal, plain text elsewhere",
    options: [
      { name: "json", what: "the report as JSON" },
      { name: "text", what: "72 columns of plain text" },
      { name: "markdown", what: "the report as Markdown" },
      { name: "line", what: "one line" },
      {
        name: "field",
        value: "PATH",
        what: "one value of the JSON, such as risk.purity; nothing if it is absent",
      },
      LANGUAGE,
      BELOW,
      { name: "refresh", what: "ask every source again, whatever is stored" },
      { name: "no-color", what: "no colour, as with NO_COLOR set" },
    ],
  },
  {
    name: "batch",
    operands: "FILE",
    file: true,
    what: "judge every address of a file, one a line; - reads the standard input",
    options: [
      {
        name: "out",
        value: "FILE",
        file: true,
        what: "write there, and go on where an earlier run of the same file ended",
      },
      {
        name: "format",
        value: "FORMAT",
        values: ["ndjson", "csv"],
        what: "form of the rows, else by the name of --out, else ndjson",
      },
      { name: "tables-only", what: "ask nobody and store nothing: judge by the tables at hand" },
      { name: "parallel", value: "N", what: "surveys at once, 1 to 16; 4 if not told" },
      BELOW,
    ],
  },
  {
    name: "feeds",
    operands: "status | update [ID ...]",
    words: ["status", "update"],
    what: "show every downloaded list, or download now",
    options: [{ name: "json", what: "the state as JSON" }],
  },
  {
    name: "db",
    operands: "backup FILE | restore FILE | check | prune | stats",
    words: ["backup", "restore", "check", "prune", "stats"],
    what: "look after the database; only restore wants the server stopped",
    options: [
      { name: "force", what: "backup: replace FILE if it exists" },
      {
        name: "older-than",
        value: "DAYS",
        what: "prune: delete reports not surveyed for so long, else for LIMPID_RETENTION_DAYS",
      },
      { name: "json", what: "check, stats: what was found as JSON" },
    ],
  },
  {
    name: "check",
    operands: "",
    what: "ask every source about a known address; 1 if one is not ready",
    options: [{ name: "json", what: "what was found as JSON" }],
  },
  {
    name: "health",
    operands: "",
    what: "ask the limpid that serves here whether it lives; 1 if it does not",
    options: [],
  },
  {
    name: "completions",
    operands: "bash | zsh | fish",
    words: ["bash", "zsh", "fish"],
    what: "print the completions of a shell",
    options: [],
  },
] as const satisfies readonly Command[];
export type CommandName = (typeof COMMANDS)[number]["name"];

/** The command of that name. */
export function commandOf(name: CommandName): Command {
  const command = COMMANDS.find((known) => known.name === name);
  if (command === undefined) throw new Error(`Cannot find command "${name}"`);
  return command;
}
