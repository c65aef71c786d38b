import type { Client } from "@libsql/client";
import { eq, lt } from "drizzle-orm";
import { drizzle } from "drizzle-orm/libsql";
import type { BudgetRepository } from "#upstream";
import { budgets } from "../schema.ts";
import { asBytes, asInteger, readText, writeAll } from "../statements.ts";

const KEPT_DAYS = 7;

const ADD_ROWS = `INSERT OR IGNORE INTO budgets (day, source, used, granted)
  SELECT ?1, value ->> 'id', 0, 0 FROM json_each(?2)`;

/** The right-hand sides of SET see the row as it was before the statement. */
const SETTLE = `UPDATE budgets SET
  granted = max(0, min(entry.wanted, entry.most - max(0, used + entry.correction))),
  used = max(0, used + entry.correction)
    + max(0, min(entry.wanted, entry.most - max(0, used + entry.correction)))
  FROM (
    SELECT value ->> 'id' AS id, value ->> 'wanted' AS wanted, value ->> 'limit' AS most,
      value ->> 'correction' AS correction
    FROM json_each(?2)
  ) AS entry
  WHERE day = ?1 AND source = entry.id AND (entry.correction <> 0 OR used < entry.most)
  RETURNING CAST(source AS BLOB) AS source, CAST(granted AS INTEGER) AS granted, CAST(used AS INTEGER) AS used`;

/**
 * Creates the daily budgets of sources, shared by all processes on a database. One `settle` is one commit for any
 * number of sources, and writes nothing when all of them are used up.
 */
export function createBudgetRepository(client: Client): BudgetRepository {
  const db = drizzle(client);
  return {
    async settle(day, entries) {
      const list = JSON.stringify(entries);
      const results = await writeAll(client, [
        db.delete(budgets).where(lt(budgets.day, day - KEPT_DAYS)),
        { sql: ADD_ROWS, args: [day, list] },
        { sql: SETTLE, args: [day, list] },
      ]);
      const rows = results.at(-1)?.rows ?? [];
      return rows.map((row) => ({
        id: readText(row.source),
        granted: Number(row.granted),
        used: Number(row.used),
      }));
    },
    async read(day) {
      const rows = await db
        .select({ source: asBytes(budgets.source), used: asInteger(budgets.used) })
        .from(budgets)
        .where(eq(budgets.day, day));
      return new Map(rows.map(({ source, used }) => [readText(source), used]));
    },
  };
}
