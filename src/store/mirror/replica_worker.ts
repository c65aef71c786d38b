import { existsSync } from "node:fs";
import { type Client, createClient } from "@libsql/client";
import { isDamaged, listCauses } from "../failures.ts";

/** A message to this thread. It handles one at a time. */
export type ReplicaOrder =
  | {
      readonly kind: "open";
      readonly path: string;
      /** The relay's origin, and the key that it expects. */
      readonly url: string;
      readonly token: string;
      /** Checks the whole file before anything is added to it. */
      readonly check: boolean;
    }
  | { readonly kind: "sync" }
  | { readonly kind: "close" };

/**
 * The answer to a message. `frame` is the number of the last page written, `added` the number of new pages; absent =
 * none.
 */
export type ReplicaAnswer =
  | { readonly kind: "done"; readonly frame?: number; readonly added?: number }
  | { readonly kind: "damaged" | "failed"; readonly problem: string };

/** The thread that writes a replica's file. libSQL's `sync()` blocks its thread until the primary has answered. */
declare const self: Worker;

let replica: Client | undefined;

self.onmessage = async ({ data }: MessageEvent<ReplicaOrder>) => {
  let answer: ReplicaAnswer;
  try {
    answer = await handle(data);
  } catch (error) {
    const kind = isDamaged(error) ? "damaged" : "failed";
    answer = { kind, problem: listCauses(error) };
  }
  postMessage(answer);
};

async function handle(order: ReplicaOrder): Promise<ReplicaAnswer> {
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
      // The library keeps its files open, with their disk space, until garbage collection.
      Bun.gc(true);
      return { kind: "done" };
  }
}

/** Checks the structure only; readers check the content of rows. */
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
