import { expect } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** One row of the table of faults: what goes wrong, and what each class of source makes of it. */
export interface FaultRow {
  readonly fault: string;
  readonly cells: readonly string[];
}

/** A part of the document. */
export interface FaultTable {
  /** One of those that the document has. */
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly FaultRow[];
}

/** The parts in their order. */
const TITLES = ["HTTP answers", "DNS answers", "Downloads"];
const PATH = join(import.meta.dir, "../../../docs/faults.md");

/** Whether the document says so already, or is being written anew. */
export function isKept(row: FaultRow): boolean {
  return Bun.env.UPDATE_GOLDEN === "1" || readDocument().includes(`\n${renderRow(row)}\n`);
}

/** A part must be what the document says. */
export function expectKept(part: string): void {
  if (Bun.env.UPDATE_GOLDEN === "1") writePart(part);
  expect(readDocument()).toStartWith(`${HEAD}\n`);
  expect(readDocument()).toContain(part);
}

/** The document as it is on disk; empty when there is none. */
function readDocument(): string {
  try {
    return readFileSync(PATH, "utf8");
  } catch {
    return "";
  }
}

/** Replaces one part of the document, found by its title, and leaves the others as they are. */
function writePart(part: string): void {
  const parts = new Map(
    [
      ...readDocument()
        .split(/\n(?=## )/)
        .slice(1),
      part,
    ].map((one) => [titleOf(one), `${one.trimEnd()}\n`]),
  );
  const inOrder = TITLES.flatMap((title) => parts.get(title) ?? []);
  writeFileSync(PATH, [`${HEAD}\n`, ...inOrder].join("\n"));
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

/** What several runs came to, in a few words: the most frequent first, the exceptions by name. */
export function tell(runs: readonly { readonly id: string; readonly word: string }[]): string {
  const ids = new Map<string, string[]>();
  for (const { id, word } of runs) ids.set(word, [...(ids.get(word) ?? []), id]);
  const groups = [...ids].sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1));
  return groups.map(([word, own], at) => (at === 0 ? word : `${word}: ${own.sort().join(", ")}`)).join("; ");
}

const HEAD = `# Faults

What limpid says when those it asks do not answer as they should. Written and kept by
\`test/proof/faults\`: run \`UPDATE_GOLDEN=1 bun test test/proof/faults\` to write it anew.

Every row was played over real sockets on loopback by one half of all live sources while the other half was well, and
then the other way round. In each of them:

- a run that failed is \`failed\` with its kind of error, carries no observation and takes or gives no points; a list that
  could not be heard is \`unavailable\`, never "not listed";
- whoever was well said exactly what it says when all are well;
- no run lasted longer than its source's time limit and 100 ms, no survey longer than its deadline and 200 ms (what the
  machine was late by, as timers show it, added to both);
- memory and bytes taken over the line stayed bounded, and the report was valid.

\`answered\` means that the fault does no harm: the answer is the same as without it, or (\`1e999\`) lacks only numbers
that nobody is charged for. Where the word is one of a download, the last good one stayed in use.

With 30 % of all DNS packets lost a question is asked again after a second; what is lost twice is \`failed: timeout\`, a
list whose self-test is lost twice is \`failed: unavailable\` for five seconds, for ten the next time and so on, and
everybody else is heard as usual.

Not everybody can be asked at once: a survey has \`LIMPID_POOL\` questions under way, 24 unless set otherwise. While one
half of all live sources never answers, whichever half, everybody else is heard within the deadline. A source's time
limit runs from when it gets its place, who is silent holds one place and not those of a self-test as well, what has
begun goes on before others begin, and whoever failed last time is asked last.`;
