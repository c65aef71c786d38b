import { describe, expect, test } from "bun:test";
import type { Report } from "#report";
import { rankReports } from "../../src/render/ranking.ts";
import { fullReport } from "./full_reports.ts";

const home = fullReport("home", "en");
const abused = fullReport("vpn_abused", "en");
const bogon = fullReport("bogon", "en");

function withPurity(report: Report, purity: number, confidence = report.risk.confidence): Report {
  return { ...report, risk: { ...report.risk, purity, confidence } };
}

describe("rankReports", () => {
  test("finds the cleanest, and counts the use cases in which it is the best", () => {
    const { winners, bestUses, worseUses, count, isBest } = rankReports([abused, home]);
    expect(winners).toEqual([home]);
    expect(bestUses.length).toBeGreaterThan(3);
    expect([count, worseUses]).toEqual([2, []]);
    expect(isBest(home, "purity")).toBe(true);
    expect(isBest(abused, "purity")).toBe(false);
  });

  test("prefers what is better known, among equals", () => {
    const sure = withPurity(home, 90, "high");
    const unsure = withPurity(home, 90, "low");
    expect(rankReports([unsure, sure]).winners).toEqual([sure]);
    const withRange = (low: number, total: number, score: number): Report => {
      const coverage = { total } as NonNullable<Report["risk"]["coverage"]>;
      const scenarios = home.scenarios.map((one) => ({ ...one, score }));
      return { ...sure, scenarios, risk: { ...sure.risk, range: { low, high: 90 }, coverage } };
    };
    // The low end and the coverage weigh more than the use cases.
    const [firm, loose, thinner] = [withRange(80, 0.7, 50), withRange(60, 0.9, 99), withRange(80, 0.6, 99)];
    const { highest, winners, decidedBy } = rankReports([loose, thinner, firm]);
    expect([highest, winners, decidedBy]).toEqual([[firm, thinner, loose], [firm], "coverage"]);
    expect(rankReports([loose, firm]).decidedBy).toBe("low");
  });

  test("names all that are equal, and marks nothing as the best", () => {
    const { winners, isBest } = rankReports([home, { ...home, ip: "81.2.69.11" }]);
    expect(winners).toHaveLength(2);
    expect(isBest(home, "purity")).toBe(false);
  });

  test("leaves out addresses that nobody uses as an exit", () => {
    expect(rankReports([bogon]).winners).toEqual([]);
    const { winners, isBest } = rankReports([bogon, abused]);
    expect(winners).toEqual([abused]);
    expect(rankReports([bogon, withPurity(home, 99, "low"), abused]).ordered[1]?.risk.purity).toBe(99);
    expect(isBest(bogon, "purity")).toBe(false);
  });

  test("marks nothing that is poor, even if it is the best", () => {
    const poor = withPurity(abused, 40);
    const worse = { ...withPurity(abused, 12), blocklists: [] };
    const { winners, isBest } = rankReports([poor, worse]);
    expect(winners).toEqual([poor]);
    expect(isBest(poor, "purity")).toBe(false);
    const dull = (score: number) => ({
      ...home,
      scenarios: home.scenarios.map((one) => ({ ...one, score })),
    });
    expect(rankReports([dull(30), dull(20)]).isBest(dull(30), "email")).toBe(false);
    const [first, second] = [dull(60), dull(20)];
    expect(rankReports([first, second]).isBest(first, "email")).toBe(true);
  });
});
