import type { Assessment, Conclusion, Vote, VoteSum } from "#report";
import type { BudgetRepository } from "#upstream";

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

/** A limit that an admission is charged to. All processes on one database share it. */
export interface AdmissionCharge {
  readonly name: string;
  /** Admissions under this name count too. */
  readonly earlierName?: string;
  readonly limit: number;
  /** When the admission stops counting, milliseconds since the epoch. */
  readonly until: number;
}

/** The use of a limit: admissions that count, and when the first of them stops counting, or `until` without any. */
export interface ChargeUse {
  readonly used: number;
  readonly freeAt: number;
}

/**
 * Admissions to start surveys, counted for all processes on one database. Uses are in the order of their charges.
 * `now` is in milliseconds since the epoch.
 */
export interface AdmissionRepository {
  /**
   * Charges every limit once, or refuses and charges nothing because one of them is used up, in one transaction.
   * `uses` is the state after it.
   */
  admit(
    now: number,
    charges: readonly AdmissionCharge[],
  ): Promise<{ readonly isAdmitted: boolean; readonly uses: readonly ChargeUse[] }>;
  /** Takes one admission back from each limit. */
  refund(charges: readonly Pick<AdmissionCharge, "name" | "until">[]): Promise<void>;
  read(now: number, charges: readonly AdmissionCharge[]): Promise<readonly ChargeUse[]>;
}

/** Solved challenges. All processes on the database together accept each of them once. */
export interface ChallengeRepository {
  /** True for the first use; false for every later one, until `expiresAt` (milliseconds since the epoch) is past. */
  use(id: string, expiresAt: number, now: number): Promise<boolean>;
}

export interface RatingRepository {
  /** Saves a vote; it replaces an earlier vote of the same voter, scenario, address and day. */
  saveVote(vote: Vote): Promise<void>;
  read(address: string): Promise<readonly VoteSum[]>;
}

/** A change of a watched address. `at` is in milliseconds since the epoch; `body` is the JSON that a webhook gets. */
export interface WatchEvent {
  readonly id: string;
  readonly address: string;
  readonly at: number;
  readonly body: string;
}

/** An event that waits for the webhook: attempts so far, and when the next one is due. */
export interface WaitingEvent extends WatchEvent {
  readonly attempts: number;
  readonly sendAt: number;
}

/** What is known of watched addresses, and their events. Times in milliseconds since the epoch. */
export interface WatchRepository {
  /** When each watched address is surveyed next. */
  readDue(): Promise<ReadonlyMap<string, number>>;
  /** Adds addresses that are not there yet, and removes the others that are `gone`. */
  plan(added: ReadonlyMap<string, number>, gone: readonly string[]): Promise<void>;
  /** Moves the turn of an address. Undefined when another process took it; otherwise the state, "" for none. */
  take(address: string, from: number, to: number): Promise<string | undefined>;
  /** Saves the state of an address and its new events in one commit. An event that is there stays as it is. */
  save(
    watch: { readonly address: string; readonly dueAt: number; readonly state: string },
    events: readonly WatchEvent[],
    sendAt: number | undefined,
  ): Promise<void>;
  /** The newest events first, of one address or of all. */
  readEvents(limit: number, address?: string): Promise<readonly WatchEvent[]>;
  /** Events whose attempt is due, the longest waiting first. */
  readWaiting(now: number, limit: number): Promise<readonly WaitingEvent[]>;
  /** Counts an attempt and sets the time of the next one. False when another process did. */
  attempt(event: WaitingEvent, nextAt: number): Promise<boolean>;
  markSent(id: string): Promise<void>;
  countWaiting(): Promise<number>;
  /** Deletes events before a moment, except those that wait. */
  prune(before: number): Promise<void>;
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
