import { listCauses } from "./list_causes.ts";

/**
 * Whether an error says that a database file, or what a replica notes beside it, is not what was written there.
 * https://www.sqlite.org/rescode.html (corrupt, notadb, ioerr)
 */
export function isDamaged(error: unknown): boolean {
  return /malformed|not a database|corrupt|disk i\/o error|wal_index|wal_insert|incompatible|invalid log|injector/i.test(
    listCauses(error),
  );
}
