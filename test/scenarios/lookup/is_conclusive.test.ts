import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { mergeEvidence } from "#evidence";
import { isConclusive } from "#lookup";
import CONCLUSIVE from "../../fixtures/evidence/conclusive.json";
import { completeRun, type PartialRun } from "../../scoring/surveys.ts";

const complete = (run: PartialRun) => completeRun({ matters: ["anonymity"], state: "answered", ...run });

function isConclusiveAfter(runs: readonly PartialRun[], address = "81.2.69.10"): boolean {
  return isConclusive(
    mergeEvidence({ address, version: 4, surveyedAt: "2026-11-01T12:00:00.000Z", runs: runs.map(complete) }),
  );
}

/** Two sources report a household line, and one of them checks for VPNs; ten sources in all. */
const HOUSEHOLD: readonly PartialRun[] = [
  { id: "a", observation: { usage: "residential", flags: { isVpn: false } } },
  { id: "b", observation: { usage: "residential" } },
  ...Array.from({ length: 8 }, (_, n) => ({
    id: `list_${n}`,
    observation: { listings: [] },
    matters: ["lists" as const],
  })),
];

/** Runs by what they are; "household" stands for those of {@link HOUSEHOLD}. */
type Cases = Readonly<Record<string, readonly (PartialRun | "household")[]>>;
const { settled, open } = CONCLUSIVE as object as { readonly settled: Cases; readonly open: Cases };
const runsOf = (runs: Cases[string]) => runs.flatMap((run) => (run === "household" ? HOUSEHOLD : run));

describe("isConclusive()", () => {
  test("holds for special-purpose space", () => {
    expect(isConclusiveAfter([], "192.168.1.1")).toBe(true);
  });

  test.each(Object.entries(settled))("holds for %s", (_, runs) => {
    expect(isConclusiveAfter(runsOf(runs))).toBe(true);
  });

  test.each(Object.entries(open))("does not hold for %s", (_, runs) => {
    expect(isConclusiveAfter(runsOf(runs))).toBe(false);
  });

  test("a failure instead of an answer never settles an ordinary line", () => {
    fc.assert(
      fc.property(fc.subarray(HOUSEHOLD.map((run) => run.id)), (lost) => {
        const runs = HOUSEHOLD.map((run) =>
          lost.includes(run.id)
            ? {
                id: run.id,
                state: "failed" as const,
                error: "timeout" as const,
                ...(run.matters === undefined ? {} : { matters: run.matters }),
              }
            : run,
        );
        expect(isConclusiveAfter(runs)).toBe(
          lost.length === 0 || (lost.length === 1 && !["a", "b"].includes(lost[0] ?? "")),
        );
      }),
    );
  });
});
