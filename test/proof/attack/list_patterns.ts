import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";

const project = join(import.meta.dir, "../../..");

/** A regular expression of the program. */
export interface Pattern {
  readonly file: string;
  readonly line: number;
  readonly source: string;
  readonly flags: string;
}

/** Every file of the program. */
function listProgramFiles(folder = "src"): readonly { readonly file: string; readonly text: string }[] {
  return readdirSync(join(project, folder), { recursive: true, encoding: "utf8" })
    .map((name) => join(project, folder, name))
    .filter((path) => /\.[jt]s$/.test(path) && statSync(path).isFile())
    .map((path) => ({ file: relative(project, path), text: readFileSync(path, "utf8") }))
    .toSorted((a, b) => a.file.localeCompare(b.file));
}

/** Every regular expression that is written as a literal. */
export function listPatterns(folder = "src"): readonly Pattern[] {
  return listProgramFiles(folder).flatMap(({ file, text }) => scan(file, text));
}

/** Comments, strings and templates, with one template in another; they hold no literal. */
const SKIPPED =
  /\/\/.*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|\$\{(?:[^{}`]|\{[^{}]*\}|`(?:\\[\s\S]|[^`\\])*`)*\}|[^`\\])*`/;
/** A literal where none can be a division. */
const LITERAL =
  /(?<=(?:^|[=(,:[!&|?{};+\n]|=>|\breturn|\btypeof|\bcase)\s*)\/(?<source>(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])*)\/(?<flags>[dgimsuvy]*)/;

function scan(file: string, text: string): Pattern[] {
  const tokens = text.matchAll(new RegExp(`${SKIPPED.source}|${LITERAL.source}`, "gm"));
  return [...tokens].flatMap(({ index, groups }) => {
    const { source, flags = "" } = groups ?? {};
    return source === undefined
      ? []
      : [{ file, line: text.slice(0, index).split("\n").length, source, flags }];
  });
}
