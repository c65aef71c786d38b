import type { AsKind } from "#report";
import { readTsv } from "#tsv";
import { readKind } from "./as_kinds.ts";
import table from "./tables/network_names.tsv" with { type: "text" };
import operators from "./tables/operator_names.tsv" with { type: "text" };

/** Kinds that the name of a network can show. */
export type NamedKind = Exclude<
  AsKind,
  "vpn" | "vpn_host" | "tor" | "cdn" | "gateway" | "carrier" | "satellite"
>;

interface NameRule {
  /** Absent for words that only other rules use. */
  readonly kind?: NamedKind;
  readonly is: RegExp;
  readonly unless?: RegExp;
}

const RULES: readonly NameRule[] = readRules();

/** Reads the rules in order; `{name}` in a pattern stands for the words of an earlier rule. */
function readRules(): readonly NameRule[] {
  const rules = new Map<string, NameRule>();
  const rows = readTsv(table, ["rule", "kind", "part", "pattern"]);
  for (const [name, own] of Map.groupBy(rows, ({ rule }) => rule)) {
    const join = (part: string) =>
      own
        .filter((row) => row.part === part)
        .map(({ pattern }) => pattern.replace(/^\{(\w+)\}$/, (_, other) => rules.get(other)?.is.source ?? ""))
        .join("|");
    const kind = own[0]?.kind ?? "";
    const unless = join("unless");
    rules.set(name, {
      is: new RegExp(join("is")),
      ...(kind === "" ? {} : { kind: readKind(kind) as NamedKind }),
      ...(unless === "" ? {} : { unless: new RegExp(unless) }),
    });
  }
  return [...rules.values()].filter(({ kind }) => kind !== undefined);
}

/** Longer names are cut: a name is only a hint, and a hostile one must not take much time. */
const MAX_NAME_LENGTH = 200;

/** Accents of Latin letters, after decomposition. */
const ACCENTS = /[\u0300-\u036f]/g;

/** Latin letters that Unicode does not decompose into a plain letter and an accent. */
const PLAIN: ReadonlyMap<string, string> = new Map([
  ["ı", "i"],
  ["ł", "l"],
  ["đ", "d"],
  ["ø", "o"],
  ["æ", "ae"],
  ["œ", "oe"],
  ["ß", "ss"],
]);
const NOT_PLAIN = /[ıłđøæœß]/g;

/**
 * The kinds of the names read last. This is only a cache, because the addresses of a large network have one name: it
 * never changes a result.
 */
const READ = new Map<string, NamedKind | undefined>();
const MAX_READ = 2_048;

/** Returns the kind that the name of a network shows, if any. The name is as registries and routing tables write it. */
export function classifyName(name: string): NamedKind | undefined {
  if (READ.has(name)) return READ.get(name);
  const kind = readName(name);
  if (READ.size >= MAX_READ) READ.clear();
  READ.set(name, kind);
  return kind;
}

function readName(name: string): NamedKind | undefined {
  const words = name
    .slice(0, MAX_NAME_LENGTH)
    .toLowerCase()
    .normalize("NFD")
    .replaceAll(ACCENTS, "")
    .replaceAll(NOT_PLAIN, (letter) => PLAIN.get(letter) ?? letter)
    .replaceAll(/[_.,;:()/"\s]+/g, " ")
    .replaceAll(/(?<!\bt)-/g, " ");
  return (
    RULES.find(({ is, unless }) => is.test(words) && unless?.test(words) !== true)?.kind ??
    findOperator(words)
  );
}

/** Kinds by the first words of the name of a well-known operator, joined by blanks. */
const OPERATORS: ReadonlyMap<string, NamedKind> = new Map(
  readTsv(operators, ["kind", "name"]).map(({ kind, name }) => [name, readKind(kind) as NamedKind]),
);

/** Number of words of the longest beginning. */
const MAX_WORDS = 5;

/** Returns the kind of a well-known operator whose name begins `words`. The longest beginning decides. */
function findOperator(words: string): NamedKind | undefined {
  const all = words.split(" ", MAX_WORDS * 2).filter((word) => word !== "");
  for (let count = Math.min(all.length, MAX_WORDS); count > 0; count--) {
    const kind = OPERATORS.get(all.slice(0, count).join(" "));
    if (kind !== undefined) return kind;
  }
  return undefined;
}
