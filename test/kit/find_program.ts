import { existsSync } from "node:fs";
import { join } from "node:path";
import PROGRAMS from "./programs.json";

/** Programs that some tests need beside Bun, their Debian packages, and where else they may be. */
export { PROGRAMS };
export type Program = keyof typeof PROGRAMS;

/** Path of a program, or undefined if it is missing: then its tests are skipped, and `test/run.ts` reports it. */
export function findProgram(program: Program): string | undefined {
  const folders = [...(Bun.env.PATH ?? "").split(":"), "/usr/bin", "/usr/sbin", "/usr/local/sbin"];
  return folders
    .map((folder) => join(folder, program))
    .find((path) => path.startsWith("/") && existsSync(path));
}
