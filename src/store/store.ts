import type { Assessment } from "#report";

/** One address's report as kept. `survey` is the survey's JSON: what every source said. */
export interface StoredReport {
  readonly address: string;
  /** Milliseconds since the epoch. */
  readonly surveyedAt: number;
  /** How many live sources were heard. */
  readonly liveHeard: number;
  readonly assessment: Assessment;
}

/** A report as found. Without an assessment it was written in a form that is no longer read; its survey may still be. */
export interface FoundReport extends Omit<StoredReport, "assessment"> {
  readonly assessment?: Assessment;
}

/** One earlier conclusion about an address. */
export interface HistoryEntry {
  readonly surveyedAt: number;
  readonly purity: number;
  readonly band: string;
  readonly scoringVersion: number;
}

/** What one source's count of the day is asked to do, at once: correct itself, then give up to `wanted`. */
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

/** Questions asked a day and source, counted for every process on one database. Days are days since the epoch, UTC. */
export interface BudgetBook {
  /** Settles all entries in one durable commit; an entry without a grant was used up. Old days are forgotten. */
  settle(day: number, entries: readonly BudgetEntry[]): Promise<readonly BudgetGrant[]>;
  /** Used that day, by source. */
  read(day: number): Promise<ReadonlyMap<string, number>>;
}

/** What is kept. Every method rejects with {@link StoreError} when the database cannot serve. */
export interface Store {
  /** The stored report, or undefined. One row by primary key. */
  find(address: string): Promise<FoundReport | undefined>;
  /** The survey behind a stored report, as JSON. */
  findSurvey(address: string): Promise<string | undefined>;
  /** Stores a report and appends the conclusion to the address's history (at most 50), in one durable commit. */
  save(report: StoredReport, survey: string): Promise<void>;
  /**
   * Replaces the conclusion from the stored survey of `surveyedAt` and appends it to the history, in one durable
   * commit. A survey that is newer, or was judged by a newer version of the scoring, stays as it is.
   */
  rescore(report: StoredReport): Promise<void>;
  /** Newest survey first, and of one survey the newest version of the scoring. */
  history(address: string): Promise<readonly HistoryEntry[]>;
  readonly budgets: BudgetBook;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  /** Folds the log into an embedded database and lets go of it. */
  close(): Promise<void>;
}

/** The database cannot be opened, read or written. The message names it and what was attempted. */
export class StoreError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "StoreError";
  }
}
