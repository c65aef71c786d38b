import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { mergeEvidence, type SourceRun, type Survey } from "#evidence";
import { CONFIDENCES } from "#report";
import {
  FACTOR_CATEGORIES,
  FACTOR_IDS,
  NOTE_IDS,
  purityOf,
  REASON_IDS,
  type Score,
  score,
  UNKNOWN_IDS,
  VERDICT_IDS,
} from "#scoring";
import {
  adverseObservation,
  arbitraryRun,
  arbitrarySurvey,
  clearingObservation,
} from "./arbitrary_survey.ts";

const RUNS = { numRuns: 10_000 };

function judge(survey: Survey): Score {
  return score(mergeEvidence(survey));
}

function withRun(survey: Survey, run: SourceRun): Survey {
  return { ...survey, runs: [...survey.runs, run] };
}

function fail(run: SourceRun): SourceRun {
  const { observation, skipped, ...rest } = run;
  return { ...rest, state: "failed", error: "timeout" };
}

describe("score()", () => {
  test("stays within bounds, and its factors add up to its purity", () => {
    fc.assert(
      fc.property(arbitrarySurvey, (survey) => {
        const { purity, factors } = judge(survey);
        expect(Number.isInteger(purity) && purity >= 0 && purity <= 100).toBe(true);
        // The reader's sum, written anew: nothing but what the report shows.
        let sum = 0;
        let floor = 0;
        for (const factor of factors) {
          expect(Number.isInteger(factor.points * 2)).toBe(true);
          sum += factor.points;
          floor = Math.max(floor, factor.floor ?? 0);
        }
        expect(purity).toBe(Math.round(100 - Math.max(Math.min(Math.max(sum, 0), 100), floor)));
        expect(purityOf(factors)).toBe(purity);
        expect(purity).toBeLessThanOrEqual(100 - floor);
      }),
      RUNS,
    );
  });

  test("speaks only in ids that have texts, each factor once", () => {
    fc.assert(
      fc.property(arbitrarySurvey, (survey) => {
        const { factors, scenarios, verdict, note, unknowns } = judge(survey);
        const ids = factors.map((factor) => factor.id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids.filter((id) => !(FACTOR_IDS as readonly string[]).includes(id))).toEqual([]);
        const categories = factors.map((factor) => factor.category);
        expect(categories.filter((it) => !(FACTOR_CATEGORIES as readonly string[]).includes(it))).toEqual([]);
        expect(VERDICT_IDS as readonly string[]).toContain(verdict.id);
        if (note !== undefined) expect(NOTE_IDS as readonly string[]).toContain(note.id);
        expect(unknowns.filter(({ id }) => !(UNKNOWN_IDS as readonly string[]).includes(id))).toEqual([]);
        for (const { score, level, reasons } of scenarios) {
          expect(score === null).toBe(level === "restricted" || level === "not_applicable");
          if (score !== null) expect(Number.isInteger(score) && score >= 0 && score <= 100).toBe(true);
          expect(reasons.length >= 1 && reasons.length <= 3).toBe(true);
          expect(reasons.filter(({ id }) => !(REASON_IDS as readonly string[]).includes(id))).toEqual([]);
        }
      }),
      RUNS,
    );
  });

  test("does not depend on the order in which sources answered", () => {
    fc.assert(
      fc.property(
        arbitrarySurvey.chain((survey) =>
          fc.tuple(
            fc.constant(survey),
            fc.shuffledSubarray([...survey.runs], {
              minLength: survey.runs.length,
              maxLength: survey.runs.length,
            }),
          ),
        ),
        ([survey, runs]) => {
          const evidence = mergeEvidence(survey);
          const shuffled = mergeEvidence({ ...survey, runs });
          expect(shuffled).toEqual(evidence);
          expect(score(shuffled)).toEqual(score(evidence));
        },
      ),
      RUNS,
    );
  });

  test("never rises when a source adds words that only speak against the address", () => {
    const adverse = arbitraryRun(
      "x1",
      adverseObservation.map((observation) => ({ state: "answered", observation })),
    );
    fc.assert(
      fc.property(arbitrarySurvey, adverse, (survey, run) => {
        expect(judge(withRun(survey, run)).purity).toBeLessThanOrEqual(judge(survey).purity);
      }),
      RUNS,
    );
  });

  test("never looks cleaner for a source that failed than for one that found nothing", () => {
    const clearing = arbitraryRun(
      "x1",
      clearingObservation.map((observation) => ({ state: "answered", observation })),
    );
    fc.assert(
      fc.property(arbitrarySurvey, clearing, (survey, run) => {
        const failed = judge(withRun(survey, fail(run)));
        const cleared = judge(withRun(survey, run));
        expect(failed.purity).toBeLessThanOrEqual(cleared.purity);
      }),
      RUNS,
    );
  });

  test("never grows more confident when a source fails, and says which", () => {
    const pick = arbitrarySurvey
      .filter((survey) => survey.runs.length > 0)
      .chain((survey) => fc.tuple(fc.constant(survey), fc.nat({ max: survey.runs.length - 1 })));
    fc.assert(
      fc.property(pick, ([survey, index]) => {
        const runs = survey.runs.map((run, at) =>
          at === index && run.state !== "skipped" ? fail(run) : run,
        );
        const before = judge(survey);
        const after = judge({ ...survey, runs });
        expect(CONFIDENCES.indexOf(after.confidence)).toBeLessThanOrEqual(
          CONFIDENCES.indexOf(before.confidence),
        );
        const unheard = runs.filter((run) => run.state === "failed").map((run) => run.name);
        const named = after.unknowns.find(({ id }) => id === "unheard_sources")?.data.sources ?? [];
        expect(unheard.filter((name) => !(named as readonly string[]).includes(name))).toEqual([]);
      }),
      RUNS,
    );
  });

  test("never raises a use for words against the address, hosting aside, which mail wants", () => {
    const adverse = adverseObservation.map(({ listings, usage, flags, ...rest }) => {
      const { isHosting, ...others } = flags ?? {};
      return { state: "answered" as const, observation: { ...rest, flags: others } };
    });
    fc.assert(
      fc.property(arbitrarySurvey, arbitraryRun("x1", adverse), (survey, run) => {
        // What a run makes heard may lift a bound set by silence; here only its words count.
        const silent = { ...run, matters: [], zone: undefined };
        const { zone, ...added } = silent;
        const before = judge(survey).scenarios;
        const after = judge(withRun(survey, added)).scenarios;
        after.forEach((scenario, at) => {
          expect(scenario.score ?? -1).toBeLessThanOrEqual(before[at]?.score ?? -1);
        });
      }),
      RUNS,
    );
  });

  test("says nothing excellent where neither anonymity nor lists were heard", () => {
    fc.assert(
      fc.property(arbitrarySurvey, (survey) => {
        const { heardMatters } = mergeEvidence(survey).coverage;
        if (heardMatters.includes("anonymity") || heardMatters.includes("lists")) return;
        for (const { score, level, reasons } of judge(survey).scenarios) {
          if (score === null) continue;
          expect(["fair", "poor", "unusable"]).toContain(level);
          expect(reasons.map(({ id }) => id)).toContain("thin_evidence");
        }
      }),
      RUNS,
    );
  });
});
