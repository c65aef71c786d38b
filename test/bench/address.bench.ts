/**
 * Measures a call of parseAddress, and ipaddr.js `process` and `toString` with the same spellings in the same run.
 * Usage: bun test/bench/address.bench.ts. Exits 1 beyond the budget.
 */
import ipaddr from "ipaddr.js";
import { findSpecialPurpose, parseAddress } from "#address";

/** A tenth of what `limpid batch --tables-only` may take for one address at 20 000 addresses a second. */
const BUDGET_NS = 5_000;
const ROUNDS = 7;
const ROUND_MS = 150;

/** Deterministic 32-bit words (xorshift), so that every run measures the same spellings. */
function createWords(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

const word = createWords(0x9e3779b9);
const quad = () => [24, 16, 8, 0].map((shift) => (word() >>> shift) & 255).join(".");
const group = () => (word() & 0xffff).toString(16);
const many = (spell: () => string) => Array.from({ length: 512 }, spell);

const CASES: Readonly<Record<string, readonly string[]>> = {
  IPv4: many(quad),
  "IPv6 canonical": many(() => `2001:db8:${group()}:${group()}::${group()}`),
  "IPv6 eight groups": many(() => Array.from({ length: 8 }, group).join(":")),
  "IPv6 upper case, zeros": many(
    () => `2001:0DB8:0000:0000:${group().toUpperCase().padStart(4, "0")}:0000:0000:0001`,
  ),
  "IPv4-mapped": many(() => `::ffff:${quad()}`),
};

/** Best of several rounds, in nanoseconds a call. */
function measure(inputs: readonly string[], act: (input: string) => number): number {
  let best = Number.POSITIVE_INFINITY;
  let sink = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const start = Bun.nanoseconds();
    let calls = 0;
    while (Bun.nanoseconds() - start < ROUND_MS * 1e6) {
      for (const input of inputs) sink += act(input);
      calls += inputs.length;
    }
    best = Math.min(best, (Bun.nanoseconds() - start) / calls);
  }
  if (sink === 0) throw new Error("Cannot measure: nothing was parsed");
  return best;
}

const ours = (input: string) => parseAddress(input)?.text.length ?? 0;
const theirs = (input: string) => ipaddr.process(input).toString().length;

let slow = false;
for (const [name, inputs] of Object.entries(CASES)) {
  const oursNs = measure(inputs, ours);
  const theirsNs = measure(inputs, theirs);
  if (oursNs > BUDGET_NS) slow = true;
  console.log(
    `${name.padEnd(24)} parseAddress ${oursNs.toFixed(0).padStart(5)} ns   ipaddr.js ${theirsNs.toFixed(0).padStart(5)} ns   (budget ${BUDGET_NS})`,
  );
}

const ORDINARY_IPV6 = many(() => `2001:4860:${group()}::${group()}`);
const addresses = [...(CASES.IPv4 ?? []), ...ORDINARY_IPV6].flatMap((input) => parseAddress(input) ?? []);
const start = Bun.nanoseconds();
let bogons = 0;
const passes = 200;
for (let pass = 0; pass < passes; pass++)
  for (const address of addresses) if (findSpecialPurpose(address) !== undefined) bogons++;
const lookupNs = (Bun.nanoseconds() - start) / (passes * addresses.length);
console.log(
  `findSpecialPurpose ${lookupNs.toFixed(0)} ns (${Math.round((100 * bogons) / (passes * addresses.length))} % of them special)`,
);

if (slow) {
  console.error(`Cannot accept: parseAddress takes more than ${BUDGET_NS} ns`);
  process.exit(1);
}
