import type { Client, Row } from "@libsql/client";
import { and, asc, count, desc, eq, gt, inArray, isNotNull, isNull, lt, lte, or, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/libsql";
import { DAY_MS } from "#common";
import { watchEvents, watched } from "../schema.ts";
import { asBytes, asInteger, execute, readCount, readText, writeAll } from "../statements.ts";
import type { WaitingEvent, WatchRepository } from "../store.ts";

const EVENT = {
  id: asBytes(watchEvents.id),
  address: asBytes(watchEvents.address),
  at: asInteger(watchEvents.at),
  body: asBytes(watchEvents.body),
  attempts: asInteger(watchEvents.attempts),
  sendAt: asInteger(watchEvents.sendAt),
};

/** No attempt is further away, unless the clock was ahead when it was set. Such an attempt is due. */
const LONGEST_WAIT_MS = 2 * DAY_MS;

export function createWatchRepository(client: Client): WatchRepository {
  const db = drizzle(client);
  return {
    async readDue() {
      const columns = { address: asBytes(watched.address), dueAt: asInteger(watched.dueAt) };
      const { rows } = await execute(client, db.select(columns).from(watched));
      return new Map(rows.map((row) => [readText(row[0]), Number(row[1])]));
    },
    async plan(added, gone) {
      const values = [...added].map(([address, dueAt]) => ({ address, dueAt }));
      await writeAll(client, [
        ...values.map((value) => db.insert(watched).values(value).onConflictDoNothing()),
        db.delete(watched).where(inArray(watched.address, [...gone])),
      ]);
    },
    async take(address, from, to) {
      const { rows } = await execute(
        client,
        db
          .update(watched)
          .set({ dueAt: to })
          .where(and(eq(watched.address, address), eq(watched.dueAt, from)))
          .returning({ state: sql`CAST(coalesce(${watched.state}, '') AS BLOB)` }),
      );
      return rows[0] === undefined ? undefined : readText(rows[0][0]);
    },
    async save({ address, dueAt, state }, events, sendAt) {
      await writeAll(client, [
        db.update(watched).set({ dueAt, state }).where(eq(watched.address, address)),
        ...events.map((event) =>
          db
            .insert(watchEvents)
            .values({ ...event, attempts: 0, sendAt: sendAt ?? null })
            .onConflictDoNothing(),
        ),
      ]);
    },
    async readEvents(limit, address) {
      const { rows } = await execute(
        client,
        db
          .select(EVENT)
          .from(watchEvents)
          .where(address === undefined ? undefined : eq(watchEvents.address, address))
          .orderBy(desc(watchEvents.at), desc(watchEvents.id))
          .limit(limit),
      );
      return rows.map(readEvent);
    },
    async readWaiting(now, limit) {
      const { rows } = await execute(
        client,
        db
          .select(EVENT)
          .from(watchEvents)
          .where(or(lte(watchEvents.sendAt, now), gt(watchEvents.sendAt, now + LONGEST_WAIT_MS)))
          .orderBy(asc(watchEvents.sendAt), asc(watchEvents.at))
          .limit(limit),
      );
      return rows.map(readEvent);
    },
    async attempt({ id, sendAt }, nextAt) {
      const { rowsAffected } = await execute(
        client,
        db
          .update(watchEvents)
          .set({ attempts: sql`${watchEvents.attempts} + 1`, sendAt: nextAt })
          .where(and(eq(watchEvents.id, id), eq(watchEvents.sendAt, sendAt))),
      );
      return rowsAffected > 0;
    },
    async markSent(id) {
      await execute(client, db.update(watchEvents).set({ sendAt: null }).where(eq(watchEvents.id, id)));
    },
    async countWaiting() {
      const { rows } = await execute(
        client,
        db.select({ waiting: count() }).from(watchEvents).where(isNotNull(watchEvents.sendAt)),
      );
      return readCount(rows);
    },
    async prune(before) {
      const isOld = and(lt(watchEvents.at, before), isNull(watchEvents.sendAt));
      await execute(client, db.delete(watchEvents).where(isOld));
    },
  };
}

function readEvent(row: Row): WaitingEvent {
  return {
    id: readText(row[0]),
    address: readText(row[1]),
    at: Number(row[2]),
    body: readText(row[3]),
    attempts: Number(row[4]),
    sendAt: Number(row[5]),
  };
}
