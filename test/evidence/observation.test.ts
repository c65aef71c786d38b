import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseSurvey } from "#evidence";
import { runs } from "../kit/runs.ts";
import { arbitrarySurvey } from "../scoring/arbitrary_survey.ts";
import { ARCHETYPES } from "../scoring/archetypes.ts";

describe("parseSurvey()", () => {
  test("reads back every field of a survey", () => {
    fc.assert(
      fc.property(arbitrarySurvey, (survey) => {
        expect(parseSurvey(JSON.stringify(survey))).toEqual(survey);
      }),
      { numRuns: runs(1000) },
    );
    for (const survey of Object.values(ARCHETYPES))
      expect(parseSurvey(JSON.stringify(survey))).toEqual(survey);
  });

  test.each([
    [""],
    ["null"],
    ["[]"],
    ["{}"],
    [JSON.stringify(ARCHETYPES.home).slice(0, -1)],
    [JSON.stringify({ ...ARCHETYPES.home, version: 5 })],
    [JSON.stringify({ ...ARCHETYPES.home, surveyedAt: "yesterday" })],
    [JSON.stringify({ ...ARCHETYPES.home, runs: {} })],
    [JSON.stringify(ARCHETYPES.home).replace('"isVpn":false', '"isVpn":"no"')],
  ])("refuses other JSON: %#", (json) => {
    expect(parseSurvey(json)).toBeUndefined();
  });

  test("drops keys such as __proto__", () => {
    const json = JSON.stringify({
      ...ARCHETYPES.home,
      runs: [
        { ...ARCHETYPES.home.runs[0], state: "answered", observation: { abuse: { attacks: { ssh: 1 } } } },
      ],
    }).replace('"ssh":1', '"__proto__":2,"ssh":1');
    const attacks = parseSurvey(json)?.runs[0]?.observation?.abuse?.attacks ?? {};
    expect(Object.keys(attacks)).toEqual(["ssh"]);
  });
});
