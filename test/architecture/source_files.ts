import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";

/** Root of the project. */
export const PROJECT = join(import.meta.dir, "../..");

/** A TypeScript file below `src` or `test`. */
export interface SourceFile {
  /** Path below the folder that was listed. */
  readonly path: string;
  /** First folder of the path; the file name for a file in the root. */
  readonly module: string;
  readonly text: string;
  /** The text without comments. */
  readonly code: string;
}

/** Reads every TypeScript file below a folder of the project, sorted by path. */
export function readSourceFiles(folder: "src" | "test"): readonly SourceFile[] {
  const root = join(PROJECT, folder);
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && statSync(join(root, name)).isFile())
    .toSorted()
    .map((name) => {
      const path = relative(root, join(root, name));
      const text = readFileSync(join(root, name), "utf8");
      return {
        path,
        module: path.split("/")[0] ?? path,
        text,
        code: text.replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, ""),
      };
    });
}
