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

/** The document with one part replaced, which is found by its title. */
function replacePart(document: string, part: string): string {
  const [, ...parts] = document.split(/\n(?=## )/);
  const byTitle = new Map([...parts, part].map((one) => [titleOf(one), `${one.trimEnd()}\n`]));
  return [`${HEAD}\n`, ...TITLES.flatMap((title) => byTitle.get(title) ?? [])].join("\n");
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

const HEAD = `# Faults

This page says what limpid reports when upstreams do not answer as they should. The tests in \`test/proof/faults\` write
and check it; \`bun run golden\` renews it.

A test plays every row over real sockets on loopback. One half of all live sources has the fault while the other half
works; then the halves change places. In every row:

- A run that failed is \`failed\` with its kind of error. It has no observation, and it gives and takes no points. A
  blocklist that did not answer is \`unavailable\`, never "not listed".
- A source without a fault says exactly what it says when all sources work.
- No run lasts longer than the time limit of its source and 100 ms. No survey lasts longer than its deadline and 200 ms.
  (The delay of the machine, measured with timers, is added to both.)
- Memory and received bytes stay bounded, and the report is valid.

\`answered\` means that the fault does no harm: the answer is the same as without it, or (\`1e999\`) lacks only numbers
that cost no points. In the table of downloads, every word except \`accepted\` means that the last good version stays in
use.

With 30 % of all DNS packets lost, limpid sends a query again after 0.4, 0.9 and 1.5 seconds. A query without an answer is
\`failed: timeout\`. A blocklist whose self-test is lost twice is \`failed: unavailable\` for five seconds, the next time
for ten, and so on. All other sources are answered as usual.

A survey has at most \`LIMPID_POOL\` queries under way, 24 by default. While either half of all live sources never answers,
the other half answers within the deadline. Four rules make this possible: the time limit of a source starts when its
query starts; a silent source holds one place, also when its self-test is under way; a query that has started continues
before others start; and a source that failed last time comes last.`;
