import type { UsageType } from "#report";
import type { UsageVotes } from "./collect_votes.ts";
import type { UsageEvidence } from "./evidence.ts";
import { sortedSet } from "./sorted_set.ts";
import type { Vote } from "./vote.ts";

/** Among votes of one kind the more specific use wins a tie. */
const PRECEDENCE: readonly UsageType[] = [
  "hosting",
  "government",
  "education",
  "business",
  "mobile",
  "residential",
];

/**
 * Decides what the network is used for. Hosting follows the flag; then government and education, which our own
 * table and names tell better than vendors do; then what was said and what is known of the whole network, by majority
 * of families; then names; then two hints that agree. What is known stands before names: they are the same fact.
 */
export function mergeUsage(votes: UsageVotes, isHosting: boolean): UsageEvidence {
  const type = isHosting ? "hosting" : decide(votes);
  const said = votes.said.filter((vote) => vote.type === type);
  const known = votes.known.votes.filter((vote) => vote.type === type);
  const named = known.length > 0 ? [] : votes.named.filter((vote) => vote.type === type);
  const hinted = votes.hinted.filter((vote) => vote.type === type);
  const families = sortedSet([...said, ...known, ...named, ...hinted].map((vote) => vote.family));
  return {
    type,
    because: [
      ...new Set([
        ...sortedSet(said.map((vote) => vote.because)),
        ...sortedSet(known.map((vote) => vote.because)),
        ...sortedSet(named.map((vote) => vote.because)),
        ...sortedSet(hinted.map((vote) => vote.because)),
      ]),
    ],
    families,
    agreement: families.length,
    said: sortedSet(said.map((vote) => vote.family)).length,
    heard: votes.heard,
  };
}

function decide({ said, known, named, hinted }: UsageVotes): UsageType {
  for (const type of ["government", "education"] as const) {
    if ([...said, ...known.votes, ...named].some((vote) => vote.type === type)) return type;
  }
  const others = [...said, ...known.votes].filter((vote) => vote.type !== "hosting");
  if (others.length > 0) return findMajority(others);
  const names = named.filter((vote) => vote.type !== "hosting");
  if (names.length > 0) return findMajority(names);
  const isAgreed = new Set(hinted.map((vote) => vote.because)).size > 1 && countFamilies(hinted) > 1;
  return isAgreed ? "residential" : "unknown";
}

function findMajority(votes: readonly Vote[]): UsageType {
  const ranked = PRECEDENCE.map((type) => ({
    type,
    families: countFamilies(votes.filter((vote) => vote.type === type)),
  }));
  return ranked.reduce((best, next) => (next.families > best.families ? next : best)).type;
}

function countFamilies(votes: readonly Vote[]): number {
  return new Set(votes.map((vote) => vote.family)).size;
}
