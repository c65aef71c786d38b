import { COMMANDS, type Command } from "./commands.ts";

const COLUMN = 38;

/** The help of the program: every command with its options, and what the exit codes mean. */
export function describeUsage(version: string): string {
  return `limpid ${version}: tells how clean an IP address is, and shows its reasoning

${COMMANDS.map(describeCommand).join("")}
${line("  limpid --version | --help", "")}
Exit codes: 0 done; 1 below --fail-below, not ready, or not sound; 2 no address; 3 nobody could answer; 64 wrong
usage; 65 damaged file; 66 no such file; 70 failed; 73 cannot write; 75 in use; 78 wrong configuration.

Everything else is set by environment variables; .env.example lists them.
`;
}

function describeCommand(command: Command): string {
  const head = `  limpid ${command.name}${command.operands === "" ? "" : ` ${command.operands}`}`;
  const options = command.options.map(({ name, value, values, what }) => {
    const wanted = value === undefined ? "" : ` ${values?.join("|") ?? value}`;
    return line(`    --${name}${wanted}`, what);
  });
  return line(head, command.what) + options.join("");
}

function line(head: string, what: string): string {
  if (what === "") return `${head}\n`;
  return head.length < COLUMN
    ? `${head.padEnd(COLUMN)} ${what}\n`
    : `${head}\n${" ".repeat(COLUMN)} ${what}\n`;
}
