import { readTsv } from "#tsv";
import { type Address, parseAddress } from "./address.ts";
import table from "./public_services.tsv" with { type: "text" };

export const SERVICE_ROLES = ["public_dns_resolver", "root_server"] as const;

/** The public service on an address. `operator` is a proper noun, shown as it is. */
export interface PublicService {
  readonly role: (typeof SERVICE_ROLES)[number];
  readonly operator: string;
}

/** Services by canonical address text, because the table may use any spelling. */
const SERVICES: ReadonlyMap<string, PublicService> = new Map(
  readTsv(table, ["role", "operator", "addresses"]).flatMap(({ role: text, operator, addresses }) => {
    const role = SERVICE_ROLES.find((one) => one === text);
    if (role === undefined) throw new Error(`Cannot read "${text}" as the role of a service`);
    const service = { role, operator };
    return addresses.split(" ").map((address) => [parseAddress(address)?.text ?? address, service] as const);
  }),
);

/**
 * Finds the public service on an address. Nobody uses such an address as an egress. The table has single addresses,
 * never whole blocks.
 */
export function findPublicService({ text }: Pick<Address, "text">): PublicService | undefined {
  return SERVICES.get(text);
}
