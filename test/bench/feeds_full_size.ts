import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ListMeaning } from "#datasets";
import type { Feed } from "#feeds";

/** Lists of the sizes that the real ones have: name, meaning, rows by family, prefix lengths, labels, cities. */
const SHAPES: readonly {
  readonly id: string;
  readonly meaning: ListMeaning;
  readonly v4: number;
  readonly v6: number;
  readonly bits4: readonly [number, number];
  readonly labels: number;
  readonly cities: number;
}[] = [
  { id: "relay", meaning: "relay", v4: 42_000, v6: 245_000, bits4: [27, 32], labels: 1, cities: 25_000 },
  { id: "datacenter", meaning: "hosting", v4: 42_500, v6: 8_700, bits4: [16, 24], labels: 1, cities: 0 },
  { id: "vpn", meaning: "vpn", v4: 10_900, v6: 500, bits4: [22, 26], labels: 1, cities: 0 },
  { id: "ipsum", meaning: "abuse", v4: 120_000, v6: 0, bits4: [32, 32], labels: 8, cities: 0 },
  { id: "spammers", meaning: "abuse", v4: 190_000, v6: 12_000, bits4: [32, 32], labels: 1, cities: 0 },
  { id: "azure", meaning: "hosting", v4: 70_000, v6: 37_000, bits4: [20, 31], labels: 120, cities: 0 },
  { id: "aws", meaning: "hosting", v4: 13_000, v6: 5_000, bits4: [14, 28], labels: 60, cities: 0 },
  { id: "blocklist", meaning: "abuse", v4: 25_000, v6: 500, bits4: [32, 32], labels: 1, cities: 0 },
  { id: "cins", meaning: "abuse", v4: 15_000, v6: 0, bits4: [32, 32], labels: 1, cities: 0 },
  { id: "attackers", meaning: "abuse", v4: 90_000, v6: 0, bits4: [32, 32], labels: 1, cities: 0 },
  { id: "tor", meaning: "tor_exit", v4: 1_400, v6: 900, bits4: [32, 32], labels: 1, cities: 0 },
  { id: "geofeed", meaning: "hosting", v4: 5_000, v6: 5_000, bits4: [22, 28], labels: 3, cities: 400 },
  { id: "starlink", meaning: "satellite", v4: 4_000, v6: 4_000, bits4: [20, 27], labels: 1, cities: 300 },
  { id: "drop", meaning: "severe", v4: 1_600, v6: 100, bits4: [16, 24], labels: 0, cities: 0 },
  { id: "level1", meaning: "abuse", v4: 30_000, v6: 0, bits4: [20, 32], labels: 1, cities: 0 },
];
const NETWORKS = 120_000;

/** Columns: prefix, label, country, city. */
const ranged = SHAPES.map(
  ({ id, meaning }): Feed => ({
    id,
    name: id,
    family: id,
    licence: "ours",
    homepage: "https://lists.example/",
    files: [{ url: `https://lists.example/${id}`, maxBytes: 100_000_000 }],
    meanings: [meaning],
    cadenceMs: 3_600_000,
    minRows: 1,
    maxRows: 2_000_000,
    parse(content, sink) {
      for (const line of content.lines()) {
        const [prefix = "", label = "", country = "", city = ""] = line.split(",");
        sink.prefix(prefix, {
          meaning,
          ...(label === "" ? {} : { label }),
          ...(country === "" ? {} : { place: { country, city } }),
        });
      }
      return {};
    },
  }),
);

const networked: Feed = {
  id: "as_names",
  name: "as_names",
  family: "as_names",
  licence: "ours",
  homepage: "https://lists.example/",
  files: [{ url: "https://lists.example/as_names", maxBytes: 100_000_000 }],
  meanings: [],
  networks: true,
  cadenceMs: 3_600_000,
  minRows: 1,
  maxRows: 2_000_000,
  parse(content, sink) {
    for (const line of content.lines()) {
      const [asn = "", name = ""] = line.split(",");
      // One in three has a class, because no list knows all of them.
      sink.network(asn, { name, ...(Number(asn) % 3 === 0 ? { asClass: "isp" } : {}) });
    }
    return {};
  },
};

export const FEEDS: readonly Feed[] = [...ranged, networked];

/**
 * Writes the downloads of all lists as a cache stores them; returns the number of rows and some of their IPv6
 * prefixes. The seed is fixed: every run is the same.
 */
export function writeFullSize(directory: string): {
  readonly rows: number;
  readonly prefixes6: readonly string[];
} {
  const prefixes6: string[] = [];
  let seed = 0x2545f491;
  const random = (below: number) => {
    seed ^= seed << 13;
    seed ^= seed >>> 17;
    seed ^= seed << 5;
    return (seed >>> 0) % below;
  };
  let rows = 0;
  const write = (id: string, lines: readonly string[]) => {
    rows += lines.length;
    const bytes = new TextEncoder().encode(`${lines.join("\n")}\n`);
    const name = `0-${Bun.hash.xxHash3(bytes).toString(16).padStart(16, "0")}.data`;
    const folder = join(directory, id);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), bytes);
    const nowMs = Date.now();
    const file = { index: 0, url: `https://lists.example/${id}`, name, bytes: bytes.length };
    const good = { files: [file], rows: lines.length, stripped: 0, fetchedAt: nowMs, checkedAt: nowMs };
    writeFileSync(join(folder, "state.json"), JSON.stringify({ good, failures: 0, dueAt: nowMs }));
  };
  for (const { id, v4, v6, bits4, labels, cities } of SHAPES) {
    const tail = () => {
      const label = labels === 0 ? `SBL${random(1_000_000)}` : labels === 1 ? id : `${id} ${random(labels)}`;
      if (cities === 0) return `,${label}`;
      const city = random(cities);
      return `,${label},${String.fromCharCode(65 + (city % 20), 65 + (city % 7))},City ${city}`;
    };
    const lines: string[] = [];
    for (let i = 0; i < v4; i++) {
      const bits = bits4[0] + random(bits4[1] - bits4[0] + 1);
      lines.push(`${11 + random(180)}.${random(256)}.${random(256)}.${random(256)}/${bits}${tail()}`);
    }
    for (let i = 0; i < v6; i++) {
      // Relay egress is in a few /32, so the first word separates almost nothing.
      const second = id === "relay" ? 0x26f7 + random(4) : random(65_536);
      const groups = [0x2600 + random(2) * 0x400, second, random(65_536), random(65_536)];
      const prefix = groups.map((group) => group.toString(16)).join(":");
      if (i % 2 === 0) prefixes6.push(prefix);
      lines.push(`${prefix}::/64${tail()}`);
    }
    write(id, lines);
  }
  write(
    networked.id,
    Array.from({ length: NETWORKS }, (_, i) => `${131_072 + i},Example Network ${i} Telecommunications`),
  );
  return { rows, prefixes6 };
}
