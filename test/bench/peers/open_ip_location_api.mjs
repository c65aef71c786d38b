import { isIP } from "node:net";
import { join } from "node:path";

/** The country alone: the library knows nothing of networks. Its own tables are in `ip-location-api` of the folder. */
export async function openLookup(folder) {
  process.env.ILA_DATA_DIR = join(folder, "ip-location-api");
  process.env.ILA_AUTO_UPDATE = "false";
  const { lookup } = await import("ip-location-api");
  return (ip) => {
    if (typeof ip !== "string" || isIP(ip) === 0) return undefined;
    return { ip, country: lookup(ip)?.country ?? null, asn: null, asName: null };
  };
}
