import { parseAddress } from "#address";
import { HttpProblem } from "./http_problem.ts";

/** Most addresses of one comparison; for more there is the operator. */
export const MOST_CANDIDATES = 5;

/** One alone is no comparison. */
const LEAST_CANDIDATES = 2;

/**
 * Reads the addresses that a program wants compared, parted by commas; what is written twice counts once. What is no
 * address stays: it becomes a problem of its own beside the others' reports.
 * @throws {HttpProblem} `invalid_parameter` unless 2 to 5 different ones remain.
 */
export function readCandidates(ips: string): readonly string[] {
  const parts = ips.split(",", MOST_CANDIDATES * 2 + 1);
  const candidates = new Map(parts.map((part) => [parseAddress(part)?.text ?? part, part] as const));
  if (candidates.size < LEAST_CANDIDATES || candidates.size > MOST_CANDIDATES)
    throw wrongCount(LEAST_CANDIDATES);
  return [...candidates.values()];
}

/** What is told to whoever asks for too few or too many. */
export function wrongCount(least: number): HttpProblem {
  return new HttpProblem("invalid_parameter", {
    data: { parameter: "ips", reason: "address_count", least, most: MOST_CANDIDATES },
  });
}
