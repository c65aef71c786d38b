import type { Client, Row } from "@libsql/client";
import { eq, lt } from "drizzle-orm";
import { drizzle } from "drizzle-orm/libsql";
import type { BudgetRepository } from "#upstream";
import { admissions, budgets, challenges } from "./schema.ts";
import { asBytes, asInteger, readText, writeAll } from "./statements.ts";

/** A limit that an admission is charged to. All processes on one database share it. */
export interface AdmissionCharge {
  readonly name: string;
  /** Admissions under this name count too. */
  readonly earlierName?: string;
  readonly limit: number;
  /** When the admission stops counting, milliseconds since the epoch. */
  readonly until: number;
}

/** The use of a limit: admissions that count, and when the first of them stops counting, or `until` without any. */
export interface ChargeUse {
  readonly used: number;
  readonly freeAt: number;
}

/** A process deletes old rows this often. */
const DELETE_EVERY_MS = 60_000;

/** Rows are kept this much longer than they count, because the clocks of processes differ. */
const KEPT_MS = 3_600_000;

/**
 * The rows that count for a charge. A row that ends more than a minute after the charge was written before a clock was
 * set back: it would keep the limit used up.
 */
const COUNTING = `admissions.name IN (asked.value ->> 'name', asked.value ->> 'earlierName')
  AND admissions.until > ?1 AND admissions.until <= (asked.value ->> 'until') + 60000`;

const ADMIT = `INSERT INTO admissions (name, until, used)
  SELECT value ->> 'name', value ->> 'until', 1 FROM json_each(?2)
  WHERE NOT EXISTS (
    SELECT 1 FROM json_each(?2) AS asked
    WHERE asked.value ->> 'limit' <= (SELECT coalesce(sum(used), 0) FROM admissions WHERE ${COUNTING})
  )
  ON CONFLICT (name, until) DO UPDATE SET used = used + 1`;

/** After ADMIT, `changes()` is the number of charges that it wrote. */
const DESCRIBE = `
  SELECT changes(), coalesce(sum(used), 0), CAST(min(until) AS INTEGER) FROM json_each(?2) AS asked
  LEFT JOIN admissions ON ${COUNTING} AND used > 0 GROUP BY asked.key ORDER BY asked.key`;

const REFUND = `UPDATE admissions SET used = max(0, used - 1)
  WHERE (name, until) IN (SELECT value ->> 'name', value ->> 'until' FROM json_each(?1))`;

export type AdmissionRepository = ReturnType<typeof createAdmissionRepository>;

/**
 * Admissions to start surveys, counted for all processes on one database. Uses are in the order of their charges.
 * `now` is in milliseconds since the epoch. An `admit` is one write transaction and one request.
 */
export function createAdmissionRepository(client: Client) {
  const db = drizzle(client);
  let deletedAt = Number.NEGATIVE_INFINITY;

  return {
    /**
     * Charges every limit once, or refuses and charges nothing because one of them is used up, in one transaction.
     * `uses` is the state after it.
     */
    async admit(now: number, charges: readonly AdmissionCharge[]) {
      // The difference is also large after the clock was set back.
      const isDue = Math.abs(now - deletedAt) >= DELETE_EVERY_MS;
      if (isDue) deletedAt = now;
      const args = [now, JSON.stringify(charges)];
      const results = await writeAll(client, [
        ...(isDue ? [db.delete(admissions).where(lt(admissions.until, now - KEPT_MS))] : []),
        { sql: ADMIT, args },
        { sql: DESCRIBE, args },
      ]);
      const rows = results.at(-1)?.rows ?? [];
      return { isAdmitted: Number(rows[0]?.[0]) > 0, uses: readUses(rows, charges) };
    },
    /** Takes one admission back from each limit. */
    async refund(charges: readonly Pick<AdmissionCharge, "name" | "until">[]) {
      await client.execute({ sql: REFUND, args: [JSON.stringify(charges)] });
    },
    async read(now: number, charges: readonly AdmissionCharge[]) {
      const { rows } = await client.execute({ sql: DESCRIBE, args: [now, JSON.stringify(charges)] });
      return readUses(rows, charges);
    },
  };
}

function readUses(rows: readonly Row[], charges: readonly AdmissionCharge[]): readonly ChargeUse[] {
  return charges.map(({ until }, place) => {
    const row = rows[place];
    return { used: Number(row?.[1] ?? 0), freeAt: Number(row?.[2] ?? until) };
  });
}

export type ChallengeRepository = ReturnType<typeof createChallengeRepository>;

/** Solved challenges. All processes on the database together accept each of them once, also of concurrent uses. */
export function createChallengeRepository(client: Client) {
  const db = drizzle(client);
  return {
    /** True for the first use; false for every later one, until `expiresAt` (milliseconds since the epoch) is past. */
    async use(id: string, expiresAt: number, now: number): Promise<boolean> {
      const results = await writeAll(client, [
        db.delete(challenges).where(lt(challenges.expiresAt, now)),
        db
          .insert(challenges)
          .values({ id, expiresAt })
          .onConflictDoNothing({ target: challenges.id })
          .returning({ expiresAt: challenges.expiresAt }),
      ]);
      return (results.at(-1)?.rows.length ?? 0) > 0;
    },
  };
}

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
