import { statSync } from "node:fs";

/**
 * Remembers which file an embedded database is, and gives a check that throws when its name leads to no file or to
 * another one by now: SQLite goes on writing to what it has open, and nobody would ever find that again.
 */
export function createFileGuard(path: string): () => void {
  const own = statSync(path);
  return () => {
    const now = statSync(path, { throwIfNoEntry: false });
    if (now?.ino !== own.ino || now.dev !== own.dev)
      throw new Error("its file has been removed or replaced since it was opened");
  };
}
