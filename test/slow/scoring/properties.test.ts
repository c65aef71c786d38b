import { beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseAddress } from "#address";
import { type Evidence, mergeEvidence, parseSurvey, type SourceRun, type Survey } from "#evidence";
import { localize } from "#locale";
import { assess } from "#lookup";
import { type Assessment, CONFIDENCES, type Factor, USAGE_TYPES } from "#report";
import {
  computePurity,
  FACTOR_CATEGORIES,
  FACTOR_IDS,
  NOTE_IDS,
  REASON_IDS,
  type Score,
  score,
  UNKNOWN_IDS,
  VERDICT_IDS,
  WEIGHTS,
} from "#scoring";
import { findRangeKind } from "../../../src/scoring/confidence.ts";
import {
  adverseObservation,
  arbitraryRun,
  arbitrarySurvey,
  clearingObservation,
} from "../../scoring/arbitrary_survey.ts";

const CASES = 10_000;
/** One sample for all properties: making surveys takes more time than judging them. */
const SEED = Date.now() % 2 ** 31;

interface Case {
  readonly survey: Survey;
  readonly evidence: Evidence;
  readonly judged: Score;
  readonly assessment: Assessment;
}

let cases: readonly Case[] = [];

beforeAll(() => {
  cases = sample(arbitrarySurvey, SEED).map((survey) => {
    const evidence = mergeEvidence(survey);
    return { survey, evidence, judged: score(evidence), assessment: assess(survey) };
  });
}, 60_000);

function sample<Value>(arbitrary: fc.Arbitrary<Value>, seed = SEED + 1): readonly Value[] {
  return fc.sample(arbitrary, { numRuns: CASES, seed });
}

function judge(survey: Survey): Score {
  return score(mergeEvidence(survey));
}

/** Checks every case. `statement` returns what is wrong, and the error names the first wrong case. */
function every(statement: (one: Case, index: number) => unknown): void {
  for (const [index, one] of cases.entries()) {
    const wrong = statement(one, index);
    if (wrong === undefined || wrong === false) continue;
    throw new Error(
      `Case ${index} of seed ${SEED}: ${JSON.stringify(wrong)} in ${JSON.stringify(one.survey)}`,
    );
  }
  expect(cases.length).toBe(CASES);
}

/** The same with one more run beside each case. */
function everyWith(run: fc.Arbitrary<SourceRun>, statement: (one: Case, run: SourceRun) => unknown): void {
  const runs = sample(run);
  every((one, index) => {
    const added = runs[index];
    if (added === undefined) return "no run";
    const wrong = statement(one, added);
    return wrong === undefined || wrong === false ? undefined : { wrong, added };
  });
}

function withRun(survey: Survey, run: SourceRun): Survey {
  return { ...survey, runs: [...survey.runs, run] };
}

function fail(run: SourceRun): SourceRun {
  const { observation, skipped, ...rest } = run;
  return { ...rest, state: "failed", error: "timeout" };
}

function saying(observations: typeof adverseObservation): fc.Arbitrary<SourceRun> {
  return arbitraryRun(
    "x1",
    observations.map((observation) => ({ state: "answered" as const, observation })),
  );
}

function strangers(ids: readonly string[], known: readonly string[]): readonly string[] | undefined {
  const strange = ids.filter((id) => !known.includes(id));
  return strange.length === 0 ? undefined : strange;
}

/** The factors of what sources said, without the one for what was not obtained. */
function listFindings({ factors }: { readonly factors: readonly Factor[] }): readonly Factor[] {
  return factors.filter(({ id }) => id !== "not_obtained");
}

/** The sum as a reader of the report computes it, with nothing but the factors shown. */
function addUp(factors: readonly Factor[]): number {
  let sum = 0;
  let floor = 0;
  for (const factor of factors) {
    sum += factor.points;
    floor = Math.max(floor, factor.floor ?? 0);
  }
  return Math.round(100 - Math.max(Math.min(Math.max(sum, 0), 100), floor));
}

describe("score()", () => {
  test("stays within 0 and 100, and its factors add up to its purity", () => {
    every(({ judged: { purity, factors } }) => {
      const isWhole = Number.isInteger(purity) && purity >= 0 && purity <= 100;
      const isHalves = factors.every((factor) => Number.isInteger(factor.points * 2));
      return !isWhole || !isHalves || purity !== addUp(factors) || purity !== computePurity(factors)
        ? { purity, factors }
        : undefined;
    });
  });

  test("is at most 69 and neutral when nothing was obtained, and never pristine below 60 % of coverage", () => {
    every(({ survey, evidence }) => {
      const nothing = judge({ ...survey, runs: survey.runs.map(fail) });
      if (evidence.special === undefined && nothing.purity > 69) return nothing.purity;
      const { purity, coverage, band } = judge(survey);
      const least = Math.min(coverage.total, coverage.anonymity, coverage.lists);
      return least < 0.6 && band === "pristine" && { purity, coverage };
    });
  });

  test("never goes below a floor of risk", () => {
    every(({ judged: { purity, factors } }) => factors.some((factor) => purity > 100 - (factor.floor ?? 0)));
  });

  test("never deducts more than the cap of a category, and shows what the cap gives back", () => {
    const caps = { anonymity: "anonymity_cap", network: "network_cap", lists: "lists_cap" } as const;
    const more = { abuse: "abuse_cap", exposure: "exposure_cap" } as const;
    every(({ judged: { factors } }) => {
      for (const [category, id] of Object.entries({ ...caps, ...more })) {
        const charged = factors
          .filter((factor) => factor.category === category)
          .reduce((sum, factor) => sum + factor.points, 0);
        const over = Math.max(0, charged - WEIGHTS[id].cap);
        const back = factors.find((factor) => factor.id === id)?.points ?? 0;
        if (back !== -over && !(back === 0 && over === 0)) return { category, charged, back };
      }
      return undefined;
    });
  });

  test("uses only ids that have texts, each factor once, and each reason of a use once", () => {
    every(({ judged: { factors, scenarios, verdict, note, unknowns } }) => {
      const ids = factors.map((factor) => factor.id);
      if (new Set(ids).size !== ids.length) return { twice: ids };
      for (const { score, level, reasons } of scenarios) {
        const isScored = level !== "restricted" && level !== "not_applicable";
        if ((score === null) === isScored) return { level, score };
        if (score !== null && !(Number.isInteger(score) && score >= 0 && score <= 100)) return { score };
        const found = new Set(reasons.map((reason) => reason.id));
        if (found.size < 1 || found.size !== reasons.length) return { reasons };
      }
      return (
        strangers(ids, FACTOR_IDS) ??
        strangers(
          factors.map((factor) => factor.category),
          FACTOR_CATEGORIES,
        ) ??
        strangers([verdict.id], VERDICT_IDS) ??
        strangers(note === undefined ? [] : [note.id], NOTE_IDS) ??
        strangers(
          unknowns.map((unknown) => unknown.id),
          UNKNOWN_IDS,
        ) ??
        strangers(
          scenarios.flatMap((scenario) => scenario.reasons.map((reason) => reason.id)),
          REASON_IDS,
        )
      );
    });
  });

  test("does not depend on the order in which sources answered", () => {
    const rotate = sample(fc.nat({ max: 6 }));
    every(({ survey, evidence, judged }, index) => {
      const by = rotate[index] ?? 0;
      const runs = [...survey.runs.slice(by), ...survey.runs.slice(0, by)].reverse();
      const shuffled = mergeEvidence({ ...survey, runs });
      if (!Bun.deepEquals(shuffled, evidence)) return { shuffled };
      return !Bun.deepEquals(score(shuffled), judged);
    });
  });

  test("never rises when a source adds evidence against the address, at equal coverage", () => {
    everyWith(saying(adverseObservation), ({ survey }, run) => {
      const { observation, ...silent } = run;
      const before = judge(withRun(survey, { ...silent, state: "empty" })).purity;
      const after = judge(withRun(survey, run)).purity;
      return after > before && { before, after };
    });
  });

  test("gives no points for a source that failed, and never a higher purity than the same source without a finding", () => {
    everyWith(saying(clearingObservation), ({ survey, judged }, run) => {
      const failed = judge(withRun(survey, fail(run)));
      if (!Bun.deepEquals(listFindings(failed), listFindings(judged))) return { factors: failed.factors };
      const cleared = judge(withRun(survey, run));
      const least = Math.min(judged.purity, cleared.purity);
      return failed.purity > least && { failed: failed.purity, least };
    });
  });

  test("never gets more confident when a source fails, and names the source", () => {
    const picks = sample(fc.nat({ max: 6 }));
    every(({ survey, judged }, index) => {
      const at = (picks[index] ?? 0) % Math.max(1, survey.runs.length);
      const runs = survey.runs.map((run, place) =>
        place === at && run.state !== "skipped" ? fail(run) : run,
      );
      const after = judge({ ...survey, runs });
      if (CONFIDENCES.indexOf(after.confidence) > CONFIDENCES.indexOf(judged.confidence))
        return { before: judged.confidence, after: after.confidence };
      const unheard = runs.filter((run) => run.state === "failed").map((run) => run.name);
      const named = after.unknowns.find(({ id }) => id === "unheard_sources")?.data.sources ?? [];
      return unheard.some((name) => !(named as readonly string[]).includes(name));
    });
  });

  test("keeps the purity inside the range, and closes the range when everything was heard", () => {
    every(({ evidence, judged: { purity, range, coverage } }) => {
      const { low, high } = range;
      if (!(low >= 0 && low <= purity && purity <= high && high <= 100)) return { low, purity, high };
      const isAll = Object.values(coverage).every((share) => share === 1);
      return (isAll || evidence.special !== undefined) && low !== high && { low, high };
    });
  });

  test("never widens the range when more is heard", () => {
    everyWith(saying(adverseObservation), ({ survey }, run) => {
      const before = mergeEvidence(withRun(survey, fail(run)));
      const { observation, ...silent } = run;
      for (const heard of [run, { ...silent, state: "empty" as const }]) {
        const after = mergeEvidence(withRun(survey, heard));
        // A source that tells another kind of address changes what the range is about.
        const [first, then] = [findRangeKind(before), findRangeKind(after)];
        const isNetwork = (USAGE_TYPES as readonly string[]).includes(then);
        if (then !== first && !(first === "unknown" && isNetwork)) continue;
        const [wide, narrow] = [score(before).range, score(after).range];
        if (narrow.high - narrow.low > wide.high - wide.low) return { heard: heard.state, wide, narrow };
      }
      return undefined;
    });
  });

  test("never gets more confident when data gets old, and deducts nothing for it", () => {
    every(({ survey, judged }) => {
      const runs = survey.runs.map((run) =>
        run.observation === undefined
          ? run
          : { ...run, observation: { ...run.observation, ageing: true as const } },
      );
      const aged = judge({ ...survey, runs });
      return (
        CONFIDENCES.indexOf(aged.confidence) > CONFIDENCES.indexOf(judged.confidence) ||
        aged.purity > judged.purity ||
        !Bun.deepEquals(listFindings(aged), listFindings(judged))
      );
    });
  });

  test("says in the verdict why confidence is low", () => {
    every(({ evidence, judged }) => {
      const { thin } = judged.verdict.data;
      const isThin = evidence.special === undefined && judged.confidence === "low";
      return isThin !== (thin !== undefined);
    });
  });

  test("never raises a use case for evidence against the address, except hosting, which is normal for mail", () => {
    const adverse = adverseObservation.map(({ listings, usage, flags, ...rest }) => {
      const { isHosting, ...others } = flags ?? {};
      return { ...rest, flags: others };
    });
    everyWith(saying(adverse), ({ survey, judged }, run) => {
      // An answer can lift the limit of a score without answers. Here only the evidence itself counts.
      const { zone, ...words } = { ...run, matters: [] };
      const after = judge(withRun(survey, words)).scenarios;
      return after.some((scenario, at) => (scenario.score ?? -1) > (judged.scenarios[at]?.score ?? -1));
    });
  });

  test("gives no good score without answers on anonymity or lists", () => {
    every(({ evidence, judged }) => {
      const { answeredCategories } = evidence.coverage;
      if (answeredCategories.includes("anonymity") || answeredCategories.includes("lists")) return undefined;
      return judged.scenarios.some(
        ({ score, level, reasons }) =>
          score !== null &&
          (level === "excellent" || level === "good" || !reasons.some(({ id }) => id === "thin_evidence")),
      );
    });
  });
});

describe("assess()", () => {
  test("gives the same for a stored survey as for a fresh one", () => {
    every(({ survey, assessment }) => {
      const stored = parseSurvey(JSON.stringify(survey));
      return stored === undefined || !Bun.deepEquals(assess(stored), assessment);
    });
  });

  test("treats a mapped IPv4 address as the IPv4 address", () => {
    every(({ survey, assessment }) => {
      const mapped = parseAddress(`::ffff:${survey.address}`);
      if (mapped?.version !== 4) return { mapped };
      return mapped.text !== assessment.address;
    });
  });

  test("is localized with the same data in both languages, without untranslated ids", () => {
    every(({ assessment }) => {
      const context = { tier: "fresh", stale: false, reportUrl: "https://limpid.example/ip/x" } as const;
      const zh = localize(assessment, { ...context, language: "zh" });
      const en = localize(assessment, { ...context, language: "en" });
      if (en.untranslated?.length !== 0) return { untranslated: en.untranslated };
      return !Bun.deepEquals(strip(zh), strip(en)) && { zh: strip(zh), en: strip(en) };
    });
  });
});

/** Removes every sentence and name, so that only data is left. */
function strip(report: ReturnType<typeof localize>) {
  const { risk, scenarios, unknowns, sources, geo, scenarioNote, nativeReason, lang, untranslated, ...rest } =
    report;
  return {
    ...rest,
    hasReason: nativeReason !== undefined,
    claims: geo?.claims?.map(({ country, sources }) => ({ country, sources })),
    hasNote: scenarioNote !== undefined,
    country: geo?.country,
    risk: {
      purity: risk.purity,
      level: risk.level,
      confidence: risk.confidence,
      coverage: risk.coverage,
      range: risk.range,
      factors: risk.factors.map(({ label, detail, reporters, ...facts }) => [facts, reporters?.length]),
    },
    scenarios: scenarios.map(({ id, score, level }) => ({ id, score, level })),
    unknowns: unknowns.map(({ id }) => id),
    sources: sources.map(({ name, ok, ms }) => ({ name, ok, ms })),
  };
}
