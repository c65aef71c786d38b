import type { Report } from "#report";

/** How much of the evidence was heard, in percent, and the purity that remains possible. */
export interface Heard {
  readonly percent: number;
  readonly low: number;
  readonly high: number;
}

/** Reads the coverage and the range of a report. */
export function readHeard({ risk, sources }: Report): Heard {
  const asked = sources.filter(({ skipped }) => skipped === undefined);
  const share = asked.length === 0 ? 1 : asked.filter(({ ok }) => ok).length / asked.length;
  return {
    percent: Math.round(share * 100),
    low: Math.max(0, Math.round(risk.purity - (1 - share) * 60)),
    high: risk.purity,
  };
}
