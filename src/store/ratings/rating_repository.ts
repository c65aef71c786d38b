import type { Client } from "@libsql/client";
import { eq, type Placeholder, type SQL, sql } from "drizzle-orm";
import { QueryBuilder } from "drizzle-orm/sqlite-core";
import * as v from "valibot";
import { voteSums } from "../schema.ts";
import { readText, toStatement } from "../statements.ts";
import type { RatingRepository, VoteSum } from "../store.ts";

/** Holds for both statements of a vote: nothing between them changes who has voted. */
const HAS_ROOM = `(SELECT count(*) FROM votes
  WHERE address = ?1 AND scenario = ?2 AND day = ?3 AND voter <> ?4) < ?6`;

/** Runs before the vote is written: the voter's earlier rating of that day is taken out of the sum. */
const ADD_TO_SUM = `INSERT INTO vote_sums (address, scenario, count, sum)
  SELECT ?1, ?2, earlier.rating IS NULL, ?5 - coalesce(earlier.rating, 0)
  FROM (SELECT (SELECT rating FROM votes WHERE address = ?1 AND scenario = ?2 AND day = ?3 AND voter = ?4) AS rating)
    AS earlier
  WHERE ${HAS_ROOM}
  ON CONFLICT (address, scenario) DO UPDATE SET count = count + excluded.count, sum = sum + excluded.sum`;

const SAVE_VOTE = `INSERT INTO votes (address, scenario, day, voter, rating)
  SELECT ?1, ?2, ?3, ?4, ?5 WHERE ${HAS_ROOM}
  ON CONFLICT (address, scenario, day, voter) DO UPDATE SET rating = excluded.rating
  RETURNING 1`;

const query = new QueryBuilder();

/** The sums of an address as one JSON list in one column, so that another query can contain it. */
export function selectVoteSums(address: Placeholder) {
  const entry: SQL = sql`json_array(${voteSums.scenario}, ${voteSums.count}, ${voteSums.sum})`;
  return query
    .select({ sums: sql`CAST(json_group_array(${entry}) AS BLOB)` })
    .from(voteSums)
    .where(eq(voteSums.address, address));
}

const READ = toStatement(selectVoteSums(sql.placeholder("address")));

const SumsSchema = v.array(v.tuple([v.string(), v.number(), v.number()]));

/** Reads the column of {@link selectVoteSums}. @throws {v.ValiError} for any other value. */
export function readVoteSums(json: unknown): readonly VoteSum[] {
  const text = readText(json);
  if (text === "[]") return [];
  return v.parse(SumsSchema, JSON.parse(text)).map(([scenario, count, sum]) => ({ scenario, count, sum }));
}

/** Reads the sums of an address. */
export async function findVoteSums(
  client: Pick<Client, "execute">,
  address: string,
): Promise<readonly VoteSum[]> {
  const { rows } = await client.execute({ sql: READ.sql, args: READ.args({ address }) });
  return readVoteSums(rows[0]?.[0]);
}

/** Creates the {@link RatingRepository} of a database. Votes have tables of their own and outlive the reports. */
export function createRatingRepository(client: Client): RatingRepository {
  return {
    async saveVote({ address, scenario, voter, day, rating }, mostVoters) {
      const args = [address, scenario, day, voter, rating, mostVoters];
      const results = await client.batch(
        [
          { sql: ADD_TO_SUM, args },
          { sql: SAVE_VOTE, args },
        ],
        "write",
      );
      return (results.at(-1)?.rows.length ?? 0) > 0;
    },
    read: (address) => findVoteSums(client, address),
  };
}
