import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseSurvey } from "#evidence";
import { runs } from "../kit/runs.ts";
import { arbitrarySurvey } from "../scoring/arbitrary_survey.ts";
import { SURVEYS } from "../scoring/surveys.ts";

describe("parseSurvey()", () => {
  test("reads back every field of a survey", () => {
    fc.assert(
      fc.property(arbitrarySurvey, (survey) => {
        expect(parseSurvey(JSON.stringify(survey))).toEqual(survey);
      }),
      { numRuns: runs(1000) },
    );
    for (const survey of Object.values(SURVEYS)) expect(parseSurvey(JSON.stringify(survey))).toEqual(survey);
  });

  test.each([
    [""],
    ["null"],
    ["[]"],
    ["{}"],
    [JSON.stringify(SURVEYS.home).slice(0, -1)],
    [JSON.stringify({ ...SURVEYS.home, version: 5 })],
    [JSON.stringify({ ...SURVEYS.home, surveyedAt: "yesterday" })],
    [JSON.stringify({ ...SURVEYS.home, runs: {} })],
    [JSON.stringify(SURVEYS.home).replace('"isVpn":false', '"isVpn":"no"')],
  ])("refuses other JSON: %#", (json) => {
    expect(parseSurvey(json)).toBeUndefined();
  });

  test("drops keys such as __proto__", () => {
    const json = JSON.stringify({
      ...SURVEYS.home,
      runs: [{ ...SURVEYS.home.runs[0], state: "answered", observation: { abuse: { attacks: { ssh: 1 } } } }],
    }).replace('"ssh":1', '"__proto__":2,"ssh":1');
    const attacks = parseSurvey(json)?.runs[0]?.observation?.abuse?.attacks ?? {};
    expect(Object.keys(attacks)).toEqual(["ssh"]);
  });
});
