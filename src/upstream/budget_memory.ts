import type { BudgetEntry, BudgetGrant } from "./budget_book.ts";

/** A day's counts as far as this process knows them. */
export interface BudgetMemory {
  settle(day: number, entries: readonly BudgetEntry[]): readonly BudgetGrant[];
  /** Takes over what the book told; an entry it did not answer was used up. */
  learn(day: number, entries: readonly BudgetEntry[], grants: readonly BudgetGrant[]): void;
  read(day: number): ReadonlyMap<string, number>;
}

/** Days kept: a question given back after midnight belongs to the day before. */
const KEPT_DAYS = 2;

/** Creates a {@link BudgetMemory} that knows of nothing used. */
export function createBudgetMemory(): BudgetMemory {
  const days = new Map<number, Map<string, number>>();

  function usedOn(day: number): Map<string, number> {
    const known = days.get(day);
    if (known !== undefined) return known;
    const used = new Map<string, number>();
    days.set(day, used);
    for (const oldest of [...days.keys()].sort((a, b) => a - b).slice(0, -KEPT_DAYS)) days.delete(oldest);
    return used;
  }

  return {
    settle(day, entries) {
      const counts = usedOn(day);
      return entries.map(({ id, limit, wanted, correction }) => {
        const before = Math.max(0, (counts.get(id) ?? 0) + correction);
        const granted = Math.max(0, Math.min(wanted, limit - before));
        counts.set(id, before + granted);
        return { id, granted, used: before + granted };
      });
    },
    learn(day, entries, grants) {
      const counts = usedOn(day);
      for (const { id, limit } of entries) counts.set(id, limit);
      for (const { id, used } of grants) counts.set(id, used);
    },
    read: (day) => days.get(day) ?? new Map(),
  };
}
