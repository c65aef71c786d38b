/**
 * `bun test/bench/reverse_names.bench.ts FOLDER [--details]` measures what reverse names say about their hosts, with the
 * labelled names of FOLDER/ptr-names.tsv, and writes the shares to `src/scoring/accuracy.json`. "New operators" are names
 * below domains that our own table does not have: what the words alone know. Ends with 1 when a budget is broken.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { classifyReverseName } from "../../src/evidence/reverse_names.ts";
import table from "../../src/evidence/tables/reverse_names.tsv" with { type: "text" };
import { createBudget } from "./harness.ts";

const BUDGET = { right: 0.75, wrong: 0.03 };

const [folder, details] = Bun.argv.slice(2);
if (folder === undefined) {
  console.error("Usage: bun test/bench/reverse_names.bench.ts FOLDER [--details]");
  process.exit(64);
}

const domains = table.split("\n").flatMap((line) => {
  const [place, text = ""] = line.split("\t");
  return place === "domain" ? [text] : [];
});
const rows = readFileSync(join(folder, "ptr-names.tsv"), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => {
    const [name = "", kind = "", , , also = "-"] = line.split("\t");
    return { name, kind, also, isKnown: domains.some((domain) => `.${name}`.endsWith(`.${domain}`)) };
  });

const budget = createBudget();
const hostNames: Record<string, { rows: number; right: number; wrong: number }> = {};
for (const [label, set] of [
  ["all", rows],
  ["newOperators", rows.filter(({ isKnown }) => !isKnown)],
] as const) {
  const counts = { right: 0, second: 0, wrong: 0, none: 0 };
  for (const { name, kind, also } of set) {
    const said = classifyReverseName(name) ?? "unknown";
    const outcome =
      said === kind ? "right" : said === also ? "second" : said === "unknown" ? "none" : "wrong";
    counts[outcome] += 1;
    if (details === "--details" && outcome === "wrong")
      console.log(`  ${name}: ${said}, is ${kind} (${also})`);
  }
  const share = (count: number) => `${((100 * count) / set.length).toFixed(1)} %`;
  const right = counts.right + counts.second;
  console.log(
    `${label}: ${set.length} names, right ${share(right)} (${share(counts.second)} by the second kind), wrong ${share(counts.wrong)}, no answer ${share(counts.none)}`,
  );
  budget.judge(`${label} right`, { hits: right, of: set.length }, BUDGET.right, "least");
  budget.judge(`${label} wrong`, { hits: counts.wrong, of: set.length }, BUDGET.wrong, "most");
  hostNames[label] = {
    rows: set.length,
    right: Number(((100 * right) / set.length).toFixed(1)),
    wrong: Number(((100 * counts.wrong) / set.length).toFixed(1)),
  };
}
const file = join(import.meta.dir, "../../src/scoring/accuracy.json");
await Bun.write(file, `${JSON.stringify({ ...(await Bun.file(file).json()), hostNames }, null, 2)}\n`);
budget.end();
