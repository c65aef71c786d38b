import type { Client } from "@libsql/client";
import type { VoteBook } from "./store.ts";
import { readVoteSums, VOTE_SUMS } from "./vote_sums.ts";

/** Comes before the vote is written: what the voter said earlier that day is taken out of the sum. */
const ADD = `INSERT INTO vote_sums (address, scenario, count, sum)
  SELECT ?1, ?2, earlier.rating IS NULL, ?5 - coalesce(earlier.rating, 0)
  FROM (SELECT (SELECT rating FROM votes WHERE address = ?1 AND scenario = ?2 AND day = ?3 AND voter = ?4) AS rating)
    AS earlier
  WHERE true
  ON CONFLICT (address, scenario) DO UPDATE SET count = count + excluded.count, sum = sum + excluded.sum`;

const CAST = `INSERT INTO votes (address, scenario, day, voter, rating)
  VALUES (?1, ?2, ?3, ?4, ?5)
  ON CONFLICT (address, scenario, day, voter) DO UPDATE SET rating = excluded.rating`;

/** Ratings by visitors, kept apart from the reports so that they outlive them. */
export function createVoteBook(client: Client): VoteBook {
  return {
    async cast({ address, scenario, voter, day, rating }) {
      const args = [address, scenario, day, voter, rating];
      await client.batch(
        [
          { sql: ADD, args },
          { sql: CAST, args },
        ],
        "write",
      );
    },
    async read(address) {
      const { rows } = await client.execute({ sql: `${VOTE_SUMS}?1`, args: [address] });
      return readVoteSums(rows[0]?.[0]);
    },
  };
}
