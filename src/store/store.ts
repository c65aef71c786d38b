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

/** One earlier conclusion about an address. */
export interface HistoryEntry {
  readonly surveyedAt: number;
  readonly purity: number;
  readonly band: string;
  readonly scoringVersion: number;
}

/** What is kept. Every method rejects with {@link StoreError} when the database cannot serve. */
export interface Store {
  /** The stored report, or undefined. One row by primary key. */
  find(address: string): Promise<StoredReport | undefined>;
  /** The survey behind a stored report, as JSON. */
  findSurvey(address: string): Promise<string | undefined>;
  /** Stores a report and appends the conclusion to the address's history (at most 50), in one durable commit. */
  save(report: StoredReport, survey: string): Promise<void>;
  history(address: string): Promise<readonly HistoryEntry[]>;
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
