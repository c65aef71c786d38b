/**
 * Merges, scores and localizes a full survey: every source of the registry as a service without keys asks it, each
 * kind of address in turn. Usage: bun test/bench/scoring.bench.ts. Exits 1 when the mean of the best round exceeds the
 * budget.
 */
import { mergeEvidence, type SourceRun, type Survey } from "#evidence";
import { localize } from "#locale";
import { assess } from "#lookup";
import { score } from "#scoring";
import { SOURCES } from "#sources";
import { ARCHETYPES, type ArchetypeId } from "../scoring/archetypes.ts";

/** Floors that a regression breaks even on a noisy machine, and aims. */
const BUDGET_US = 150;
const AIM_US = 100;
/** Many short rounds, so that at least one is free of other load. */
const ROUNDS = 150;
const ROUND_MS = 12;

/** The survey of an archetype, with an empty run of every source that it does not contain. */
function fill(survey: Survey): Survey {
  const spoken = survey.runs.filter((run) => run.state !== "empty");
  const known = new Set(spoken.map((run) => run.id));
  const others = SOURCES.filter(({ id }) => !known.has(id)).map((source): SourceRun => {
    const { id, name, kind, family, matters, weight, zone } = source;
    const run = { id, name, kind, family, matters, weight, local: source.local === true };
    const known = { ...run, ...(zone === undefined ? {} : { zone }) };
    return source.secret === "required" || source.noncommercial === true
      ? { ...known, state: "skipped", skipped: "no_key", ms: 0 }
      : { ...known, state: "empty", ms: 1 };
  });
  return { ...survey, runs: [...spoken, ...others] };
}

const surveys = (Object.keys(ARCHETYPES) as ArchetypeId[]).map((name) => fill(ARCHETYPES[name]));
const merged = surveys.map((survey) => mergeEvidence(survey));
const assessed = surveys.map((survey) => assess(survey));
const context = {
  language: "zh",
  tier: "fresh",
  stale: false,
  reportUrl: "https://limpid.example/ip/x",
} as const;

/** Mean of the best round, in microseconds a survey. */
function measure<Input>(inputs: readonly Input[], act: (input: Input) => number): number {
  let best = Number.POSITIVE_INFINITY;
  let sink = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const start = Bun.nanoseconds();
    let calls = 0;
    while (Bun.nanoseconds() - start < ROUND_MS * 1e6) {
      for (const input of inputs) sink += act(input);
      calls += inputs.length;
    }
    best = Math.min(best, (Bun.nanoseconds() - start) / calls);
  }
  if (sink === 0) throw new Error("Cannot measure: nothing was judged");
  return best / 1000;
}

const parts = {
  merge: measure(surveys, (survey) => mergeEvidence(survey).listings.length + 1),
  judge: measure(merged, (evidence) => score(evidence).purity + 1),
  speak: measure(assessed, (assessment) => localize(assessment, context).ip.length),
};
const whole = measure(surveys, (survey) => localize(assess(survey), context).ip.length);

for (const [part, us] of Object.entries(parts))
  console.log(`${part.padEnd(8)} ${us.toFixed(1).padStart(7)} us`);
console.log(
  `${"whole".padEnd(8)} ${whole.toFixed(1).padStart(7)} us (budget ${BUDGET_US} us, aim ${AIM_US} us)`,
);
if (whole > BUDGET_US) {
  console.error(`Cannot assess a full survey within ${BUDGET_US} us: ${whole.toFixed(1)} us`);
  process.exitCode = 1;
}
