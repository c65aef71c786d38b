import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  type Assessment,
  decide,
  judgeVisitor,
  POLICY_FLAGS,
  POLICY_WORDS,
  readPolicyFacts,
  SCENARIO_LEVELS,
  USAGE_TYPES,
  wordsOf,
} from "#report";
import { assessmentOf } from "../http/kit/open_app.ts";

const word = fc.constantFrom(...POLICY_WORDS);
const score = fc.integer({ min: 0, max: 100 });

const visitor = fc.record({
  purity: score,
  raised: fc.uniqueArray(word),
  usage: fc.constantFrom(...USAGE_TYPES),
});

const policy = fc
  .record({
    min: fc.option(score, { nil: undefined }),
    deny: fc.uniqueArray(word),
    allow: fc.uniqueArray(word),
    unknown: fc.constantFrom("allow" as const, "deny" as const),
  })
  .map(({ min, allow, ...rest }) => ({
    ...rest,
    allow: allow.filter((one) => !rest.deny.includes(one)),
    ...(min === undefined ? {} : { min }),
  }));

function assess({ purity, raised, usage }: { purity: number; raised: string[]; usage: Assessment["usage"] }) {
  const flags = Object.fromEntries(
    Object.entries(POLICY_FLAGS).map(([name, flag]) => [flag, raised.includes(name)]),
  ) as Assessment["flags"];
  const assessment = { ...assessmentOf("198.51.100.7"), purity, usage, flags };
  return { ...assessment, ...readPolicyFacts(assessment) };
}

describe("judgeVisitor()", () => {
  test("never lets a denied kind pass, except an allowed crawler", () => {
    fc.assert(
      fc.property(visitor, policy, fc.boolean(), (made, asked, isProven) => {
        const assessment = assess(made);
        const { isAllowed } = judgeVisitor({ assessment, isProven }, asked);
        const words = wordsOf(assessment);
        const isCrawler = words.includes("crawler") && asked.allow.includes("crawler");
        if (isCrawler) expect(isAllowed).toBe(true);
        else if (words.some((one) => asked.deny.includes(one))) expect(isAllowed).toBe(false);
      }),
    );
  });

  test("passes a visitor without proof only as `unknown` says, or if the policy asks nothing", () => {
    fc.assert(
      fc.property(fc.option(visitor), policy, (made, asked) => {
        const known = made === null ? undefined : { assessment: assess(made), isProven: false };
        const { isAllowed, verdict } = judgeVisitor(known, asked);
        const words = known === undefined ? [] : wordsOf(known.assessment);
        const asksNothing = asked.min === undefined && asked.deny.length === 0;
        const isExempt = words.some((one) => asked.allow.includes(one));
        if (verdict === "pass") expect(asksNothing || isExempt).toBe(true);
        if (verdict === "unknown") expect(isAllowed).toBe(asked.unknown === "allow");
      }),
    );
  });

  test("compares the purity of a proven address with `min`, unless its kind is allowed", () => {
    fc.assert(
      fc.property(visitor, policy, (made, asked) => {
        const assessment = assess(made);
        const words = wordsOf(assessment);
        fc.pre(!words.includes("bogon") && !words.some((one) => asked.deny.includes(one)));
        const { isAllowed, verdict } = judgeVisitor({ assessment, isProven: true }, asked);
        const isExempt = words.some((one) => asked.allow.includes(one));
        expect(isAllowed).toBe(isExempt || asked.min === undefined || made.purity >= asked.min);
        expect(verdict).toBe(isAllowed ? "pass" : "deny min");
      }),
    );
  });

  test("knows the servers of a CDN, and addresses on which many devices were observed", () => {
    const plain = assess({ purity: 80, raised: ["hosting"], usage: "hosting" });
    expect(wordsOf(plain)).toEqual(["hosting"]);
    const wordsWith = (change: Partial<Assessment>) =>
      wordsOf({ ...plain, ...readPolicyFacts({ ...plain, ...change }) });
    expect(wordsWith({ asn: { asn: 64500, kind: "cdn" } })).toEqual(["hosting", "cdn"]);
    expect(wordsWith({ asn: { asn: 64500, kind: "hosting" } })).toEqual(["hosting"]);
    const factors = [{ id: "shared_address", category: "sharing", points: 6, data: { address: 2000 } }];
    expect(wordsWith({ factors })).toEqual(["hosting", "shared"]);
  });

  test("knows nothing of the purity of a special-purpose address", () => {
    const assessment = assess({ purity: 50, raised: ["bogon"], usage: "unknown" });
    const judged = judgeVisitor(
      { assessment, isProven: true },
      { min: 100, deny: [], allow: [], unknown: "allow" },
    );
    expect(judged).toEqual({ isAllowed: true, verdict: "unknown" });
  });
});

describe("decide()", () => {
  test("names the strongest of the denied kinds", () => {
    const exit = assess({ purity: 20, raised: ["proxy", "vpn", "tor", "hosting"], usage: "hosting" });
    const failedBy = (...deny: (typeof POLICY_WORDS)[number][]) => {
      const decision = decide({ assessment: exit, isProven: true }, { deny, allow: [] });
      return decision.outcome === "FAIL" ? decision.because : decision.outcome;
    };
    expect(failedBy("proxy", "vpn", "tor")).toBe("tor");
    expect(failedBy("hosting", "vpn", "proxy")).toBe("proxy");
    expect(failedBy("hosting")).toBe("hosting");
  });

  test("fails a score by what is known alone, passes it with proof alone, and knows nothing else", () => {
    fc.assert(
      fc.property(
        fc.record({
          purity: score,
          accused: score,
          use: fc.option(score),
          level: fc.constantFrom(...SCENARIO_LEVELS),
          isThin: fc.boolean(),
          min: score,
          asksUse: fc.boolean(),
          isBogon: fc.boolean(),
          isProven: fc.boolean(),
        }),
        ({ purity, accused: least, use, level, isThin, min, asksUse, isBogon, isProven }) => {
          // Missing evidence only lowers a purity.
          const accused = Math.max(least, purity);
          const made = assess({ purity, raised: isBogon ? ["bogon"] : [], usage: "residential" });
          const reasons = isThin ? [{ id: "thin_evidence" }] : [];
          const assessment = {
            ...made,
            accused,
            scenarios: [{ id: "ai" as const, score: use, level, reasons }],
          };
          const asked = { min, deny: [], allow: [], ...(asksUse ? { scenario: "ai" as const } : {}) };
          const { outcome } = decide({ assessment, isProven }, asked);
          const hasNone = isBogon || level === "not_applicable";
          const compared = asksUse ? use : purity;
          const isBelow = asksUse ? !isThin || (use ?? 0) < 50 : accused < min;
          if (hasNone) expect(outcome).toBe("UNKNOWN");
          else if (asksUse && level === "restricted" && isProven) expect(outcome).toBe("FAIL");
          else if (compared === null) expect(outcome).toBe("UNKNOWN");
          else if (compared < min) expect(outcome).toBe(isBelow ? "FAIL" : "UNKNOWN");
          else expect(outcome).toBe(isProven ? "PASS" : "UNKNOWN");
        },
      ),
    );
  });
});
