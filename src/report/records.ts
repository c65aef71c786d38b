/** One earlier conclusion about an address. */
export interface Conclusion {
  /** Milliseconds since the epoch. */
  readonly surveyedAt: number;
  readonly purity: number;
  readonly band: string;
  readonly scoringVersion: number;
  /** Null: not recorded at that time. */
  readonly confidence: string | null;
  /** The share of the data of all usable sources that was obtained, 0 to 1. Null: not recorded at that time. */
  readonly coverage: number | null;
}

/** One visitor's rating of an address for a scenario. `voter` is a keyed hash that changes daily. */
export interface Vote {
  readonly address: string;
  readonly scenario: string;
  readonly voter: string;
  /** Days since the epoch, UTC. */
  readonly day: number;
  /** 1 to 5, 5 is best. */
  readonly rating: number;
}

/** All votes on one scenario of an address. */
export interface VoteSum {
  readonly scenario: string;
  readonly count: number;
  readonly sum: number;
}
