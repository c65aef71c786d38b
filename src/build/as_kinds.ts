import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readTsv } from "#tsv";
import lists from "./as_lists.tsv" with { type: "text" };

/** `64496,Name` after a header; the number may be in quotation marks. */
function readTable(text: string): readonly number[] {
  return readRows(text, /^"?(\d{1,10})"?,/, /^ASN,/);
}

function readRows(text: string, row: RegExp, other: RegExp): readonly number[] {
  return text.split("\n").flatMap((line) => {
    const trimmed = line.trim();
    if (trimmed === "" || other.test(trimmed)) return [];
    const [, asn] = row.exec(trimmed) ?? [];
    if (asn === undefined) throw new Error(`Cannot read the row "${trimmed.slice(0, 60)}"`);
    return [Number(asn)];
  });
}

/** Blocks of `64496:` with an indented `category: NAME`; returns the numbers of one category. */
function readCorrections(category: string): (text: string) => readonly number[] {
  return (text) =>
    [...text.matchAll(/^(\d{1,10}):\n((?: .*\n?)+)/gm)].flatMap(([, asn, block = ""]) =>
      new RegExp(`^  category: ${category}$`, "m").test(block) ? [Number(asn)] : [],
    );
}

/** The files below the folder, as their publishers wrote them, and what their numbers are. */
const LISTS = readTsv(lists, ["path", "origin", "kind", "category"]).map((list) => {
  // A line of another list is `AS64496 # comment`; `#` begins a comment.
  const readMarked = (text: string) => readRows(text, /^AS(\d{1,10})\b/, /^#/);
  const read = list.path.endsWith(".csv") ? readTable : readMarked;
  return { ...list, read: list.category === "" ? read : readCorrections(list.category) };
});

/**
 * Reads all lists in `folder`, one entry for each origin and kind.
 * @throws Error that names the file when one cannot be read.
 */
export function readAsLists(folder: string) {
  const entries = new Map<string, { origin: string; kind: string; numbers: Set<number> }>();
  for (const { path, origin, kind, read } of LISTS) {
    const key = `${origin} ${kind}`;
    const entry = entries.get(key) ?? { origin, kind, numbers: new Set<number>() };
    entries.set(key, entry);
    for (const asn of readList(folder, path, read)) if (asn > 0) entry.numbers.add(asn);
  }
  // openasn checked rows of X4BNet and repeats them: two publishers, but one word.
  for (const { origin, kind, numbers } of entries.values()) {
    const checked = entries.get(`openasn ${kind === "vpn_host" ? "vpn" : kind}`);
    if (origin === "x4bnet") for (const asn of checked?.numbers ?? []) numbers.delete(asn);
  }
  return [...entries.values()].filter(({ numbers }) => numbers.size > 0);
}

/** Returns the table with the numbers of all lists in `folder`. @throws Error as {@link readAsLists}. */
export function formatAsKinds(folder: string): string {
  const rows = readAsLists(folder).flatMap(({ origin, kind, numbers }) =>
    wrapNumbers([...numbers].sort((a, b) => a - b)).map((line) => `${origin}\t${kind}\t${line}\n`),
  );
  return HEAD + rows.join("");
}

function readList(folder: string, path: string, read: typeof readTable): readonly number[] {
  try {
    return read(readFileSync(join(folder, path), "utf8").replaceAll("\r", ""));
  } catch (error) {
    throw new Error(`Cannot read "${path}": ${error instanceof Error ? error.message : String(error)}`);
  }
}

const HEAD = `# Kinds of AS numbers from published lists: openasn/openasn (CC0-1.0, 2026-08-08), X4BNet/lists_vpn (MIT, 2026-08-22),
# brianhama/bad-asn-list (MIT, 2026-03-18) and O-X-L/risk-db-lists (BSD-3-Clause, 2025-07-05). Made by
# \`bun run snapshot FOLDER\`; not written by hand.
origin\tkind\tnumbers
`;

const LINE_LENGTH = 108;

function wrapNumbers(numbers: readonly number[]): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const number of numbers) {
    const text = String(number);
    if (line.length + text.length + 1 > LINE_LENGTH) {
      lines.push(line);
      line = "";
    }
    line = line === "" ? text : `${line} ${text}`;
  }
  return [...lines, line];
}
