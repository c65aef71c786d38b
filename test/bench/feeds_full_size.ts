import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ListMeaning } from "#datasets";
import type { Feed } from "#feeds";
import ROWS from "../fixtures/list_shapes.json";

/** Lists of the sizes that the real ones have: name, meaning, rows by family, prefix lengths, labels, cities. */
const SHAPES = ROWS.map(({ meaning, bits4: [least = 32, most = 32], ...row }) => ({
  ...row,
  meaning: meaning as ListMeaning,
  bits4: [least, most] as const,
}));
const NETWORKS = 120_000;

const factsOf = (id: string) => ({
  id,
  name: id,
  family: id,
  licence: "ours",
  homepage: "https://lists.example/",
  files: [{ url: `https://lists.example/${id}`, maxBytes: 100_000_000 }],
  cadenceMs: 3_600_000,
  minRows: 1,
  maxRows: 2_000_000,
});

/** Columns: prefix, label, country, city. */
const ranged = SHAPES.map(
  ({ id, meaning }): Feed => ({
    ...factsOf(id),
    meanings: [meaning],
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
  ...factsOf("as_names"),
  meanings: [],
  networks: true,
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
