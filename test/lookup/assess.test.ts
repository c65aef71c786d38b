import { describe, expect, test } from "bun:test";
import type { Observation } from "#evidence";
import { assess } from "#lookup";
import { CLEAN, listed, makeSurvey } from "../scoring/surveys.ts";

const ADDRESS = "81.2.69.10";

function answerOf(observation: Observation) {
  const { sources } = assess(makeSurvey(ADDRESS, { proxycheck: observation }));
  return sources.find(({ id }) => id === "proxycheck")?.answer;
}

describe("the answer of a source", () => {
  test("has what the source states, and nothing else", () => {
    expect(answerOf({ flags: CLEAN, usage: "residential", geo: { country: "GB", city: "Leeds" } })).toEqual({
      usageType: "residential",
      country: "GB",
      flags: CLEAN,
    });
    expect(answerOf({ usage: "unknown", abuse: { score: 4 } })).toBeUndefined();
  });

  test("has the flag of a listing that names an exit, and the mark of one that accuses", () => {
    const survey = makeSurvey(ADDRESS, {
      dronebl: listed("dronebl", "proxy"),
      psbl: listed("psbl", "abuse"),
      spamhaus_dqs: listed("spamhaus_dqs", "policy"),
    });
    const answers = new Map(assess(survey).sources.map(({ id, answer }) => [id, answer]));
    expect(answers.get("dronebl")).toEqual({ flags: { isProxy: true } });
    expect(answers.get("psbl")).toEqual({ listed: true });
    expect(answers.get("spamhaus_dqs")).toBeUndefined();
  });

  test("is absent when the source failed or has no record", () => {
    for (const outcome of ["failed", "empty"] as const) {
      const { sources } = assess(makeSurvey(ADDRESS, { proxycheck: outcome }));
      expect(sources.find(({ id }) => id === "proxycheck")?.answer).toBeUndefined();
    }
  });
});

describe("a listing that names an exit and no abuse", () => {
  const { listings, factors } = assess(
    makeSurvey(ADDRESS, {
      tor_dnsel: { flags: { isTor: true }, authority: ["isTor"] },
      dronebl: listed("dronebl", "tor"),
      psbl: listed("psbl", "abuse"),
      spamcop: listed("spamcop", "abuse", "tor"),
    }),
  );

  test("says where it is counted", () => {
    const counted = listings.filter(({ countedAs }) => countedAs !== undefined);
    expect(counted.map(({ zone, countedAs }) => [zone, countedAs])).toEqual([["dronebl", "tor"]]);
  });

  test("is named by the factor of the blocklists, which counts the others", () => {
    const factor = factors.find(({ id }) => id === "blocklists");
    expect(factor?.data).toMatchObject({ listed: 2, lists: ["psbl", "spamcop"], elsewhere: ["dronebl"] });
  });
});
