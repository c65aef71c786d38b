import type { Client } from "@libsql/client";
import type { ChallengeBook } from "./store.ts";

const FORGET = "DELETE FROM challenges WHERE expires_at < ?1";

const USE = "INSERT INTO challenges (id, expires_at) VALUES (?1, ?2) ON CONFLICT (id) DO NOTHING RETURNING 1";

/** The solved challenges of all processes that share a database; of several uses at once the first alone counts. */
export function createChallengeBook(client: Client): ChallengeBook {
  return {
    async use(id, expiresAt, now) {
      const results = await client.batch(
        [
          { sql: FORGET, args: [now] },
          { sql: USE, args: [id, expiresAt] },
        ],
        "write",
      );
      return (results.at(-1)?.rows.length ?? 0) > 0;
    },
  };
}
