import Database from "libsql";
import { isLocked } from "./is_locked.ts";

/** A file that is locked or cannot be opened is left alone for this long: there is another way, which knows how to wait. */
const REST_MS = 1000;

/** Reads single rows of a file over a connection of its own, with every statement kept prepared. */
export interface RowReader {
  /**
   * The values of a statement's first row, in order of its columns: numbers for integers, bytes for blobs; undefined
   * without a row. Every call sees what is committed by then.
   * @throws whatever keeps it from being read so. Unless it is damage, a client may still read it.
   */
  first(statement: string, args: readonly string[]): readonly unknown[] | undefined;
  /** Lets go of the file. */
  close(): void;
}

interface Connection {
  readonly database: Database.Database;
  readonly statements: Map<string, Database.Statement>;
}

/**
 * Makes the {@link RowReader} of a file; it is opened by the first read. The client prepares each statement anew, which
 * takes four times as long as running it. `checkPlace` throws when the file is no longer the one that was meant: SQLite
 * would make an empty one.
 */
export function createRowReader(
  path: string,
  options: {
    readonly busyTimeoutMs: number;
    readonly checkPlace: () => void;
    /** Milliseconds from anywhere; default the process's own. */
    readonly now?: () => number;
  },
): RowReader {
  const now = options.now ?? (() => performance.now());
  let connection: Connection | undefined;
  let restsUntil = Number.NEGATIVE_INFINITY;
  let isClosed = false;

  function connect(): Connection {
    try {
      options.checkPlace();
      const database = new Database(path, { timeout: options.busyTimeoutMs });
      connection = { database, statements: new Map() };
      database.exec("PRAGMA query_only=1");
      return connection;
    } catch (error) {
      drop();
      throw error;
    }
  }

  function prepare(text: string, { database, statements }: Connection): Database.Statement {
    const prepared = database.prepare(text).raw(true);
    statements.set(text, prepared);
    return prepared;
  }

  /** Its statements hold the file until they are collected, so it is not opened again and again. */
  function drop(): void {
    restsUntil = now() + REST_MS;
    const dropped = connection;
    connection = undefined;
    dropped?.statements.clear();
    dropped?.database.close();
  }

  return {
    first(text, args) {
      if (isClosed) throw new Error("the reader is closed");
      if (now() < restsUntil) throw new Error("the file could not be read a moment ago");
      const opened = connection ?? connect();
      try {
        const statement = opened.statements.get(text) ?? prepare(text, opened);
        const row = statement.get(args);
        return Array.isArray(row) ? row : undefined;
      } catch (error) {
        // One that has failed may stand half way, and would go on with what it was asked then.
        opened.statements.delete(text);
        if (isLocked(error)) drop();
        throw error;
      }
    },
    close() {
      isClosed = true;
      drop();
    },
  };
}
