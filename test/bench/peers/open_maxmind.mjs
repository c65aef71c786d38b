import { join } from "node:path";
import { open, validate } from "maxmind";

/** Country, number and name of the network from two MaxMind DB files; undefined where the text is no address. */
export async function openLookup(folder) {
  const countries = await open(join(folder, "country.mmdb"));
  const networks = await open(join(folder, "asn.mmdb"));
  return (ip) => {
    if (typeof ip !== "string" || !validate(ip)) return undefined;
    const network = networks.get(ip);
    return {
      ip,
      country: countries.get(ip)?.country_code ?? null,
      asn: network?.autonomous_system_number ?? null,
      asName: network?.autonomous_system_organization ?? null,
    };
  };
}
