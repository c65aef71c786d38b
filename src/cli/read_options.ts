import { parseArgs } from "node:util";
import type { Command } from "./commands.ts";
import { EXIT, ExitError } from "./exit_codes.ts";

/** What stood behind a command: options by name, and the operands. */
export interface ReadOptions {
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
  readonly operands: readonly string[];
}

/**
 * Reads what stands behind a command by its own table, and no other option. An option may be given once.
 * @throws {ExitError} with one line on what is wrong.
 */
export function readOptions(command: Command, args: readonly string[]): ReadOptions {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: Object.fromEntries(
        command.options.map(({ name, value }) => [
          name,
          { type: value === undefined ? "boolean" : "string", multiple: true },
        ]),
      ),
    });
    const flags = new Set<string>();
    const words = new Map<string, string>();
    for (const option of command.options) {
      const given = values[option.name];
      if (!Array.isArray(given)) continue;
      if (given.length > 1) throw new Error(`--${option.name} was given ${given.length} times`);
      const [word] = given;
      if (typeof word !== "string") flags.add(option.name);
      else {
        if (option.values?.includes(word) === false) {
          throw new Error(
            `--${option.name} must be ${option.values.join(" or ")}: current value is "${word}"`,
          );
        }
        words.set(option.name, word);
      }
    }
    return { flags, values: words, operands: positionals };
  } catch (error) {
    throw new ExitError(
      EXIT.usage,
      `Cannot run "limpid ${command.name}": ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
