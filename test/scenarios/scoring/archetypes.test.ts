import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type Evidence, mergeEvidence } from "#evidence";
import { FLAGS } from "#report";
import { type Score, score } from "#scoring";
import { matchGolden } from "../../kit/golden.ts";
import { ARCHETYPES, type ArchetypeId, TITLES } from "../../scoring/archetypes.ts";

const GOLDEN = "test/fixtures/golden/archetypes";
const NAMES = Object.keys(ARCHETYPES) as ArchetypeId[];

describe("score() of each archetype", () => {
  for (const name of NAMES) {
    test(TITLES[name], () => {
      const evidence = mergeEvidence(ARCHETYPES[name]);
      const summary = summarise(evidence, score(evidence));
      matchGolden(`${GOLDEN}/${name}.json`, `${JSON.stringify(summary, null, 2)}\n`);
    });
  }

  test("is recorded for every archetype", () => {
    const known = readdirSync(join(import.meta.dir, "../../..", GOLDEN));
    expect(known.toSorted()).toEqual(NAMES.map((name) => `${name}.json`).toSorted());
  });
});

/** Summarises a score in a few lines that people can review. */
function summarise(evidence: Evidence, score: Score) {
  const flags = FLAGS.filter((flag) => evidence.flags[flag].value);
  return {
    conclusion: `${score.purity} ${score.band}, confidence ${score.confidence}, verdict ${score.verdict.id}`,
    network: `${evidence.usage.type}, ${evidence.native.type}`,
    flags: flags.map((flag) => `${flag} ${evidence.flags[flag].agreement}`).join(", "),
    breakdown: score.factors
      .map(({ id, points, floor }) => `${id} ${points}${floor === undefined ? "" : ` floor ${floor}`}`)
      .join(", "),
    scenarios: score.scenarios.map(
      ({ id, score: points, level, reasons }) =>
        `${id} ${points ?? "-"} ${level}: ${reasons.map((reason) => reason.id).join(", ")}`,
    ),
    hasUnanswered: score.unknowns.some((unknown) => unknown.id === "unheard_sources"),
  };
}
