import { existsSync } from "node:fs";
import { type Client, createClient } from "@libsql/client";
import { isDamaged } from "./is_damaged.ts";
import { listCauses } from "./list_causes.ts";
import type { ReplicaAnswer, ReplicaOrder } from "./replica_messages.ts";

/**
 * The thread that owns a replica's file: libSQL fetches and writes in one native call that lets nothing else run on
 * its thread until the primary has answered.
 */
declare const self: Worker;

let replica: Client | undefined;

self.onmessage = async ({ data }: MessageEvent<ReplicaOrder>) => {
  let answer: ReplicaAnswer;
  try {
    answer = await obey(data);
  } catch (error) {
    const kind = isDamaged(error) ? "damaged" : "failed";
    answer = { kind, problem: listCauses(error) };
  }
  postMessage(answer);
};

async function obey(order: ReplicaOrder): Promise<ReplicaAnswer> {
  switch (order.kind) {
    case "open": {
      const problem = order.check ? await findDamage(order.path) : undefined;
      if (problem !== undefined) return { kind: "damaged", problem };
      replica = createClient({ url: `file:${order.path}`, syncUrl: order.url, authToken: order.token });
      return { kind: "done" };
    }
    case "sync": {
      if (replica === undefined) return { kind: "failed", problem: "the replica is not open" };
      const done = await replica.sync();
      return done === undefined
        ? { kind: "done" }
        : { kind: "done", frame: done.frame_no, added: done.frames_synced };
    }
    case "close":
      replica?.close();
      replica = undefined;
      // The library holds its files, and their space, until its handle is collected.
      Bun.gc(true);
      return { kind: "done" };
  }
}

/** Structure only: what stands in a row is judged by whoever reads it. */
async function findDamage(path: string): Promise<string | undefined> {
  if (!existsSync(path)) return undefined;
  const plain = createClient({ url: `file:${path}` });
  try {
    const { rows } = await plain.execute("PRAGMA quick_check(1)");
    const found = String(rows[0]?.quick_check);
    return found === "ok" ? undefined : found;
  } finally {
    plain.close();
  }
}
