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
  /** What visitors said of the address, read in the same statement. */
  readonly votes: readonly VoteSum[];
}

/** One earlier conclusion about an address. */
export interface HistoryEntry {
  readonly surveyedAt: number;
  readonly purity: number;
  readonly band: string;
  readonly scoringVersion: number;
}

/** That a report is kept, and since when it is as it is. */
export interface StoredName {
  readonly address: string;
  /** Milliseconds since the epoch. */
  readonly surveyedAt: number;
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

/** A sliding window that a permit must find room in. Windows and counts are kept for all processes on one database. */
export interface PermitWindow {
  /** The permit is entered under the first name; what stands under the others counts too. */
  readonly names: readonly [string, ...string[]];
  readonly limit: number;
  readonly windowMs: number;
}

/** A count of a day that a permit must find room in. */
export interface PermitCount {
  readonly name: string;
  readonly limit: number;
}

/** A permit asked for: all of its windows and counts must have room, and then each is charged once. */
export interface PermitRequest {
  /** Random and never used before; by it the permit is given back. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Days since the epoch, UTC. */
  readonly day: number;
  readonly windows: readonly PermitWindow[];
  readonly counts: readonly PermitCount[];
}

/** What became of a permit, and how things stand after it. */
export interface PermitResult {
  readonly granted: boolean;
  /** Of each count asked about, by name: used that day by now. */
  readonly used: ReadonlyMap<string, number>;
  /** Of each window asked about, by first name: entries in it by now, and milliseconds until one leaves (0 = none in it). */
  readonly windows: ReadonlyMap<string, { readonly entries: number; readonly nextFreeMs: number }>;
}

/** Permits to start surveys. Exact over all processes on one database, which must agree on the time within a second. */
export interface PermitBook {
  /**
   * Grants and charges, or refuses and charges nothing, in one transaction. The same permit asked for again is charged
   * once. The names of a window differ from each other. Entries are forgotten after ten minutes, days after a week.
   */
  take(request: PermitRequest): Promise<PermitResult>;
  /**
   * Undoes a permit of the last 24 hours: frees its place in windows that still hold it, and the counts of the day it
   * was charged on. Twice is once.
   */
  giveBack(id: string): Promise<void>;
  /** Used that day, by name; names without an entry are absent. */
  read(day: number, names: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

/** Solved challenges, so that none is accepted twice by any process on the database. */
export interface ChallengeBook {
  /** True for the first use; false ever after, until `expiresAt` (milliseconds since the epoch) is past. */
  use(id: string, expiresAt: number, now: number): Promise<boolean>;
}

/** One visitor's rating of an address for a use. `voter` is a keyed hash that changes daily. */
export interface Vote {
  readonly address: string;
  readonly scenario: string;
  readonly voter: string;
  /** Days since the epoch, UTC. */
  readonly day: number;
  /** 1 to 5, 5 best. */
  readonly rating: number;
}

/** All ratings of one use of an address. */
export interface VoteSum {
  readonly scenario: string;
  readonly count: number;
  /** Sum of the ratings. */
  readonly sum: number;
}

/** Ratings by visitors. */
export interface VoteBook {
  /** Keeps a vote; a later one of the same voter, scenario, address and day replaces it. */
  cast(vote: Vote): Promise<void>;
  read(address: string): Promise<readonly VoteSum[]>;
}

/** What is kept. Every method rejects with {@link StoreError} when the database cannot serve. */
export interface Store {
  /** The stored report, or undefined. One row by primary key. */
  find(address: string): Promise<FoundReport | undefined>;
  /**
   * What `find` gives, at once. Undefined also where it takes longer to tell, or cannot be told: then `find` does.
   * Present where the database is a file of this machine. Never throws.
   */
  findNow?(address: string): FoundReport | undefined;
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
  /** The addresses with a stored report, those surveyed last first; read from an index alone. */
  newest(limit: number): Promise<readonly StoredName[]>;
  readonly budgets: BudgetBook;
  readonly permits: PermitBook;
  readonly challenges: ChallengeBook;
  readonly votes: VoteBook;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  /** Folds the log into an embedded database and lets go of it. */
  close(): Promise<void>;
}

/**
 * The database cannot be opened, read or written. The message names it and what was attempted. What a server did not
 * answer in time may still have been carried out.
 */
export class StoreError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "StoreError";
  }
}
