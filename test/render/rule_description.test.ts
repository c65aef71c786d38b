import { describe, expect, test } from "bun:test";
import { CLOSING_LINES, describeRule, renderRule } from "#render";
import { LANGUAGES } from "#report";
import { ADJUSTMENT_IDS, describeMethod } from "#scoring";

const method = describeMethod([]);
const ORIGIN = "https://limpid.example";

describe("describeRule", () => {
  test("gives every number of a rule, and the URL of the method page", () => {
    expect(describeRule(method, "tor_exit", "en", ORIGIN)).toMatchObject({
      id: "tor_exit",
      label: "Tor exit node",
      category: "anonymity",
      categoryLabel: "Anonymity",
      points: 62,
      floor: 60,
      weights: ["62 points", "risk at least 60"],
      loneShare: 0.5,
      halfLifeDays: 21,
      forgottenDays: 90,
      methodUrl: "https://limpid.example/en/method#tor_exit",
    });
  });

  test("explains the lines that close a breakdown, which have no weight", () => {
    expect(CLOSING_LINES).toEqual(ADJUSTMENT_IDS);
    expect(describeRule(method, "rounding", "en", ORIGIN)).toMatchObject({
      label: "Rounding",
      category: "adjustment",
      meaning: "Purity is a whole number.",
      weights: [],
      methodUrl: "https://limpid.example/en/method",
    });
    for (const id of CLOSING_LINES)
      expect(renderRule(describeRule(method, id, "zh", ORIGIN) ?? expect.unreachable(), "zh")).toMatch(
        /\p{Script=Han}/u,
      );
  });

  test("has a name for exactly the rules of the method, in both languages", () => {
    for (const language of LANGUAGES) {
      for (const { id } of method.rules) {
        const rule = describeRule(method, id, language, ORIGIN);
        expect(rule?.label, id).not.toBe(id);
        expect(rule?.meaning, id).not.toBe(id);
        expect(rule?.weights.length, id).toBeGreaterThan(0);
      }
      for (const id of ["", "constructor", "__proto__", "TOR_EXIT"]) {
        expect(describeRule(method, id, language, ORIGIN), id).toBeUndefined();
      }
    }
  });
});

describe("renderRule", () => {
  test.each([...LANGUAGES])("writes every rule in %s in 72 columns, with its numbers", (language) => {
    for (const { id } of method.rules) {
      const rule = describeRule(method, id, language, ORIGIN);
      if (rule === undefined) throw new Error(`No rule "${id}"`);
      const text = renderRule(rule, language);
      for (const line of text.split("\n")) expect(Bun.stringWidth(line), line).toBeLessThanOrEqual(72);
      for (const weight of rule.weights)
        expect(text.replace(/\s+/g, "")).toContain(weight.replace(/\s+/g, ""));
      expect(text.replace(/\s+/g, "")).toContain(rule.methodUrl);
    }
  });
});
