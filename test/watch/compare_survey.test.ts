import { describe, expect, test } from "bun:test";
import type { Survey } from "#evidence";
import { assess } from "#lookup";
import { compareAssessments, compareSurvey, EMPTY_STATE, formatState, parseState } from "#watch";
import { listed, type ManifestId, makeSurvey, type Outcome } from "../scoring/surveys.ts";

const ADDRESS = "81.2.69.10";
const NET = { asn_table: { asn: { asn: 64500 } }, proxycheck: { usage: "residential" } } as const;

/** The changes that a row of surveys proves, one list for each. */
function follow(surveys: readonly Partial<Record<ManifestId, Outcome>>[]): readonly (readonly string[])[] {
  let state = EMPTY_STATE;
  return surveys.map((lines) => {
    const survey: Survey = makeSurvey(ADDRESS, { ...NET, ...lines });
    const compared = compareSurvey(state, survey);
    state = parseState(formatState(compared.state, survey));
    return compareAssessments(assess(compared.before), assess(compared.after)).flatMap(({ type, what }) =>
      type === "address.band_changed" ? [] : [`${type} ${what}`],
    );
  });
}

const ABUSE = { dronebl: listed("dronebl", "abuse") };

describe("compareSurvey()", () => {
  test("proves an answer that is repeated, once", () => {
    expect(follow([{}, ABUSE, ABUSE, ABUSE, {}, {}, {}])).toEqual([
      [],
      [],
      ["address.listed dronebl"],
      [],
      [],
      ["address.delisted dronebl"],
      [],
    ]);
  });

  test("proves nothing by the first answer of a source, by a failure, or by an answer that is not repeated", () => {
    const failed = { dronebl: "failed" } as const;
    expect(follow([failed, failed, ABUSE, ABUSE]).flat()).toEqual([]);
    expect(follow([ABUSE, failed, failed, ABUSE]).flat()).toEqual([]);
    expect(follow([{}, ABUSE, {}, ABUSE, {}]).flat()).toEqual([]);
    // A failure between two equal answers delays the change, and does not hide it.
    expect(follow([{}, ABUSE, failed, ABUSE, ABUSE])).toEqual([[], [], [], [], ["address.listed dronebl"]]);
  });

  test("proves nothing by an old list, by the list that ships, or by the way back to the current one", () => {
    const current = { netblock_feed: listed("netblock_feed", "severe") };
    const shipped = { netblock_feed: { snapshot: true, ageing: true } } as const;
    const refused = { netblock_feed: { updateRefused: true } } as const;
    expect(follow([current, shipped, shipped, refused, refused, current, current]).flat()).toEqual([]);
    expect(follow([shipped, shipped, current, current]).flat()).toEqual([]);
  });

  test("tells flags, type and country", () => {
    const moved = { usage: "hosting", flags: { isVpn: true }, geo: { country: "LT" } } as const;
    const before = { proxycheck: { usage: "residential", geo: { country: "DE" } } } as const;
    const after = { proxycheck: moved };
    expect(follow([before, after, after])[2]?.toSorted()).toEqual([
      "address.country_changed country",
      "address.flag_on isHosting",
      "address.flag_on isVpn",
      "address.type_changed usageType",
    ]);
  });

  test("begins anew with a state that cannot be read", () => {
    for (const text of ["", "[]", "{}", '[{"runs":[]},{}]', "["])
      expect(parseState(text)).toEqual(EMPTY_STATE);
  });
});

test("compareAssessments() tells a policy whose decision changes, and no band of low confidence", () => {
  const [before, after] = [{}, ABUSE].map((lines) => assess(makeSurvey(ADDRESS, { ...NET, ...lines })));
  if (before === undefined || after === undefined) return expect.unreachable();
  const policy = { min: before.purity, deny: [], allow: [] };
  const types = (...args: Parameters<typeof compareAssessments>) =>
    compareAssessments(...args).map(({ type }) => type);
  expect(types(before, after, policy)).toContain("address.policy_changed");
  expect(types(before, after)).not.toContain("address.policy_changed");
  const low = { ...after, band: "dangerous", confidence: "low" } as const;
  expect(types({ ...before, confidence: "high" }, low)).not.toContain("address.band_changed");
  expect(types({ ...before, confidence: "high" }, { ...low, confidence: "medium" })).toContain(
    "address.band_changed",
  );
});
