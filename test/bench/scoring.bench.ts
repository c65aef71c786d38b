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
import { createBudget, measureNs } from "./harness.ts";

/** Floors that a regression breaks even on a noisy machine, and aims. */
const BUDGET_US = 150;
const AIM_US = 100;
/** Many short rounds, so that at least one is free of other load. */
const EFFORT = { rounds: 150, roundMs: 12 };

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

/** Microseconds a survey. */
const measure = <Input>(inputs: readonly Input[], act: (input: Input) => number) =>
  measureNs(inputs, act, EFFORT) / 1000;

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
const budget = createBudget();
budget.check("a full survey (us)", whole, BUDGET_US);
budget.end();
