import { findRangeKind, type RangeKind, score } from "#scoring";
import { askAsLabelled, type Telling } from "./as_labelled.ts";
import type { Budget, Count } from "./harness.ts";
import { featureOf, type LabelledSet } from "./labelled_set.ts";
import type { LocalSurvey } from "./tables_evidence.ts";

/** Parts of the evidence whose ranges are compared with the purity of all of it. */
const PARTS: readonly Telling[] = ["nothing", "lists", "live", "half", "usual"];

/** Required share of addresses whose purity with all evidence lies inside the range. */
const LEAST = 0.95;
/** A group with fewer addresses is not judged. */
const LEAST_ADDRESSES = 100;

/**
 * Measures how often the purity with all evidence lies inside the range that a part of the evidence gives, and prints
 * it by set, with the median width. The score of each use case must reach its low end as often.
 */
export async function printRanges(
  sets: readonly LabelledSet[],
  survey: LocalSurvey,
  budget: Budget,
): Promise<void> {
  const totals = new Map(PARTS.map((part) => [part, { hits: 0, of: 0 }]));
  const kinds = new Map<string, Count>();
  const heads = PARTS.map((part) => part.padStart(14)).join(" ");
  console.log("\nrange: share of rows whose purity with all evidence lies inside, and median width");
  console.log(`${"set".padEnd(25)} ${"n".padStart(6)} ${heads}`);
  for (const set of sets) {
    // A known crawler has no number on any page, and lies above the range of its network.
    if (featureOf(set) === "crawler") continue;
    const found = new Map(PARTS.map((part) => [part, { inside: 0, widths: [] as number[] }]));
    for (const address of set.addresses) {
      const everything = await askAsLabelled(survey, set, address, "everything");
      if (everything === undefined) continue;
      const { purity, scenarios } = score(everything);
      for (const part of PARTS) {
        const heard = await askAsLabelled(survey, set, address, part);
        if (heard === undefined) continue;
        const partly = score(heard);
        const { low, high } = partly.range;
        const isInside = purity >= low && purity <= high;
        const counts = found.get(part);
        counts?.widths.push(high - low);
        if (counts !== undefined && isInside) counts.inside += 1;
        const key = `${nameGroup(findRangeKind(heard))}, heard ${part}`;
        const group = kinds.get(key) ?? { hits: 0, of: 0 };
        kinds.set(key, { hits: group.hits + (isInside ? 1 : 0), of: group.of + 1 });
        for (const [at, { id, low = 0 }] of partly.scenarios.entries()) {
          const key = `${id}, heard ${part}`;
          const use = kinds.get(key) ?? { hits: 0, of: 0 };
          kinds.set(key, { hits: use.hits + ((scenarios[at]?.score ?? 100) >= low ? 1 : 0), of: use.of + 1 });
        }
      }
    }
    const cells = PARTS.map((part) => {
      const { inside, widths } = found.get(part) ?? { inside: 0, widths: [] };
      const total = totals.get(part);
      if (total !== undefined) {
        total.hits += inside;
        total.of += widths.length;
      }
      const median = widths.toSorted((a, b) => a - b)[Math.floor(widths.length / 2)] ?? 0;
      return `${((100 * inside) / widths.length).toFixed(1)}% ${String(median).padStart(3)}`.padStart(14);
    });
    const count = found.get("nothing")?.widths.length ?? 0;
    if (count > 0) console.log(`${set.id.padEnd(25)} ${String(count).padStart(6)} ${cells.join(" ")}`);
  }
  console.log("");
  const judged = [...[...totals].map(([part, count]) => [`all, heard ${part}`, count] as const), ...kinds];
  for (const [name, count] of judged) {
    if (count.of >= LEAST_ADDRESSES) budget.judge(`inside the range, ${name}`, count, LEAST, "least");
  }
}

/** Names the groups that must hold separately: what is known about an address, else people or firms, or hosting. */
function nameGroup(kind: RangeKind): string {
  if (kind === "residential" || kind === "mobile") return "home";
  return kind === "tor" || kind === "vpn" || kind === "listed" || kind === "hosting"
    ? kind
    : "other networks";
}
