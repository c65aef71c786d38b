import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isRenewing, matchGolden } from "../../kit/golden.ts";

/** One row of the table of faults: what goes wrong, and what each class of source makes of it. */
export interface FaultRow {
  readonly fault: string;
  readonly cells: readonly string[];
}

/** One table of the document. */
export interface FaultTable {
  /** One of the titles of the document. */
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly FaultRow[];
}

/** The parts in their order. */
const TITLES = ["HTTP answers", "DNS answers", "Downloads"];
const PATH = "docs/proofs/faults.md";

/** Whether the document has this row, or is being renewed. */
export function isKept(row: FaultRow): boolean {
  return isRenewing || readDocument().includes(`\n${renderRow(row)}\n`);
}

/** Expects a part of the document to be up to date. */
export function matchGoldenPart(part: string): void {
  matchGolden(PATH, replacePart(readDocument(), part));
}

/** The document as it is on disk; empty if there is none. */
function readDocument(): string {
  const file = join(import.meta.dir, "../../..", PATH);
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

/** The document with one part replaced, which is found by its title. What is before the parts is written by hand. */
function replacePart(document: string, part: string): string {
  const [head = "", ...parts] = document.split(/\n(?=## )/);
  const byTitle = new Map([...parts, part].map((one) => [titleOf(one), `${one.trimEnd()}\n`]));
  return [head, ...TITLES.flatMap((title) => byTitle.get(title) ?? [])].join("\n");
}

function titleOf(part: string): string {
  return part.slice(3, part.indexOf("\n"));
}

/** A part of the document in Markdown, from its title to a line end. */
export function renderPart({ title, columns, rows }: FaultTable): string {
  return [
    `## ${title}`,
    "",
    line(["fault", ...columns]),
    line(["---", ...columns.map(() => "---")]),
    ...rows.map(renderRow),
    "",
  ].join("\n");
}

function renderRow({ fault, cells }: FaultRow): string {
  return line([fault, ...cells]);
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

/** Describes several runs in a few words: the most frequent result first, then the exceptions by name. */
export function tell(runs: readonly { readonly id: string; readonly word: string }[]): string {
  const ids = new Map<string, string[]>();
  for (const { id, word } of runs) ids.set(word, [...(ids.get(word) ?? []), id]);
  const groups = [...ids].sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1));
  return groups.map(([word, own], at) => (at === 0 ? word : `${word}: ${own.sort().join(", ")}`)).join("; ");
}
