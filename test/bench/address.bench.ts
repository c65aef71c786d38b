/**
 * Measures a call of parseAddress, and ipaddr.js `process` and `toString` with the same spellings in the same run.
 * Usage: bun test/bench/address.bench.ts. Exits 1 beyond the budget.
 */
import ipaddr from "ipaddr.js";
import { findSpecialPurpose, parseAddress } from "#address";
import { createDraw } from "#kit";
import { createBudget, measureNs } from "./harness.ts";

/** A tenth of what `limpid batch --tables-only` may take for one address at 20 000 addresses a second. */
const BUDGET_NS = 5_000;
const EFFORT = { rounds: 7, roundMs: 150 };

const draw = createDraw();
const quad = () => Array.from({ length: 4 }, () => draw(256)).join(".");
const group = () => draw(65_536).toString(16);
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

const budget = createBudget();
for (const [name, inputs] of Object.entries(CASES)) {
  const oursNs = measureNs(inputs, (input) => parseAddress(input)?.text.length ?? 0, EFFORT);
  const theirsNs = measureNs(inputs, (input) => ipaddr.process(input).toString().length, EFFORT);
  budget.check(`parseAddress, ${name} (ns)`, oursNs, BUDGET_NS);
  console.log(
    `${name.padEnd(24)} parseAddress ${oursNs.toFixed(0).padStart(5)} ns   ipaddr.js ${theirsNs.toFixed(0).padStart(5)} ns   (budget ${BUDGET_NS})`,
  );
}

const ordinary = [...(CASES.IPv4 ?? []), ...many(() => `2001:4860:${group()}::${group()}`)];
const addresses = ordinary.flatMap((input) => parseAddress(input) ?? []);
const isSpecial = (address: (typeof addresses)[number]) => Number(findSpecialPurpose(address) !== undefined);
const special = addresses.reduce((sum, address) => sum + isSpecial(address), 0);
console.log(
  `findSpecialPurpose ${measureNs(addresses, isSpecial, EFFORT).toFixed(0)} ns (${Math.round((100 * special) / addresses.length)} % of them special)`,
);
budget.end();
