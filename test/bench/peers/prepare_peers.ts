import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { runProgram } from "../harness.ts";
import { type NetworkRow, writeAsnMmdb } from "./write_asn_mmdb.ts";

/** The folder of the programs of the peers. */
export const PEERS = import.meta.dir;

/** Where the packages with tables are. */
export const TABLE_PACKAGES = join(import.meta.dir, "../../../node_modules/@ip-location-db");

/** Installs the peers, and writes the tables of networks and countries that they read into a folder. */
export async function preparePeers(folder: string, networks: readonly NetworkRow[]): Promise<void> {
  await runProgram([process.execPath, "install", "--frozen-lockfile"], PEERS);
  writeAsnMmdb(join(folder, "asn.mmdb"), networks);
  const country = join(TABLE_PACKAGES, "dbip-country-mmdb/dbip-country.mmdb");
  copyFileSync(country, join(folder, "country.mmdb"));
}
