import * as v from "valibot";
import type { VoteSum } from "./store.ts";

/** Reads the sums of an address as one JSON list, inside a statement that reads other things too; the address follows. */
export const VOTE_SUMS =
  "SELECT json_group_array(json_array(scenario, count, sum)) FROM vote_sums WHERE address = ";

const SumsSchema = v.array(v.tuple([v.string(), v.number(), v.number()]));

/** Reads what {@link VOTE_SUMS} gave. @throws {v.ValiError} when it is nothing of the kind. */
export function readVoteSums(json: unknown): readonly VoteSum[] {
  if (json === "[]") return [];
  return v
    .parse(SumsSchema, JSON.parse(String(json)))
    .map(([scenario, count, sum]) => ({ scenario, count, sum }));
}
