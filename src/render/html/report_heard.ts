import type { Report } from "#report";

/** The coverage in percent, and the purity that remains possible. */
export interface Heard {
  /** Undefined for a report of an older scoring version. Its range is the purity alone. */
  readonly percent: number | undefined;
  readonly low: number;
  readonly high: number;
}

/** Reads the coverage and the range of a report. */
export function readHeard({ risk: { purity, coverage, range } }: Report): Heard {
  return {
    percent: coverage === undefined ? undefined : Math.floor(coverage.total * 100),
    low: range?.low ?? purity,
    high: range?.high ?? purity,
  };
}
