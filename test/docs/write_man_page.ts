import { COMMANDS } from "#cli";
import { type Command, HELP } from "../../src/cli/command.ts";
import { EXIT_CODES } from "../../src/cli/commands.ts";

/** Escapes a text for roff: a backslash, a hyphen that is one, and a control character at the start of a line. */
function escapeRoff(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll(/^([.'])/gm, "\\&$1");
}

function describeCommand({ name, operands, what, options }: Command): string {
  const rows = [...options, HELP].map(({ name: long, short, value, values, what: meaning }) => {
    const letters = `${short === undefined ? "" : `-${short}, `}--${long}`;
    const given = value === undefined ? "" : ` \\fI${escapeRoff(values?.join("|") ?? value)}\\fR`;
    return `.TP\n\\fB${escapeRoff(letters)}\\fR${given}\n${escapeRoff(meaning)}\n`;
  });
  const head = `limpid ${name}${operands === "" ? "" : ` ${operands}`}`;
  return `.SS ${escapeRoff(head)}\n${escapeRoff(`${what.slice(0, 1).toUpperCase()}${what.slice(1)}.`)}\n${rows.join("")}`;
}

const EXAMPLES = [
  ["limpid lookup 46.4.84.25", "the report on an address"],
  ["limpid lookup --field risk.purity 46.4.84.25", "its purity alone"],
  ["limpid batch access.log --tables-only", "a row for the first address of each line, without network"],
  ["limpid grep --deny tor,vpn access.log", "the lines from Tor exits and VPNs"],
  ["limpid export --deny tor --format nft --out tor.nft", "Tor exits as prefixes for nftables"],
] as const;

/** Writes the manual page for section 1, man(7), from the declarations of the commands. */
export function writeManPage(): string {
  return `.\\" Written from the declarations of the commands.
.TH LIMPID 1
.SH NAME
limpid \\- tells how clean an IP address is, and shows its reasoning
.SH SYNOPSIS
.B limpid
.RI [ command ]
.RI [ operand " ...]"
.RI [ option " ...]"
.SH DESCRIPTION
Without a command, limpid serves the pages and the interface for programs.
.SH COMMANDS
${COMMANDS.map(describeCommand).join("")}.SH EXIT STATUS
${EXIT_CODES.map(([code, meaning]) => `.TP\n${code}\n${escapeRoff(meaning)}\n`).join("")}.SH EXAMPLES
${EXAMPLES.map(([command, what]) => `.TP\n\\fB${escapeRoff(command)}\\fR\n${escapeRoff(what)}\n`).join("")}.SH ENVIRONMENT
All other settings are environment variables; docs/operators/configuration.md describes them.
`;
}
