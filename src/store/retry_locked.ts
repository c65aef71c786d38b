import { type Client, LibsqlError } from "@libsql/client";
import { isLocked } from "./is_locked.ts";

/** Between tries others have their turn, in this process and in those that hold the lock. */
const PAUSE_MS = 10;
const TRIES = 25;

/** What a server says of the lock it says after waiting itself, so it is asked less often. */
const REMOTE_PAUSE_MS = 40;
const REMOTE_TRIES = 10;

/**
 * Does what met a lock of another process again for some while: SQLite gives a lock to whoever asks at the right moment,
 * and some wait in vain. A statement that met a lock has done nothing.
 */
export async function retryLocked<Result>(client: Client, work: () => Promise<Result>): Promise<Result> {
  for (let turn = 1; ; turn += 1) {
    try {
      return await work();
    } catch (error) {
      const locked = isLocked(error);
      if (!locked && !isCutOff(client, error)) throw error;
      // The driver leaves a statement that met a lock open, and its connection can no longer commit.
      if (locked) await client.reconnect();
      if (turn === TRIES) throw error;
      await Bun.sleep(PAUSE_MS);
    }
  }
}

/** The same for a server's lock, which leaves nothing open here; `random` spreads those who meet the lock together. */
export async function retryRemote<Result>(
  work: () => Promise<Result>,
  random: () => number = Math.random,
): Promise<Result> {
  for (let turn = 1; ; turn += 1) {
    try {
      return await work();
    } catch (error) {
      if (turn === REMOTE_TRIES || !isLocked(error)) throw error;
      await Bun.sleep(REMOTE_PAUSE_MS * (0.5 + random()));
    }
  }
}

/** Whether the connection was closed under a statement that had not begun, by a neighbour that had met a lock. */
function isCutOff(client: Client, error: unknown): boolean {
  return !client.closed && error instanceof LibsqlError && error.code === "CLIENT_CLOSED";
}
