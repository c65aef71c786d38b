/**
 * Has ip-location-api write its tables: `build_ip_location_api.mjs FOLDER IPV4.csv IPV6.csv`. It downloads the two files
 * of `@ip-location-db/asn-country` from GitHub by `fetch`; here the same files come from the npm package.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const [folder = "", ...files] = process.argv.slice(2);
process.env.ILA_DATA_DIR = join(folder, "ip-location-api");
process.env.ILA_TMP_DATA_DIR = join(folder, "ip-location-api-download");
process.env.ILA_IP_LOCATION_DB = "asn-country";
process.env.ILA_SILENT = "true";
globalThis.fetch = async (url) => {
  const file = files.find((path) => path.endsWith(String(url).split("/").at(-1)));
  if (file === undefined) throw new Error(`Cannot answer ${url}: no such file at hand`);
  return new Response(readFileSync(file));
};
const { update } = await import("./node_modules/ip-location-api/src/db.mjs");
await update();
