import type { Evidence } from "#evidence";
import type { Data } from "#report";
import type { NoteId } from "./ids.ts";

/** Why uses do not apply, for addresses that are nobody's exit. */
export function findNote(evidence: Evidence): { readonly id: NoteId; readonly data: Data } | undefined {
  const { special, infrastructure } = evidence;
  if (special !== undefined) {
    return { id: "bogon", data: { block: special.block, purpose: special.purpose } };
  }
  if (infrastructure === undefined) return undefined;
  const { role, operator } = infrastructure;
  return role === "crawler"
    ? { id: "crawler", data: { operator } }
    : { id: "infrastructure", data: { operator, role } };
}
