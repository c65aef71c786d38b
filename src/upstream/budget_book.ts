/** What one id's count of the day is asked to do, at once: correct itself, then give up to `wanted`. */
export interface BudgetEntry {
  readonly id: string;
  /** The most that may be used that day. */
  readonly limit: number;
  readonly wanted: number;
  /** Added to what is used: questions asked but not yet counted, or (negative) counted but not asked. */
  readonly correction: number;
}

/** What became of an entry. */
export interface BudgetGrant {
  readonly id: string;
  readonly granted: number;
  /** Used that day by now. */
  readonly used: number;
}

/** Where questions are counted, a day and id, for everybody who shares it. Days are days since the epoch, UTC. */
export interface BudgetBook {
  /** Settles all entries in one step; an entry without a grant was used up. Rejects when it cannot be written. */
  settle(day: number, entries: readonly BudgetEntry[]): Promise<readonly BudgetGrant[]>;
  /** Used that day, by id. */
  read(day: number): Promise<ReadonlyMap<string, number>>;
}
