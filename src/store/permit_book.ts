import type { Client, InStatement, Row } from "@libsql/client";
import { readText } from "./read_text.ts";
import type { PermitBook, PermitWindow } from "./store.ts";

/** A process looks for what can be forgotten this often. */
const FORGET_EVERY_MS = 60_000;

/** Entries are kept this long, which is longer than any window asked about. */
const KEPT_ENTRY_MS = 10 * 60_000;

/** A permit can be given back this long. */
const KEPT_PERMIT_MS = 86_400_000;

/** Days whose counts are kept. */
const KEPT_DAYS = 7;

/** An entry that lies this far ahead was made by a clock that has been set back since. */
const FORGET_ENTRIES = "DELETE FROM permit_entries WHERE at < ?1 OR at > ?2";
const FORGET_PERMITS = "DELETE FROM permits WHERE at < ?1";
const FORGET_COUNTS = "DELETE FROM permit_counts WHERE day < ?1";

/**
 * The permit exists when, and only when, everything had room. An entry of age `windowMs` has left; one that lies
 * further ahead than a window is long counts for nothing, or a clock set back would close the window for ever.
 */
const GRANT = `INSERT INTO permits (id, at, day, windows, counts)
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

/** Follows GRANT at once: `changes()` is what that statement did, so that a permit asked for twice is charged once. */
const COUNT = `INSERT INTO permit_counts (day, name, used)
  SELECT ?1, value ->> 'name', 1 FROM json_each(?2) WHERE changes() = 1
  ON CONFLICT (day, name) DO UPDATE SET used = used + 1`;

const ENTER = `INSERT OR IGNORE INTO permit_entries (name, at, id)
  SELECT name.value, permits.at, permits.id FROM permits, json_each(permits.windows) AS name WHERE permits.id = ?1`;

const TELL = `SELECT 'permit' AS kind, 0 AS place, 0 AS number FROM permits WHERE id = ?1
  UNION ALL
  SELECT 'count', asked.key, CAST(used AS INTEGER) FROM json_each(?5) AS asked
    CROSS JOIN permit_counts ON day = ?3 AND name = asked.value ->> 'name'
  UNION ALL
  SELECT 'entry', asked.key, CAST(entry.at AS INTEGER) FROM json_each(?4) AS asked CROSS JOIN json_each(asked.value, '$.names') AS name
    CROSS JOIN permit_entries AS entry ON entry.name = name.value
      AND entry.at > ?2 - (asked.value ->> 'windowMs') AND entry.at <= ?2 + (asked.value ->> 'windowMs')`;

const UNCOUNT = `UPDATE permit_counts SET used = max(0, used - 1)
  WHERE day = (SELECT day FROM permits WHERE id = ?1)
    AND name IN (SELECT name.value FROM permits, json_each(permits.counts) AS name WHERE permits.id = ?1)`;

const LEAVE = `DELETE FROM permit_entries WHERE (name, at, id) IN (
  SELECT name.value, permits.at, permits.id FROM permits, json_each(permits.windows) AS name WHERE permits.id = ?1)`;

const END = "DELETE FROM permits WHERE id = ?1";

const READ = `SELECT CAST(name AS BLOB) AS name, CAST(used AS INTEGER) AS used FROM permit_counts
  WHERE day = ?1 AND name IN (SELECT value FROM json_each(?2))`;

/**
 * The permits of all processes that share a database. A `take` is one write transaction and one question to a
 * server; it writes nothing when it refuses. Asked again with the same id, it charges nothing again.
 */
export function createPermitBook(client: Client): PermitBook {
  let forgottenAt = Number.NEGATIVE_INFINITY;

  function forget(now: number, day: number): readonly InStatement[] {
    // A clock set back makes the distance large as well.
    if (Math.abs(now - forgottenAt) < FORGET_EVERY_MS) return [];
    forgottenAt = now;
    return [
      { sql: FORGET_ENTRIES, args: [now - KEPT_ENTRY_MS, now + KEPT_ENTRY_MS] },
      { sql: FORGET_PERMITS, args: [now - KEPT_PERMIT_MS] },
      { sql: FORGET_COUNTS, args: [day - KEPT_DAYS] },
    ];
  }

  return {
    async take({ id, now, day, windows, counts }) {
      const asked = JSON.stringify(windows);
      const counted = JSON.stringify(counts);
      const all = [id, now, day, asked, counted];
      const entered = JSON.stringify(windows.map(({ names }) => names[0]));
      const charged = JSON.stringify(counts.map(({ name }) => name));
      const results = await client.batch(
        [
          ...forget(now, day),
          { sql: GRANT, args: [...all, entered, charged] },
          { sql: COUNT, args: [day, counted] },
          { sql: ENTER, args: [id] },
          { sql: TELL, args: all },
        ],
        "write",
      );
      const rows = results.at(-1)?.rows ?? [];
      return {
        granted: rows.some(({ kind }) => kind === "permit"),
        used: new Map(counts.map(({ name }, place) => [name, pick(rows, "count", place)[0] ?? 0])),
        windows: new Map(
          windows.map((window, place) => [
            window.names[0],
            describe(window, pick(rows, "entry", place), now),
          ]),
        ),
      };
    },
    async giveBack(id) {
      const args = [id];
      await client.batch(
        [
          { sql: UNCOUNT, args },
          { sql: LEAVE, args },
          { sql: END, args },
        ],
        "write",
      );
    },
    async read(day, names) {
      const { rows } = await client.execute({ sql: READ, args: [day, JSON.stringify(names)] });
      return new Map(rows.map((row) => [readText(row.name), Number(row.used)]));
    },
  };
}

function pick(rows: readonly Row[], kind: string, place: number): readonly number[] {
  return rows.filter((row) => row.kind === kind && row.place === place).map((row) => Number(row.number));
}

/** Of a full window the moment that matters is that of its `limit`-th newest entry: when it leaves, there is room. */
function describe({ limit, windowMs }: PermitWindow, moments: readonly number[], now: number) {
  const newestFirst = moments.toSorted((a, b) => b - a);
  const next = newestFirst[Math.min(Math.max(limit, 1), newestFirst.length) - 1];
  return { entries: moments.length, nextFreeMs: next === undefined ? 0 : next + windowMs - now };
}
