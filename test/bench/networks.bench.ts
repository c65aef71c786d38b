/**
 * `bun run bench:networks FOLDER [--lists DIR] [--without ORIGIN,…] [--details]` measures what the tables alone say that
 * networks are used for. FOLDER has `as-types.tsv` (AS number, use, name) and `well-known.tsv` (address, name, uses that
 * are right). DIR has published lists of AS numbers, as `src/build/as_kinds.ts` reads them: they measure how many
 * hosting companies are found and how many access networks are called hosting. `--without` leaves origins of AS kinds
 * out (see AS_ORIGINS), to measure what the rest knows alone. `--details` names every wrong answer. Ends with 1 when a
 * budget is broken.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { parseAddress } from "#address";
import { readAsLists } from "../../src/build/as_kinds.ts";
import type { AsKindVote } from "../../src/evidence/as_kinds.ts";
import { decideKind, findNetworkKind } from "../../src/evidence/network_kind.ts";
import { classifyName } from "../../src/evidence/network_names.ts";
import { createBudget } from "./harness.ts";
import { openLocalSurvey } from "./tables_evidence.ts";

const BUDGET = { right: 0.88, wrong: 0.015, wellKnown: 0.95, hosting: 0.85, falseHosting: 0.003 };

const { values, positionals } = parseArgs({
  args: Bun.argv.slice(2),
  allowPositionals: true,
  options: {
    lists: { type: "string" },
    without: { type: "string", default: "" },
    details: { type: "boolean", default: false },
  },
});
const [folder] = positionals;
if (folder === undefined) {
  console.error("Usage: bun run bench:networks FOLDER [--lists DIR] [--without ORIGIN,…] [--details]");
  process.exit(64);
}
const without = new Set(values.without.split(","));

/** AS numbers with their name and the largest of their IPv4 ranges, from the package that the seed is made of. */
const networks = readNetworks();

function readNetworks(): ReadonlyMap<number, { readonly name: string; readonly first: string }> {
  const file = join(import.meta.dir, "../../node_modules/@ip-location-db/asn/asn-ipv4.csv");
  const found = new Map<number, { name: string; first: string; size: number }>();
  for (const line of readFileSync(file, "utf8").split("\n")) {
    const [, first = "", last = "", asn = "", name = ""] =
      /^([\d.]+),([\d.]+),(\d+),"?(.*?)"?\r?$/.exec(line) ?? [];
    if (first === "") continue;
    const size = toNumber(last) - toNumber(first);
    const known = found.get(Number(asn));
    if (known === undefined || known.size < size) found.set(Number(asn), { name, first, size });
  }
  return found;
}

function toNumber(text: string): number {
  return text.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
}

function readRows(name: string): readonly (readonly string[])[] {
  return readFileSync(join(folder ?? "", name), "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#"))
    .map((line) => line.split("\t"));
}

const { judge, end } = createBudget();

interface Tally {
  right: number;
  wrong: number;
  unknown: number;
}

const { ask } = openLocalSurvey();
const isWhole = without.size === 1 && without.has("");

/** The votes of the origins that are not left out. Where our own table is left out, the name is read in its place. */
function readVotes(asn: number, name: string | undefined): readonly AsKindVote[] {
  const network = { asn, ...(name === undefined ? {} : { name }) };
  const votes = findNetworkKind(network, []).votes.filter(({ origin }) => !without.has(origin));
  const kind = without.has("as_class") && name !== undefined ? classifyName(name) : undefined;
  const isNamed = kind === undefined || votes.some(({ origin }) => origin === "as_name");
  return isNamed || without.has("as_name") ? votes : [...votes, { origin: "as_name", kind }];
}

/** The use by the tables; without some origins only by the other origins of the AS. */
async function findUse(text: string, asn: number, name: string | undefined): Promise<string> {
  if (!isWhole) return decideKind(readVotes(asn, name)).use;
  const address = parseAddress(text);
  return address === undefined ? "unknown" : (await ask(address)).usage.type;
}

const tallies = new Map<string, Tally>();
const wrongs: string[] = [];
for (const [number = "", use = "", label = ""] of readRows("as-types.tsv")) {
  const network = networks.get(Number(number));
  const found = await findUse(network?.first ?? "", Number(number), network?.name);
  const tally = tallies.get(use) ?? { right: 0, wrong: 0, unknown: 0 };
  tallies.set(use, tally);
  const outcome = found === use ? "right" : found === "unknown" ? "unknown" : "wrong";
  tally[outcome]++;
  if (outcome !== "right")
    wrongs.push(
      `${outcome.padEnd(8)} AS${number} ${label || "–"} (${network?.name ?? "not announced"}): ${use} → ${found}`,
    );
}
console.log("use of AS numbers   n  right  wrong unknown");
const sum: Tally = { right: 0, wrong: 0, unknown: 0 };
for (const [use, { right, wrong, unknown }] of [...tallies, ["all", sum] as const]) {
  const n = right + wrong + unknown;
  if (use !== "all") {
    sum.right += right;
    sum.wrong += wrong;
    sum.unknown += unknown;
  }
  const share = (count: number) => `${((100 * count) / n).toFixed(1)}%`.padStart(6);
  console.log(
    `${use.padEnd(16)} ${String(n).padStart(4)} ${share(right)} ${share(wrong)}  ${share(unknown)}`,
  );
}
const total = sum.right + sum.wrong + sum.unknown;

let isRight = 0;
const known = readRows("well-known.tsv");
for (const [text = "", label = "", uses = ""] of known) {
  const address = parseAddress(text);
  const evidence = address === undefined ? undefined : await ask(address);
  const use = evidence?.usage.type ?? "unknown";
  if (uses.split(",").includes(use)) isRight++;
  else
    wrongs.push(
      `${use === "unknown" ? "unknown " : "wrong   "} ${text} ${label} (AS${evidence?.asn?.asn} ${evidence?.asn?.name}): ${uses} → ${use}`,
    );
}
if (values.details) console.log(`\n${wrongs.join("\n")}`);

console.log("");
judge("use of AS numbers right", { hits: sum.right, of: total }, BUDGET.right, "least");
judge("use of AS numbers wrong", { hits: sum.wrong, of: total }, BUDGET.wrong, "most");
judge("well-known addresses right", { hits: isRight, of: known.length }, BUDGET.wellKnown, "least");

if (values.lists !== undefined && existsSync(values.lists)) {
  const lists = readAsLists(values.lists);
  const numbersOf = (kind: string, origins: readonly string[]) =>
    new Set(
      lists
        .filter((list) => list.kind === kind && origins.includes(list.origin))
        .flatMap((list) => [...list.numbers]),
    );
  const access = numbersOf("isp", ["oxl_isp"]);
  const hosting = numbersOf("hosting", ["oxl", "x4bnet", "openasn"]);
  const called = (asn: number) => decideKind(readVotes(asn, networks.get(asn)?.name)).use;
  const announced = (asn: number) => networks.has(asn);
  const companies = [...hosting].filter((asn) => announced(asn) && !access.has(asn));
  const lines = [...access].filter((asn) => announced(asn) && !hosting.has(asn));
  const found = companies.filter((asn) => called(asn) === "hosting");
  const alarms = lines.filter((asn) => called(asn) === "hosting");
  const foundOf = { hits: found.length, of: companies.length };
  judge("hosting companies found", foundOf, BUDGET.hosting, "least");
  const alarmsOf = { hits: alarms.length, of: lines.length };
  judge("access networks called hosting", alarmsOf, BUDGET.falseHosting, "most");
  if (values.details)
    for (const asn of alarms) console.log(`  called hosting: AS${asn} ${networks.get(asn)?.name}`);
}
end();
