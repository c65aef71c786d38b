import { readTsv } from "#tsv";
import { AS_KINDS, type AsKind } from "./as_kinds.ts";
import { type AsKindVote, readOrigin } from "./as_origins.ts";
import table from "./tables/as_classes.tsv" with { type: "text" };
import published from "./tables/published_as_kinds.tsv" with { type: "text" };

/**
 * What is known about one autonomous system. `service`: the VPN service that the whole AS belongs to. `home`: the
 * countries in which a carrier registers its own space.
 */
export interface AsClass {
  readonly class: AsKind;
  readonly operator: string;
  readonly service?: string;
  readonly home?: readonly string[];
}

const CLASSES: ReadonlyMap<number, AsClass> = new Map(
  readTsv(table, ["kind", "operator", "service", "home", "numbers"]).flatMap((row) => {
    const known: AsClass = {
      class: readKind(row.kind),
      operator: row.operator,
      ...(row.service === "" ? {} : { service: row.service }),
      ...(row.home === "" ? {} : { home: row.home.split(" ") }),
    };
    return row.numbers.split(" ").map((number) => [Number(number), known] as const);
  }),
);

/** Returns the class of the autonomous system, or undefined when the table does not have it. */
export function findAsClass(asn: number): AsClass | undefined {
  return CLASSES.get(asn);
}

/** Returns the other autonomous systems of the same row of the table: those of the same operator and kind. */
export function findSiblings(asn: number): readonly number[] {
  const own = CLASSES.get(asn);
  if (own === undefined) return [];
  return [...CLASSES].flatMap(([number, known]) => (known === own && number !== asn ? [number] : []));
}

/** @throws Error when the text is not a kind of AS. */
export function readKind(text: string): AsKind {
  const kind = AS_KINDS.find((one) => one === text);
  if (kind === undefined) throw new Error(`Cannot read "${text}" as a kind of AS`);
  return kind;
}

const NO_VOTES: readonly AsKindVote[] = [];

/** Votes by AS number. Numbers with the same votes share one array. */
const VOTES = readVotes();

/** Returns what the published lists that ship with the program say about the AS. */
export function findPublishedKinds(asn: number): readonly AsKindVote[] {
  return VOTES.get(asn) ?? NO_VOTES;
}

function readVotes(): ReadonlyMap<number, readonly AsKindVote[]> {
  const votes = new Map<number, readonly AsKindVote[]>();
  const shared = new Map<string, readonly AsKindVote[]>();
  for (const row of readTsv(published, ["origin", "kind", "numbers"])) {
    const origin = readOrigin(row.origin);
    if (origin === undefined) throw new Error(`Cannot read "${row.origin}" as an origin`);
    const vote = { origin, kind: readKind(row.kind) };
    for (const number of row.numbers.split(" ").map(Number)) {
      const before = votes.get(number) ?? NO_VOTES;
      const key = [...before, vote].map((one) => `${one.origin} ${one.kind}`).join();
      const all = shared.get(key) ?? [...before, vote];
      shared.set(key, all);
      votes.set(number, all);
    }
  }
  return votes;
}
