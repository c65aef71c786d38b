/** The result of one case: one line for each measurement, and every requirement that was not met. */
export interface CaseResult {
  readonly seen: readonly string[];
  readonly failures: readonly string[];
}

/** The output of a case while it runs. */
export interface Findings extends CaseResult {
  readonly see: (line: string) => void;
  /** A requirement, and whether it was met. */
  readonly check: (promise: string, holds: boolean) => void;
}

/** Opens an empty {@link Findings}. */
export function openFindings(): Findings {
  const seen: string[] = [];
  const failures: string[] = [];
  return {
    seen,
    failures,
    see: (line) => seen.push(line),
    check(promise, holds) {
      if (!holds) failures.push(promise);
    },
  };
}
