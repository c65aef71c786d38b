import { type Address, findPublicService, isBogon } from "#address";
import type { Datasets, TableId } from "#datasets";
import type { Observation } from "#evidence";
import type { Source } from "../source.ts";

/** Makes a source from a table in the memory of the process. */
function tableSource(
  table: Pick<Source, "id" | "name" | "family" | "matters" | "weight" | "freshDays"> & {
    readonly find: (address: Address, datasets: Datasets) => Observation | undefined;
  },
): Source {
  const { find, ...metadata } = table;
  return {
    ...metadata,
    kind: "free",
    versions: [4, 6],
    timeoutMs: 1000,
    local: true,
    ask: (address, { datasets }) => find(address, datasets),
    // What `ask` has returned.
    read: (answer) => answer as Observation | undefined,
  };
}

/** The tables are published monthly. A table is ageing when three newer issues exist. */
const TABLE_FRESH_DAYS = 92;

function dateOf(datasets: Datasets, id: TableId): Pick<Observation, "dataDate"> {
  const { date } = datasets.state(id);
  return date === undefined ? {} : { dataDate: date };
}

/** Whether the address is in space that is not globally reachable, by the IANA registries in `#address`. */
export const specialPurpose = tableSource({
  id: "special_purpose",
  name: "IANA special-purpose registries",
  family: "iana",
  matters: [],
  weight: 0,
  find: (address) => ({ flags: { isBogon: isBogon(address) }, authority: ["isBogon"] }),
});

/**
 * Well-known addresses of public services. Nobody uses them as an egress. The table has single addresses, never whole
 * blocks.
 */
export const infrastructure = tableSource({
  id: "infrastructure",
  name: "Well-known infrastructure",
  family: "infrastructure",
  matters: [],
  weight: 0,
  find(address) {
    const service = findPublicService(address);
    return service && { infrastructure: service };
  },
});

/** The network that announced the address when the table was made. A missing row does not mean "not announced today". */
export const asnTable = tableSource({
  id: "asn_table",
  name: "ASN table",
  family: "routeviews",
  matters: ["network"],
  weight: 0.5,
  freshDays: TABLE_FRESH_DAYS,
  find(address, datasets) {
    const row = datasets.asn(address);
    if (row === undefined) return undefined;
    const { asn, name } = row;
    return { asn: { asn, ...(name === "" ? {} : { name }) }, ...dateOf(datasets, "asn") };
  },
});

/** The country in which the address block is registered, as the regional registries publish it. */
export const registration = tableSource({
  id: "registration",
  name: "RIR registration table",
  family: "rir",
  matters: ["registry"],
  weight: 0.5,
  freshDays: TABLE_FRESH_DAYS,
  find(address, datasets) {
    const country = datasets.registration(address);
    return country === undefined ? undefined : { registry: { country }, ...dateOf(datasets, "registration") };
  },
});

/**
 * The place in which the address is used, from DB-IP (https://db-ip.com, CC BY 4.0): from the city table once it has
 * been downloaded, until then from the country table.
 */
export const geoCountry = tableSource({
  id: "geo_country",
  name: "DB-IP country table",
  family: "dbip",
  matters: ["location"],
  weight: 0.5,
  freshDays: TABLE_FRESH_DAYS,
  find(address, datasets) {
    if (datasets.state("city").ready) {
      const geo = datasets.place(address);
      return geo === undefined ? undefined : { geo, ...dateOf(datasets, "city") };
    }
    const country = datasets.country(address);
    return country === undefined ? undefined : { geo: { country }, ...dateOf(datasets, "country") };
  },
});
