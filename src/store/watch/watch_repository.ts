import type { Client } from "@libsql/client";
import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lt, lte, or, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/libsql";
import { DAY_MS } from "#common";
import { watchEvents, watched } from "../schema.ts";
import { asBytes, asInteger, readText, writeAll } from "../statements.ts";

/** A change of a watched address. `at` is in milliseconds since the epoch; `body` is the JSON that a webhook gets. */
export interface WatchEvent {
  readonly id: string;
  readonly address: string;
  readonly at: number;
  readonly body: string;
}

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

export type WatchRepository = ReturnType<typeof createWatchRepository>;

/** What is known of watched addresses, and their events. Times in milliseconds since the epoch. */
export function createWatchRepository(client: Client) {
  const db = drizzle(client);
  return {
    /** When each watched address is surveyed next. */
    async readDue(): Promise<ReadonlyMap<string, number>> {
      const columns = { address: asBytes(watched.address), dueAt: asInteger(watched.dueAt) };
      const rows = await db.select(columns).from(watched);
      return new Map(rows.map(({ address, dueAt }) => [readText(address), dueAt]));
    },
    /** Adds addresses that are not there yet, and removes the others that are `gone`. */
    async plan(added: ReadonlyMap<string, number>, gone: readonly string[]) {
      const values = [...added].map(([address, dueAt]) => ({ address, dueAt }));
      await writeAll(client, [
        ...values.map((value) => db.insert(watched).values(value).onConflictDoNothing()),
        db.delete(watched).where(inArray(watched.address, [...gone])),
      ]);
    },
    /** Moves the turn of an address. Undefined when another process took it; otherwise the state, "" for none. */
    async take(address: string, from: number, to: number) {
      const [row] = await db
        .update(watched)
        .set({ dueAt: to })
        .where(and(eq(watched.address, address), eq(watched.dueAt, from)))
        .returning({ state: sql`CAST(coalesce(${watched.state}, '') AS BLOB)` });
      return row && readText(row.state);
    },
    /** Saves the state of an address and its new events in one commit. An event that is there stays as it is. */
    async save(
      { address, dueAt, state }: { readonly address: string; readonly dueAt: number; readonly state: string },
      events: readonly WatchEvent[],
      sendAt: number | undefined,
    ) {
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
    /** The newest events first, of one address or of all. */
    async readEvents(limit: number, address?: string): Promise<readonly WatchEvent[]> {
      const rows = await db
        .select(EVENT)
        .from(watchEvents)
        .where(address === undefined ? undefined : eq(watchEvents.address, address))
        .orderBy(desc(watchEvents.at), desc(watchEvents.id))
        .limit(limit);
      return rows.map(readEvent);
    },
    /** Events whose attempt is due, the longest waiting first. */
    async readWaiting(now: number, limit: number) {
      const rows = await db
        .select(EVENT)
        .from(watchEvents)
        .where(or(lte(watchEvents.sendAt, now), gt(watchEvents.sendAt, now + LONGEST_WAIT_MS)))
        .orderBy(asc(watchEvents.sendAt), asc(watchEvents.at))
        .limit(limit);
      return rows.map(readEvent);
    },
    /** Counts an attempt and sets the time of the next one. False when another process did. */
    async attempt({ id, sendAt }: ReturnType<typeof readEvent>, nextAt: number) {
      const { rowsAffected } = await db
        .update(watchEvents)
        .set({ attempts: sql`${watchEvents.attempts} + 1`, sendAt: nextAt })
        .where(and(eq(watchEvents.id, id), eq(watchEvents.sendAt, sendAt)));
      return rowsAffected > 0;
    },
    async markSent(id: string) {
      await db.update(watchEvents).set({ sendAt: null }).where(eq(watchEvents.id, id));
    },
    countWaiting: async () => db.$count(watchEvents, isNotNull(watchEvents.sendAt)),
    /** Deletes events before a moment, except those that wait. */
    async prune(before: number) {
      const isOld = and(lt(watchEvents.at, before), isNull(watchEvents.sendAt));
      await db.delete(watchEvents).where(isOld);
    },
  };
}

/** Reads an event, how often it was sent so far, and when the next attempt is due. */
function readEvent({ id, address, body, ...rest }: Record<keyof typeof EVENT, unknown>) {
  const texts = { id: readText(id), address: readText(address), body: readText(body) };
  return { ...texts, at: Number(rest.at), attempts: Number(rest.attempts), sendAt: Number(rest.sendAt) };
}
