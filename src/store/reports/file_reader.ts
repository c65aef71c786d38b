import { statSync } from "node:fs";
import Database from "libsql";
import { isLocked } from "../failures.ts";

/** After a lock or a failed open, every read fails for this long. The client reads instead, because it can wait. */
const PAUSE_MS = 1000;

/** Reads single rows of a database file on a connection of its own, with every statement prepared once. */
export type FileReader = ReturnType<typeof createFileReader>;

interface Connection {
  readonly database: Database.Database;
  readonly statements: Map<string, Database.Statement>;
}

/**
 * Creates the {@link FileReader} of a file; the first read opens it. The client prepares a statement at every call,
 * which takes four times as long as running it. `checkSameFile` throws when the file is missing or replaced: SQLite
 * would create an empty file.
 */
export function createFileReader(
  path: string,
  options: {
    readonly busyTimeoutMs: number;
    readonly checkSameFile: () => void;
    /** Milliseconds of a monotonic clock; default `performance.now`. */
    readonly now?: () => number;
  },
) {
  const now = options.now ?? (() => performance.now());
  let connection: Connection | undefined;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let isClosed = false;

  function connect(): Connection {
    try {
      options.checkSameFile();
      const database = new Database(path, { timeout: options.busyTimeoutMs });
      connection = { database, statements: new Map() };
      database.exec("PRAGMA query_only=1");
      return connection;
    } catch (error) {
      disconnect();
      throw error;
    }
  }

  function prepare(text: string, { database, statements }: Connection): Database.Statement {
    const prepared = database.prepare(text).raw(true);
    statements.set(text, prepared);
    return prepared;
  }

  /** A statement keeps the file open until garbage collection, so the pause also limits the number of open files. */
  function disconnect(): void {
    pausedUntil = now() + PAUSE_MS;
    const closing = connection;
    connection = undefined;
    closing?.statements.clear();
    closing?.database.close();
  }

  return {
    /**
     * The values of a statement's first row, in the order of its columns: numbers for integers, bytes for blobs;
     * undefined without a row. Every call sees everything committed before it.
     * @throws when it cannot read. The client may still be able to, except when the error says that the file is
     * damaged.
     */
    first(text: string, args: readonly unknown[]): readonly unknown[] | undefined {
      if (isClosed) throw new Error("the reader is closed");
      if (now() < pausedUntil) throw new Error("the file could not be read a moment ago");
      const opened = connection ?? connect();
      try {
        const statement = opened.statements.get(text) ?? prepare(text, opened);
        const row = statement.get(args);
        return Array.isArray(row) ? row : undefined;
      } catch (error) {
        // A failed statement may have stopped in the middle; the next call would continue it with the old arguments.
        opened.statements.delete(text);
        if (isLocked(error)) disconnect();
        throw error;
      }
    },
    close(): void {
      isClosed = true;
      disconnect();
    },
  };
}

/**
 * Remembers the device and inode of a database file. The returned check throws when the path leads to no file or to
 * another file: SQLite would continue to write to the removed file, and the data would be lost.
 */
export function createFileGuard(path: string): () => void {
  const opened = statSync(path);
  return () => {
    const current = statSync(path, { throwIfNoEntry: false });
    if (current?.ino !== opened.ino || current.dev !== opened.dev)
      throw new Error("its file has been removed or replaced since it was opened");
  };
}
