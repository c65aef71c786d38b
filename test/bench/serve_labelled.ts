import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FEEDS } from "#feeds";

/** One row of a labelled file: a prefix or an address, and the rest of its columns. */
interface Row {
  readonly address: string;
  readonly notes: readonly string[];
}

/** How a labelled set becomes a download: the id of the list, the index of the file, and the text of the file. */
interface Served {
  readonly feed: string;
  readonly file: string;
  readonly sets: readonly string[];
  readonly format: (rows: readonly Row[]) => string;
}

/** Some rows are left out in a format, so a list gets more rows than it needs. */
const MARGIN = 2;

const isIpv4 = ({ address }: Row) => !address.includes(":");
const plain = (rows: readonly Row[]) => rows.map(({ address }) => address).join("\n");
const relays = (rows: readonly Row[]) =>
  ["fingerprint,ipaddr,port", ...rows.map(({ address }, n) => `F${n},${address},443`)].join("\n");
const crawlers = (rows: readonly Row[]) =>
  JSON.stringify({
    creationTime: "2026-01-01T00:00:00",
    prefixes: rows.map((row) => (isIpv4(row) ? { ipv4Prefix: row.address } : { ipv6Prefix: row.address })),
  });

/** The lists whose own rows are the labelled sets, in the formats of their publishers. */
const SERVED: readonly Served[] = [
  {
    feed: "tor_exits",
    file: "0.txt",
    sets: ["tor-exit-consensus"],
    format: (rows) => plain(rows.filter(isIpv4)),
  },
  { feed: "tor_nodes", file: "0.csv", sets: ["tor-exit-consensus"], format: relays },
  { feed: "tor_nodes", file: "1.csv", sets: ["tor-exit-consensus", "tor-relay-not-exit"], format: relays },
  {
    feed: "private_relay",
    file: "0.csv",
    sets: ["apple-private-relay"],
    format: (rows) => rows.map(({ address }) => `${address},US,US-CA,Cupertino,`).join("\n"),
  },
  { feed: "googlebot", file: "0.json", sets: ["bot-googlebot"], format: crawlers },
  { feed: "bingbot", file: "0.json", sets: ["bot-bingbot"], format: crawlers },
  { feed: "duckduckbot", file: "0.json", sets: ["bot-duckduckbot"], format: crawlers },
  { feed: "x4bnet_vpn", file: "0.txt", sets: ["vpn-x4b-all"], format: plain },
  {
    feed: "monosans_proxies",
    file: "0.json",
    sets: ["proxy-monosans-exit"],
    format: (rows) => JSON.stringify(rows.map(({ address }) => ({ exit_ip: address }))),
  },
  {
    feed: "ipsum",
    file: "0.txt",
    sets: ["abuse-ipsum-5plus", "abuse-ipsum-3-4", "abuse-ipsum-1-2"],
    format: (rows) => rows.map(({ address, notes }) => `${address}\t${notes[0]}`).join("\n"),
  },
];

/**
 * Writes the labelled sets of `folder` as downloads of the lists that publish them into `target`, in the layout that
 * `--feeds` reads. The lists then know every row of their own set, as they do in use.
 */
export function serveLabelled(folder: string, target: string): void {
  for (const { feed, file, sets, format } of SERVED) {
    const own = sets.flatMap((set) => readRows(join(folder, `${set}.tsv`)));
    // A labelled set is a part of its list. Repeated rows bring it to the least number of rows of a whole one.
    const least = FEEDS.find(({ id }) => id === feed)?.minRows ?? 1;
    const rows = Array.from({ length: Math.ceil((least * MARGIN) / own.length) }, () => own).flat();
    mkdirSync(join(target, feed), { recursive: true });
    writeFileSync(join(target, feed, file), `${format(rows)}\n`);
  }
}

function readRows(file: string): readonly Row[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#"))
    .map((line) => {
      const [address = "", ...notes] = line.split("\t").map((text) => text.trim());
      return { address, notes };
    });
}
