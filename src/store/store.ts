import type { Assessment, Conclusion, VoteSum } from "#report";
import type { BudgetRepository } from "#upstream";
import type { AdmissionRepository, ChallengeRepository } from "./allowances.ts";
import type { RatingRepository } from "./ratings/rating_repository.ts";
import type { WatchRepository } from "./watch/watch_repository.ts";

export interface StoredReport {
  readonly address: string;
  /** Milliseconds since the epoch. */
  readonly surveyedAt: number;
  readonly liveAnswers: number;
  readonly assessment: Assessment;
}

/** A report as it is read. The assessment is absent when its format is no longer read; its survey can still be read. */
export interface FoundReport extends Omit<StoredReport, "assessment"> {
  readonly assessment?: Assessment;
  /** The characters of the JSON of the assessment, if they were counted. */
  readonly chars?: number | undefined;
  /** Sums of the visitors' votes on the address, read in the same statement. */
  readonly votes: readonly VoteSum[];
}

/** The database of the service. Every method rejects with {@link StoreError} when the database fails. */
export interface Store {
  /** The stored report, or undefined. Reads one row by primary key. */
  find(address: string): Promise<FoundReport | undefined>;
  /**
   * Returns what `find` returns, without waiting. Also returns undefined when it would have to wait or has failed;
   * call `find` then. Present for a database file on this machine. Never throws.
   */
  findSync?(address: string): FoundReport | undefined;
  /** The survey of a stored report, as JSON. */
  findSurvey(address: string): Promise<string | undefined>;
  /** Saves a report and appends its conclusion to the history (at most 50 entries), in one durable commit. */
  save(report: StoredReport, survey: string): Promise<void>;
  /**
   * Replaces the assessment of the survey of `surveyedAt` and appends it to the history, in one durable commit. A
   * report with a newer survey or a newer scoring version stays as it is.
   */
  rescore(report: StoredReport): Promise<void>;
  /** Newest survey first; within one survey, newest scoring version first. */
  history(address: string): Promise<readonly Conclusion[]>;
  readonly budgets: BudgetRepository;
  readonly admissions: AdmissionRepository;
  readonly challenges: ChallengeRepository;
  readonly ratings: RatingRepository;
  readonly watches: WatchRepository;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  /** Moves the write-ahead log into an embedded database file and closes it. */
  close(): Promise<void>;
}

/**
 * The database cannot be opened, read or written. The message names the database and the operation. A write that a
 * server did not answer in time may still have taken effect.
 */
export class StoreError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "StoreError";
  }
}
