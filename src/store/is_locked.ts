import { listCauses } from "./list_causes.ts";

/** Whether a statement failed because another connection held the database; it has done nothing then. */
export function isLocked(error: unknown): boolean {
  return /SQLITE_BUSY|database is locked|statements in progress/.test(listCauses(error));
}
