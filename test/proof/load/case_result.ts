/** What came of one case: what was measured, a line each, and every promise that was not kept. */
export interface CaseResult {
  readonly seen: readonly string[];
  readonly failures: readonly string[];
}

/** How much of a case is run: `brief` with every change, `quick` to see figures, `full` the whole proof. */
export type Extent = "brief" | "quick" | "full";

/** What a case writes while it runs. */
export interface Findings extends CaseResult {
  readonly see: (line: string) => void;
  /** A promise, and whether it was kept. */
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
