import type { Client, InStatement, Row } from "@libsql/client";
import { and, eq, gt, inArray, lt, or } from "drizzle-orm";
import { drizzle } from "drizzle-orm/libsql";
import { admissionCounts, admissionEntries, admissions, challenges } from "../schema.ts";
import { asBytes, asInteger, readText, toCall } from "../statements.ts";
import type { AdmissionRepository, AdmissionWindow, ChallengeRepository } from "../store.ts";

/** A process deletes old rows this often. */
const DELETE_EVERY_MS = 60_000;

/** Entries are kept this long, which is longer than any window. */
const KEPT_ENTRY_MS = 10 * 60_000;

/** An admission can be refunded for this long. */
const KEPT_ADMISSION_MS = 86_400_000;

/** Days whose counts are kept. */
const KEPT_DAYS = 7;

/**
 * Inserts the admission only if all windows and counts have room. An entry of age `windowMs` has left the window. An
 * entry more than `windowMs` in the future is not counted: it would keep the window full after the clock was set
 * back.
 */
const ADMIT = `INSERT INTO permits (id, at, day, windows, counts)
  SELECT ?1, ?2, ?3, ?6, ?7
  WHERE NOT EXISTS (
    SELECT 1 FROM json_each(?4) AS asked WHERE (
      SELECT count(*) FROM json_each(asked.value, '$.names') AS name
      CROSS JOIN permit_entries AS entry ON entry.name = name.value
        AND entry.at > ?2 - (asked.value ->> 'windowMs') AND entry.at <= ?2 + (asked.value ->> 'windowMs')
    ) >= asked.value ->> 'limit'
  ) AND NOT EXISTS (
    SELECT 1 FROM json_each(?5) AS asked WHERE asked.value ->> 'limit' <= coalesce(
      (SELECT used FROM permit_counts WHERE day = ?3 AND name = asked.value ->> 'name'), 0)
  )
  ON CONFLICT (id) DO NOTHING`;

/** Must follow ADMIT: `changes()` is the number of rows that ADMIT inserted, so a repeated admission counts once. */
const COUNT = `INSERT INTO permit_counts (day, name, used)
  SELECT ?1, value ->> 'name', 1 FROM json_each(?2) WHERE changes() = 1
  ON CONFLICT (day, name) DO UPDATE SET used = used + 1`;

const ENTER = `INSERT OR IGNORE INTO permit_entries (name, at, id)
  SELECT name.value, permits.at, permits.id FROM permits, json_each(permits.windows) AS name WHERE permits.id = ?1`;

const DESCRIBE = `SELECT 'admission' AS kind, 0 AS place, 0 AS number FROM permits WHERE id = ?1
  UNION ALL
  SELECT 'count', asked.key, CAST(used AS INTEGER) FROM json_each(?5) AS asked
    CROSS JOIN permit_counts ON day = ?3 AND name = asked.value ->> 'name'
  UNION ALL
  SELECT 'entry', asked.key, CAST(entry.at AS INTEGER) FROM json_each(?4) AS asked CROSS JOIN json_each(asked.value, '$.names') AS name
    CROSS JOIN permit_entries AS entry ON entry.name = name.value
      AND entry.at > ?2 - (asked.value ->> 'windowMs') AND entry.at <= ?2 + (asked.value ->> 'windowMs')`;

const REFUND_COUNTS = `UPDATE permit_counts SET used = max(0, used - 1)
  WHERE day = (SELECT day FROM permits WHERE id = ?1)
    AND name IN (SELECT name.value FROM permits, json_each(permits.counts) AS name WHERE permits.id = ?1)`;

const REFUND_ENTRIES = `DELETE FROM permit_entries WHERE (name, at, id) IN (
  SELECT name.value, permits.at, permits.id FROM permits, json_each(permits.windows) AS name WHERE permits.id = ?1)`;

/**
 * Creates the {@link AdmissionRepository} of a database. An `admit` is one write transaction and one request to a
 * server. It writes nothing when it refuses, and a repeated `admit` with the same id counts nothing again.
 */
export function createAdmissionRepository(client: Client): AdmissionRepository {
  const db = drizzle(client);
  let deletedAt = Number.NEGATIVE_INFINITY;

  function deleteOld(now: number, day: number): readonly InStatement[] {
    // The difference is also large after the clock was set back.
    if (Math.abs(now - deletedAt) < DELETE_EVERY_MS) return [];
    deletedAt = now;
    const { at } = admissionEntries;
    return [
      // An entry this far in the future was recorded before the clock was set back.
      toCall(db.delete(admissionEntries).where(or(lt(at, now - KEPT_ENTRY_MS), gt(at, now + KEPT_ENTRY_MS)))),
      toCall(db.delete(admissions).where(lt(admissions.at, now - KEPT_ADMISSION_MS))),
      toCall(db.delete(admissionCounts).where(lt(admissionCounts.day, day - KEPT_DAYS))),
    ];
  }

  return {
    async admit({ id, now, day, windows, counts }) {
      const windowsJson = JSON.stringify(windows);
      const countsJson = JSON.stringify(counts);
      const args = [id, now, day, windowsJson, countsJson];
      const enteredNames = JSON.stringify(windows.map(({ names }) => names[0]));
      const countedNames = JSON.stringify(counts.map(({ name }) => name));
      const results = await client.batch(
        [
          ...deleteOld(now, day),
          { sql: ADMIT, args: [...args, enteredNames, countedNames] },
          { sql: COUNT, args: [day, countsJson] },
          { sql: ENTER, args: [id] },
          { sql: DESCRIBE, args },
        ],
        "write",
      );
      const rows = results.at(-1)?.rows ?? [];
      return {
        isAdmitted: rows.some(({ kind }) => kind === "admission"),
        used: new Map(counts.map(({ name }, place) => [name, numbersOf(rows, "count", place)[0] ?? 0])),
        windows: new Map(
          windows.map((window, place) => [
            window.names[0],
            describeWindow(window, numbersOf(rows, "entry", place), now),
          ]),
        ),
      };
    },
    async refund(id) {
      await client.batch(
        [
          { sql: REFUND_COUNTS, args: [id] },
          { sql: REFUND_ENTRIES, args: [id] },
          toCall(db.delete(admissions).where(eq(admissions.id, id))),
        ],
        "write",
      );
    },
    async read(day, names) {
      const rows = await db
        .select({ name: asBytes(admissionCounts.name), used: asInteger(admissionCounts.used) })
        .from(admissionCounts)
        .where(and(eq(admissionCounts.day, day), inArray(admissionCounts.name, [...names])));
      return new Map(rows.map(({ name, used }) => [readText(name), used]));
    },
  };
}

/** Creates the {@link ChallengeRepository} of a database. Of several concurrent uses only the first is accepted. */
export function createChallengeRepository(client: Client): ChallengeRepository {
  const db = drizzle(client);
  return {
    async use(id, expiresAt, now) {
      const results = await client.batch(
        [
          toCall(db.delete(challenges).where(lt(challenges.expiresAt, now))),
          toCall(
            db
              .insert(challenges)
              .values({ id, expiresAt })
              .onConflictDoNothing({ target: challenges.id })
              .returning({ expiresAt: challenges.expiresAt }),
          ),
        ],
        "write",
      );
      return (results.at(-1)?.rows.length ?? 0) > 0;
    },
  };
}

function numbersOf(rows: readonly Row[], kind: string, place: number): readonly number[] {
  return rows.filter((row) => row.kind === kind && row.place === place).map((row) => Number(row.number));
}

/** A full window has room again when its `limit`-th newest entry leaves it. */
function describeWindow({ limit, windowMs }: AdmissionWindow, moments: readonly number[], now: number) {
  const newestFirst = moments.toSorted((a, b) => b - a);
  const next = newestFirst[Math.min(Math.max(limit, 1), newestFirst.length) - 1];
  return { entries: moments.length, nextFreeMs: next === undefined ? 0 : next + windowMs - now };
}
