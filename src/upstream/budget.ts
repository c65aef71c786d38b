/** How many questions a source may still be asked today. A day is a UTC day. */
export interface Budget {
  /** Takes one question; false when today's are used up. */
  take(id: string): boolean;
  /** Returns one that was taken today but not asked. */
  giveBack(id: string): void;
  /** What is left today; undefined = unbounded. */
  left(id: string): number | undefined;
}

const DAY_MS = 86_400_000;

/** Creates a {@link Budget} in memory. `limits` gives the questions a day of an id, undefined = unbounded. */
export function createBudget(options: {
  readonly now: () => number;
  readonly limits: (id: string) => number | undefined;
}): Budget {
  const used = new Map<string, number>();
  let day = Number.NaN;

  function usedToday(id: string): number {
    const today = Math.floor(options.now() / DAY_MS);
    if (today !== day) {
      used.clear();
      day = today;
    }
    return used.get(id) ?? 0;
  }

  return {
    take(id) {
      const limit = options.limits(id);
      if (limit === undefined) return true;
      const before = usedToday(id);
      if (before >= limit) return false;
      used.set(id, before + 1);
      return true;
    },
    giveBack(id) {
      const before = usedToday(id);
      if (before > 0) used.set(id, before - 1);
    },
    left(id) {
      const limit = options.limits(id);
      return limit === undefined ? undefined : Math.max(0, limit - usedToday(id));
    },
  };
}
