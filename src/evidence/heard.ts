import type { Observation, SourceRun } from "./observation.ts";

/** One run that answered, with what it said. */
export interface Heard {
  readonly run: SourceRun;
  readonly said: Observation;
}

/** The runs that said something. Whatever failed, was skipped or had nothing to say is not among them. */
export function findHeard(runs: readonly SourceRun[]): readonly Heard[] {
  return runs.flatMap((run) =>
    run.state === "answered" && run.observation !== undefined ? [{ run, said: run.observation }] : [],
  );
}
