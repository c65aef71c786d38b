import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type Evidence, mergeEvidence } from "#evidence";
import { FLAGS } from "#report";
import { type Score, score } from "#scoring";
import { ARCHETYPES, type ArchetypeId, TITLES } from "../../scoring/archetypes.ts";

const GOLDEN = join(import.meta.dir, "../../fixtures/golden/archetypes");
const NAMES = Object.keys(ARCHETYPES) as ArchetypeId[];

describe("score() of each archetype (UPDATE_GOLDEN=1 writes the golden files)", () => {
  for (const name of NAMES) {
    test(TITLES[name], async () => {
      const evidence = mergeEvidence(ARCHETYPES[name]);
      const summary = summarise(evidence, score(evidence));
      const file = join(GOLDEN, `${name}.json`);
      if (process.env.UPDATE_GOLDEN === "1") await Bun.write(file, `${JSON.stringify(summary, null, 2)}\n`);
      expect(summary).toEqual(await Bun.file(file).json());
    });
  }

  test("is recorded for every archetype", () => {
    const known = existsSync(GOLDEN) ? readdirSync(GOLDEN) : [];
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
