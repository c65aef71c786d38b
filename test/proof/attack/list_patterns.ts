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

/** What may stand before a literal; after anything else a slash divides. */
const BEFORE = /(?:^|[=(,:[!&|?{};+\n]|=>|\breturn|\btypeof|\bcase)\s*$/;

/** Knows comments, strings and templates well enough to see literals between them. */
function scan(file: string, text: string): Pattern[] {
  const found: Pattern[] = [];
  let at = 0;
  while (at < text.length) {
    const rest = text.slice(at, at + 2);
    const one = text[at] ?? "";
    if (rest === "//") at = endOf(text, "\n", at);
    else if (rest === "/*") at = endOf(text, "*/", at + 2);
    else if (one === '"' || one === "'") at = endOfString(text, at, one);
    else if (one === "`") at = endOfTemplate(text, at);
    else if (one === "/" && BEFORE.test(text.slice(Math.max(0, at - 40), at))) {
      const literal = /^\/((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+)\/([dgimsuvy]*)/.exec(
        text.slice(at, at + 4_000),
      );
      if (literal === null) at++;
      else {
        const [whole, source = "", flags = ""] = literal;
        found.push({ file, line: text.slice(0, at).split("\n").length, source, flags });
        at += whole.length;
      }
    } else at++;
  }
  return found;
}

function endOf(text: string, mark: string, from: number): number {
  const end = text.indexOf(mark, from);
  return end < 0 ? text.length : end + mark.length;
}

function endOfString(text: string, from: number, quote: string): number {
  let at = from + 1;
  while (at < text.length && text[at] !== quote) at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

/** Insertions may contain templates; the few literals in them are skipped. */
function endOfTemplate(text: string, from: number): number {
  let at = from + 1;
  let depth = 0;
  while (at < text.length) {
    if (text[at] === "\\") at += 2;
    else if (depth === 0 && text[at] === "`") return at + 1;
    else if (text.startsWith("${", at)) {
      depth++;
      at += 2;
    } else if (depth > 0 && text[at] === "{") {
      depth++;
      at++;
    } else if (depth > 0 && text[at] === "}") {
      depth--;
      at++;
    } else if (depth > 0 && text[at] === "`") at = endOfTemplate(text, at);
    else if (depth > 0 && text[at] === '"') at = endOfString(text, at, '"');
    else at++;
  }
  return at;
}
