import { expect, test } from "bun:test";
import fc from "fast-check";
import { SCENARIO_LEVELS } from "#report";
import { judge } from "../../../src/http/routes/gate.ts";
import { assessmentOf, NO_VOTES } from "../kit/open_app.ts";

const score = fc.integer({ min: 0, max: 100 });

test("judge() returns PASS only with a live source, a known score and enough points", () => {
  fc.assert(
    fc.property(
      fc.record({
        purity: score,
        use: fc.option(score),
        level: fc.constantFrom(...SCENARIO_LEVELS),
        min: score,
        asksUse: fc.boolean(),
        isBogon: fc.boolean(),
        heard: fc.nat(3),
        live: fc.boolean(),
      }),
      ({ purity, use, level, min, asksUse, isBogon, heard, live }) => {
        const known = assessmentOf("198.51.100.7");
        const assessment = {
          ...known,
          purity,
          flags: { ...known.flags, isBogon },
          scenarios: [{ id: "ai" as const, score: use, level, reasons: [] }],
        };
        const answer = { tier: "store" as const, stale: false, assessment, votes: NO_VOTES, heard };
        const { outcome, line, isUnanswered } = judge(
          answer,
          { min, ...(asksUse ? { scenario: "ai" as const } : {}) },
          live,
        );
        const deciding = asksUse ? use : purity;
        const isJudged = !isBogon && (heard > 0 || !live);
        const barred = asksUse && (level === "restricted" || level === "not_applicable" || use === null);
        expect(outcome === "PASS").toBe(isJudged && !barred && (deciding ?? -1) >= min);
        expect(outcome === "UNKNOWN").toBe(!isJudged || (barred && level !== "restricted"));
        expect(isUnanswered).toBe(!isBogon && live && heard === 0);
        expect(line).toMatch(/^(?:PASS \d+|FAIL (?:\d+|restricted)|UNKNOWN)$/);
      },
    ),
  );
});
