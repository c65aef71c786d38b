import type { AsKindVote } from "./network_kind.ts";
import { PUBLISHED_AS_KINDS } from "./published_as_kinds.ts";

/** Votes by AS number. Numbers with the same votes share one array. */
const VOTES = readVotes();

const NO_VOTES: readonly AsKindVote[] = [];

/** Returns what the published lists that ship with the program say about the AS. */
export function findPublishedKinds(asn: number): readonly AsKindVote[] {
  return VOTES.get(asn) ?? NO_VOTES;
}

function readVotes(): ReadonlyMap<number, readonly AsKindVote[]> {
  const keys = new Map<number, string>();
  for (const [at, { numbers }] of PUBLISHED_AS_KINDS.entries()) {
    for (const text of numbers.trim().split(/\s+/)) {
      const asn = Number(text);
      if (!Number.isInteger(asn) || asn <= 0) throw new Error(`Cannot read "${text}" as an AS number`);
      keys.set(asn, `${keys.get(asn) ?? ""} ${at}`);
    }
  }
  const shared = new Map<string, readonly AsKindVote[]>();
  const votes = new Map<number, readonly AsKindVote[]>();
  for (const [asn, key] of keys) {
    let own = shared.get(key);
    if (own === undefined) {
      own = key
        .trim()
        .split(" ")
        .flatMap((at) => PUBLISHED_AS_KINDS[Number(at)] ?? [])
        .map(({ origin, kind }) => ({ origin, kind }));
      shared.set(key, own);
    }
    votes.set(asn, own);
  }
  return votes;
}
