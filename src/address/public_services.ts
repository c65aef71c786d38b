import { readTsv } from "#tsv";
import { type Address, parseWords } from "./address.ts";
import table from "./public_services.tsv" with { type: "text" };

export const SERVICE_ROLES = ["public_dns_resolver", "root_server"] as const;

/** The public service on an address. `operator` is a proper noun, shown as it is. */
export interface PublicService {
  readonly role: (typeof SERVICE_ROLES)[number];
  readonly operator: string;
}

/** Services by the words of the address. */
const SERVICES: ReadonlyMap<string, PublicService> = new Map(
  readTsv(table, ["role", "operator", "addresses"]).flatMap(({ role: text, operator, addresses }) => {
    const role = SERVICE_ROLES.find((one) => one === text);
    if (role === undefined) throw new Error(`Cannot read "${text}" as the role of a service`);
    const service = { role, operator };
    return addresses.split(" ").map((address) => [(parseWords(address) ?? []).join(), service] as const);
  }),
);

/**
 * Finds the public service on an address. Nobody uses such an address as an egress. The table has single addresses,
 * never whole blocks.
 */
export function findPublicService({ words }: Pick<Address, "words">): PublicService | undefined {
  return SERVICES.get(words.join());
}

/** Lists the words of every address of the table. */
export function listPublicServices(): readonly (readonly number[])[] {
  return [...SERVICES.keys()].map((words) => words.split(",").map(Number));
}
