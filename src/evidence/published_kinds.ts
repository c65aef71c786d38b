import { readTsv } from "#tsv";
import { readKind } from "./as_classes.ts";
import { type AsKindVote, readOrigin } from "./as_origins.ts";
import table from "./tables/published_as_kinds.tsv" with { type: "text" };

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
  for (const row of readTsv(table, ["origin", "kind", "numbers"])) {
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
