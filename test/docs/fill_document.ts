import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT } from "./list_documents.ts";

/** A row of a table: its cells from left to right. */
export type Row = readonly string[];

/** What is written into a document: a text, or the rows of a table. `options` are the words after the name of the part. */
export type Part = (given: {
  readonly options: readonly string[];
  /** The row that the document has for a first cell: columns that people write stay. Throws if there is none. */
  readonly told: (first: string) => Row;
}) => string | readonly Row[];

/** `<!-- name options -->text<!-- end -->` in a line, or `<!-- name options -->` above a table. */
const PART = /<!-- ([a-z]\w*)([\w ]*) -->(?:([^<\n]*)<!-- end -->|(\n\n(?:\|.*\n){2})((?:\|.*\n)*))/g;

/** Fills every part of a document. Throws if the document lacks a part, or has one that nobody writes. */
export function fillDocument(path: string, parts: Readonly<Record<string, Part>>): string {
  const missing = new Set(Object.keys(parts));
  const filled = readFileSync(join(PROJECT, path), "utf8").replaceAll(
    PART,
    (_, name: string, words: string, _text: string | undefined, head: string | undefined, body = "") => {
      const part = parts[name];
      if (part === undefined) throw new Error(`Cannot fill "${name}" of ${path}: nothing writes it`);
      missing.delete(name);
      const rows = new Map<string, Row>(
        (body as string).split("\n").map((line): [string, Row] => {
          const cells = line.slice(2, -2).split(" | ");
          return [cells[0] ?? "", cells];
        }),
      );
      const told = (first: string): Row => {
        const row = rows.get(first);
        if (row === undefined)
          throw new Error(`Cannot describe ${first} in ${path}: add its row with what it is`);
        return row;
      };
      const written = part({ options: words.trim().split(" "), told });
      const start = `<!-- ${name}${words} -->`;
      if (typeof written === "string") return `${start}${written}<!-- end -->`;
      return `${start}${head}${written.map((cells) => `| ${cells.join(" | ")} |\n`).join("")}`;
    },
  );
  if (missing.size > 0) throw new Error(`Cannot fill ${path}: it has no part ${[...missing].join(", ")}`);
  return filled;
}
