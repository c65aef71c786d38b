import { join } from "node:path";
import { addressFromWords, isBogon } from "#address";
import type { Draw } from "#kit";
import { type NetworkRow, readNetworkRows } from "./peers/write_asn_mmdb.ts";

/** One client in this many uses IPv6. */
const IPV6_EVERY = 5;

/** Clients that a log can have at most. */
const MOST_CLIENTS = 200_000;

/** The announced networks of both families. */
export interface Announced {
  readonly ipv4: readonly NetworkRow[];
  readonly ipv6: ReadonlyMap<number, readonly NetworkRow[]>;
}

/** Reads the announced networks: a random address of IPv6 would be in none of them. */
export function readAnnounced(): Announced {
  const folder = join(import.meta.dir, "../../node_modules/@ip-location-db/asn");
  const ipv6 = Map.groupBy(readNetworkRows(join(folder, "asn-ipv6-num.csv"), 6), ({ asn }) => asn);
  return { ipv4: readNetworkRows(join(folder, "asn-ipv4-num.csv"), 4), ipv6 };
}

/**
 * Draws a public address. IPv4 is anywhere in announced space, so that large networks have more. IPv6 is in a network
 * of an operator that is drawn in the same way.
 */
export function drawAddress({ ipv4, ipv6 }: Announced, draw: Draw): string {
  const isIpv6 = draw(IPV6_EVERY) === 0;
  for (;;) {
    const word = (1 + draw(223)) * 2 ** 24 + draw(2 ** 24);
    const row = findRow(ipv4, BigInt(word));
    const rows = row === undefined ? [] : (ipv6.get(row.asn) ?? []);
    if (row === undefined || (isIpv6 && rows.length === 0)) continue;
    const address = isIpv6 ? addressFromWords(6, drawWords(rows, draw)) : addressFromWords(4, [word]);
    if (address.version === (isIpv6 ? 6 : 4) && !isBogon(address)) return address.text;
  }
}

/** The row that contains the address; `rows` are in ascending order. */
function findRow(rows: readonly NetworkRow[], address: bigint): NetworkRow | undefined {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle]?.first ?? 0n) <= address) low = middle + 1;
    else high = middle;
  }
  const row = rows[low - 1];
  return row !== undefined && row.last >= address ? row : undefined;
}

/** Draws the words of an IPv6 address in one of the networks. */
export function drawWords(rows: readonly NetworkRow[], draw: Draw): readonly number[] {
  const { first, last } = rows[draw(rows.length)] ?? { first: 0n, last: 0n };
  const random = Array.from({ length: 8 }, () => draw(65_536)).reduce(
    (sum, group) => (sum << 16n) | BigInt(group),
    0n,
  );
  const value = first + (random % (last - first + 1n));
  return [96n, 64n, 32n, 0n].map((shift) => Number((value >> shift) & 0xffff_ffffn));
}

/**
 * Draws the client of each line of an access log. The rank of a client follows Zipf's law with exponent 1: a few
 * clients send much, and new ones appear to the end.
 */
export function drawClients(lines: number, announced: Announced, draw: Draw): readonly string[] {
  const clients = new Map<number, string>();
  return Array.from({ length: lines }, () => {
    const rank = Math.floor(MOST_CLIENTS ** (draw(2 ** 30) / 2 ** 30));
    const client = clients.get(rank) ?? drawAddress(announced, draw);
    clients.set(rank, client);
    return client;
  });
}

const PATHS = [
  "/",
  "/index.html",
  "/assets/site.css",
  "/assets/site.js",
  "/api/items?page=2",
  "/images/logo.png",
];
const AGENTS = [
  "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15",
  "curl/8.14.1",
];

/** Writes a line of an access log in the combined format (https://httpd.apache.org/docs/2.4/logs.html#combined). */
export function formatLogLine(client: string, line: number): string {
  const second = String(line % 60).padStart(2, "0");
  const path = PATHS[line % PATHS.length];
  const agent = AGENTS[line % AGENTS.length];
  return `${client} - - [22/Nov/2026:10:15:${second} +0000] "GET ${path} HTTP/1.1" 200 ${512 + (line % 4096)} "-" "${agent}"`;
}
