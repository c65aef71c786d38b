import { createHash } from "node:crypto";
import type { Client } from "@libsql/client";
import { and, eq, type Placeholder, type SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/libsql";
import { QueryBuilder } from "drizzle-orm/sqlite-core";
import * as v from "valibot";
import type { Vote, VoteSum } from "#report";
import { voteSums, votes } from "../schema.ts";
import { readText, toStatement, writeAll } from "../statements.ts";

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

export type RatingRepository = ReturnType<typeof createRatingRepository>;

/** The ratings in a database. Votes have their own tables and stay when a report is deleted. */
export function createRatingRepository(client: Client) {
  const db = drizzle(client);
  return {
    /** Saves a vote; it replaces an earlier vote of the same voter, scenario, address and day. */
    async saveVote({ address, scenario, voter, day, rating }: Vote): Promise<void> {
      const key = hashVoter(voter, address, day);
      const earlier = db
        .select({ rating: votes.rating })
        .from(votes)
        .where(and(eq(votes.voter, key), eq(votes.scenario, scenario)));
      await writeAll(client, [
        // This runs before the vote is saved, because it subtracts the voter's earlier rating of that day.
        db
          .insert(voteSums)
          .values({
            address,
            scenario,
            count: sql`${earlier} IS NULL`,
            sum: sql`${rating} - coalesce(${earlier}, 0)`,
          })
          .onConflictDoUpdate({
            target: [voteSums.address, voteSums.scenario],
            set: { count: sql`${voteSums.count} + excluded.count`, sum: sql`${voteSums.sum} + excluded.sum` },
          }),
        db
          .insert(votes)
          .values({ voter: key, scenario, rating })
          .onConflictDoUpdate({ target: [votes.voter, votes.scenario], set: { rating } }),
      ]);
    },
    async read(address: string): Promise<readonly VoteSum[]> {
      const { rows } = await client.execute({ sql: READ.sql, args: READ.args({ address }) });
      return readVoteSums(rows[0]?.[0]);
    },
  };
}

/**
 * The key of a voter's row: SHA-256 cut to 128 bits, in base64url. `voter` is itself a hash under the secret and is
 * stored nowhere, so nobody can compute the address from the row by trying all of them.
 */
function hashVoter(voter: string, address: string, day: number): string {
  const hash = createHash("sha256").update(JSON.stringify([voter, address, day]));
  return hash.digest().toString("base64url", 0, 16);
}
