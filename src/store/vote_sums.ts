import * as v from "valibot";
import { readText } from "./read_text.ts";
import type { VoteSum } from "./store.ts";

/** Reads the sums of an address as one JSON list, inside a statement that reads other things too; the address follows. */
export const VOTE_SUMS =
  "SELECT CAST(json_group_array(json_array(scenario, count, sum)) AS BLOB) FROM vote_sums WHERE address = ";

const SumsSchema = v.array(v.tuple([v.string(), v.number(), v.number()]));

/** Reads what {@link VOTE_SUMS} gave. @throws {v.ValiError} when it is nothing of the kind. */
export function readVoteSums(json: unknown): readonly VoteSum[] {
  const text = readText(json);
  if (text === "[]") return [];
  return v.parse(SumsSchema, JSON.parse(text)).map(([scenario, count, sum]) => ({ scenario, count, sum }));
}
