/** The commands: one file for each, with its options, its help and the function that runs it. */
export type { CommandContext } from "./command.ts";
export { COMMANDS, runProgram } from "./commands.ts";
