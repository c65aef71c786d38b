import { describe, expect, test } from "bun:test";
import type { Assessment } from "#report";
import { type AppOptions, answered, answerOf, openApp } from "../kit/open_app.ts";

type Scenarios = Assessment["scenarios"];
const NOT_APPLICABLE: Scenarios = [{ id: "ai", score: null, level: "not_applicable", reasons: [] }];
const RESTRICTED: Scenarios = [{ id: "ai", score: null, level: "restricted", reasons: [] }];

const THIN: Scenarios = [
  { id: "ai", score: 69, level: "fair", reasons: [{ id: "thin_evidence", data: {} }] },
];
const PULL = { without: 90, kind: "anonymity", obtained: 12 };
const PULLED: Partial<Assessment> = {
  purity: 60,
  factors: [{ id: "not_obtained", category: "coverage", points: 30, data: PULL }],
};

/** An app whose report on every address is that of the tests, changed. */
function openWith(change: Partial<Assessment>, liveAnswers = 3, options: AppOptions = {}) {
  return openApp({
    ...options,
    lookup: async ({ address }) => answered(answerOf(address, change, { liveAnswers })),
  });
}

describe("/gate", () => {
  test.each<[query: string, change: Partial<Assessment>, heard: number, expected: string]>([
    ["", {}, 3, "200 PASS 85"],
    ["?min=85", {}, 3, "200 PASS 85"],
    ["?min=86", {}, 3, "409 FAIL 85"],
    ["?min=86&status=200", {}, 3, "200 FAIL 85"],
    ["?scenario=ai", {}, 3, "200 PASS 70"],
    ["?scenario=ai&min=71", {}, 3, "409 FAIL 70"],
    ["?scenario=email", {}, 3, "503 UNKNOWN"],
    ["?scenario=ai", { scenarios: RESTRICTED }, 3, "409 FAIL restricted"],
    // Public infrastructure, crawlers and special-purpose addresses have no score.
    ["", { purity: 100, scenarios: NOT_APPLICABLE }, 3, "503 UNKNOWN"],
    ["?min=0", { purity: 100, scenarios: NOT_APPLICABLE }, 3, "503 UNKNOWN"],
    // Only the pull towards neutral puts the purity below the minimum.
    ["", PULLED, 3, "503 UNKNOWN"],
    ["", PULLED, 0, "503 UNKNOWN 30"],
    ["?min=60", PULLED, 3, "200 PASS 60"],
    ["?min=91", PULLED, 3, "409 FAIL 60"],
    ["?scenario=ai", { scenarios: THIN }, 3, "503 UNKNOWN"],
    // No live source answered.
    ["", {}, 0, "503 UNKNOWN 30"],
    ["?min=90", {}, 0, "409 FAIL 85"],
    ["?scenario=ai", { scenarios: RESTRICTED }, 0, "503 UNKNOWN 30"],
    ["?status=200", {}, 0, "200 UNKNOWN 30"],
    ["", { purity: 49 }, 0, "409 FAIL 49"],
    ["?min=40", { purity: 49 }, 0, "503 UNKNOWN 30"],
  ])("%s of %j with %d live answers: %s", async (query, change, heard, expected) => {
    const response = await openWith(change, heard).ask(`/gate/198.51.100.7${query}`);
    const retry = response.headers.get("retry-after");
    const text = (await response.text()).trimEnd();
    expect([response.status, text, ...(retry === null ? [] : [retry])].join(" ")).toBe(expected);
  });

  test("trusts the tables if the service queries no live source", async () => {
    const response = await openWith({}, 0, { live: false }).ask("/gate/198.51.100.7");
    expect(await response.text()).toBe("PASS 85\n");
  });
});
