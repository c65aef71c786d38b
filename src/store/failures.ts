import { type Client, LibsqlError } from "@libsql/client";

/** An operation on an embedded database tries 25 times, 10 ms apart, to get a lock. Other work runs in between. */
const FILE_RETRY = { attempts: 25, pauseMs: () => 10 } as const;

/**
 * The server itself waits for the lock first. The pause is random, so that clients that failed together do not retry
 * together.
 */
const SERVER_RETRY = { attempts: 10, pauseMs: () => 20 + 40 * Math.random() } as const;

/** How often {@link retryLocked} tries, how long it waits between two tries, and after which errors. */
export interface RetryPolicy {
  readonly attempts: number;
  readonly pauseMs: () => number;
  /** Default {@link isLocked}. */
  readonly isRetryable?: (error: unknown) => boolean;
}

/** The messages of an error and its causes, outermost first, at most eight. */
export function listCauses(error: unknown): string {
  const messages: string[] = [];
  for (let at = error; at instanceof Error && messages.length < 8; at = at.cause) messages.push(at.message);
  return messages.join(" | ");
}

/** The message of the innermost cause of an error. */
export function describeFailure(error: unknown): string {
  let deepest = error;
  for (let depth = 0; depth < 8 && deepest instanceof Error && deepest.cause instanceof Error; depth += 1) {
    deepest = deepest.cause;
  }
  return deepest instanceof Error ? deepest.message : "unknown error";
}

/** Whether a statement failed because another connection holds a lock. Such a statement has changed nothing. */
export function isLocked(error: unknown): boolean {
  return /SQLITE_BUSY|database is locked|statements in progress/.test(listCauses(error));
}

/**
 * Whether an error says that a database file, or a replica's metadata beside it, is damaged.
 * https://www.sqlite.org/rescode.html (corrupt, notadb, ioerr)
 */
export function isDamaged(error: unknown): boolean {
  return /malformed|not a database|corrupt|disk i\/o error|wal_index|wal_insert|incompatible|invalid log|injector/i.test(
    listCauses(error),
  );
}

/** Whether an error says that the database has no such table. This is so before the first migration. */
export function isTableMissing(error: unknown): boolean {
  return /no such table/i.test(listCauses(error));
}

/**
 * Runs `work` and repeats it while another process holds a lock. SQLite has no queue for a lock, so one caller can
 * fail many times in a row.
 * @throws the last error after the last attempt, and every error that is not retryable.
 */
export async function retryLocked<Result>(
  client: Client,
  work: () => Promise<Result>,
  policy?: RetryPolicy,
): Promise<Result> {
  const isFile = client.protocol === "file";
  const {
    attempts,
    pauseMs,
    isRetryable = isLocked,
  }: RetryPolicy = policy ?? (isFile ? FILE_RETRY : SERVER_RETRY);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const isContended = isRetryable(error);
      // Another caller's `reconnect()` closed the connection before this statement began.
      const isReplaced = !client.closed && error instanceof LibsqlError && error.code === "CLIENT_CLOSED";
      if (!isContended && !(isFile && isReplaced)) throw error;
      // After a lock error, the driver leaves the statement open, and the connection can no longer commit.
      if (isContended && (isFile || policy !== undefined)) await client.reconnect();
      if (attempt === attempts) throw error;
      await Bun.sleep(pauseMs());
    }
  }
}
