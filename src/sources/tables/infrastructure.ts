import * as v from "valibot";
import { type Address, parseAddress } from "#address";
import { parseAnswer } from "../read_answer.ts";
import type { Source } from "../source.ts";
import { INFRASTRUCTURE_ADDRESSES, type InfrastructureRow } from "./infrastructure_addresses.ts";

const RowSchema = v.object({
  role: v.picklist(["public_dns_resolver", "root_server"]),
  operator: v.string(),
});

/** Rows by canonical address text, because the table may use any spelling. */
const ROWS = new Map(
  INFRASTRUCTURE_ADDRESSES.flatMap(({ role, operator, addresses }) =>
    addresses.map((text) => [parseAddress(text)?.text ?? text, { role, operator }] as const),
  ),
);

/** Finds the public service on an address. */
export function findService(address: Address): InfrastructureRole | undefined {
  return ROWS.get(address.text);
}

type InfrastructureRole = Pick<InfrastructureRow, "role" | "operator">;

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
  ask: (address) => ({ row: findService(address) ?? null }),
  read: (answer) => {
    const { row } = parseAnswer(v.object({ row: v.nullable(RowSchema) }), answer);
    return row === null ? undefined : { infrastructure: row };
  },
} as const satisfies Source;
