import * as v from "valibot";
import { findPublicService, SERVICE_ROLES } from "#address";
import { parseAnswer } from "../read_answer.ts";
import type { Source } from "../source.ts";

const RowSchema = v.object({
  role: v.picklist(SERVICE_ROLES),
  operator: v.string(),
});

/**
 * Well-known addresses of public services. Nobody uses them as an egress. The table has single addresses, never whole
 * blocks.
 */
export const infrastructure = {
  id: "infrastructure",
  name: "Well-known infrastructure",
  kind: "free",
  family: "infrastructure",
  matters: [],
  weight: 0,
  versions: [4, 6],
  timeoutMs: 1000,
  local: true,
  ask: (address) => ({ row: findPublicService(address) ?? null }),
  read: (answer) => {
    const { row } = parseAnswer(v.object({ row: v.nullable(RowSchema) }), answer);
    return row === null ? undefined : { infrastructure: row };
  },
} as const satisfies Source;
