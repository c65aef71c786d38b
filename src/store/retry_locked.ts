import { type Client, LibsqlError } from "@libsql/client";
import { isLocked } from "./is_locked.ts";

/** Between tries others have their turn, in this process and in those that hold the lock. */
const FILE = { tries: 25, pauseMs: () => 10 } as const;

/** A server says so after waiting itself, so it is asked less often, and those who met the lock together come apart. */
const SERVER = { tries: 10, pauseMs: () => 20 + 40 * Math.random() } as const;

/**
 * Does what met a lock of another process again for some while: SQLite gives a lock to whoever asks at the right moment,
 * and some wait in vain. A statement that met a lock has done nothing.
 */
export async function retryLocked<Result>(client: Client, work: () => Promise<Result>): Promise<Result> {
  const isFile = client.protocol === "file";
  const { tries, pauseMs } = isFile ? FILE : SERVER;
  for (let turn = 1; ; turn += 1) {
    try {
      return await work();
    } catch (error) {
      const locked = isLocked(error);
      if (!locked && !(isFile && isCutOff(client, error))) throw error;
      // The driver leaves a statement that met a file's lock open, and its connection can no longer commit.
      if (locked && isFile) await client.reconnect();
      if (turn === tries) throw error;
      await Bun.sleep(pauseMs());
    }
  }
}

/** Whether the connection was closed under a statement that had not begun, by a neighbour that had met a lock. */
function isCutOff(client: Client, error: unknown): boolean {
  return !client.closed && error instanceof LibsqlError && error.code === "CLIENT_CLOSED";
}
