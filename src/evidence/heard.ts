import type { Observation, SourceRun } from "./observation.ts";

/** One run that answered, with what it said. */
export interface Heard {
  readonly run: SourceRun;
  readonly said: Observation;
}

/** The runs that said something. Whatever failed, was skipped or had nothing to say is not among them. */
export function findHeard(runs: readonly SourceRun[]): readonly Heard[] {
  const heard: Heard[] = [];
  for (const run of runs) {
    if (run.state === "answered" && run.observation !== undefined) heard.push({ run, said: run.observation });
  }
  return heard;
}
