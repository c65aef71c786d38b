import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { renderScreen } from "#render";
import { LANGUAGES, type Report } from "#report";
import { expectLayout } from "../expect_layout.ts";
import { foreignReport } from "../foreign_report.ts";
import { GOLDEN_NAMES, goldenReport, matchGoldenFormat } from "../golden_reports.ts";
import { hostileReport } from "../hostile_report.ts";

const SGR = /\u001b\[(\d+(?:;\d+)*)m/g;

function expectScreen(text: string): void {
  expectLayout(text);
  expect(text.split("\n").length - 1).toBeLessThanOrEqual(40);
}

describe("renderScreen", () => {
  for (const name of ["server", "home_line", "tor", "vpn_abused", "private"] as const) {
    test.each([...LANGUAGES])(`writes ${name} in %s as in its golden file`, (language) => {
      const text = renderScreen(goldenReport(name, language), { colour: false });
      matchGoldenFormat(`${name}.${language}.screen.txt`, text);
    });
  }

  test("fits a screen of 40 lines, with or without colour", () => {
    for (const name of GOLDEN_NAMES) {
      for (const language of LANGUAGES) {
        const report = goldenReport(name, language);
        const plain = renderScreen(report, { colour: false });
        expectScreen(plain);
        expect(plain).not.toContain("\u001b");
        expect(renderScreen(report, { colour: true }).replace(SGR, "")).toBe(plain);
      }
    }
  });

  test("fits a screen for any strings from outside", () => {
    for (const language of LANGUAGES) {
      const hostile = renderScreen(hostileReport(language), { colour: true });
      expect(hostile).toContain("\\u{1b}[31m");
      expectScreen(hostile.replace(SGR, ""));
    }
    const foreign = fc.string({ unit: "binary", maxLength: 160 });
    fc.assert(
      fc.property(foreign, foreign, fc.constantFrom(...LANGUAGES), (one, two, language) => {
        expectScreen(renderScreen(foreignReport(one, two, language), { colour: false }));
      }),
      { numRuns: 150 },
    );
  });

  test("names the address in its title, then the score, the verdict and the use cases", () => {
    const report = goldenReport("server", "en");
    const lines = renderScreen(report, { colour: false }).split("\n");
    expect(lines[0]).toMatch(/^limpid {2}203\.0\.113\.45 +IP purity report$/);
    expect(lines[1]).toMatch(/^Not enough data, 37\/100 Suspicious {2}Confidence: Low$/);
    expect(lines[2]).toStartWith("Reported as a VPN exit");
    const firstUse = lines.findIndex((line) => line.startsWith(report.scenarios[0]?.label ?? "?"));
    expect(firstUse).toBeLessThanOrEqual(5);
    for (const [index, { label, levelLabel }] of report.scenarios.entries()) {
      expect(lines[firstUse + index]).toStartWith(label);
      expect(lines[firstUse + index]).toEndWith(levelLabel);
    }
  });

  test("has deductions that add up, in the order of the report", () => {
    for (const name of ["server", "tor", "vpn_abused", "home_line"] as const) {
      const report = goldenReport(name, "en");
      const lines = renderScreen(report, { colour: false })
        .split("\n")
        .flatMap((line) => [...line.matchAll(/^ +([+-][\d.]+) {2}(.*)/g)]);
      const effects = lines.map(([, effect]) => Number(effect));
      expect(effects.length).toBeLessThanOrEqual(6);
      expect(effects.reduce((sum, effect) => sum + effect, 100)).toBeCloseTo(report.risk.purity, 9);
      const order = report.risk.factors.map(({ label }) => label);
      const known = lines.map(([, , label = ""]) => order.indexOf(label)).filter((at) => at >= 0);
      expect(known).toEqual(known.toSorted((one, other) => one - other));
    }
  });

  test("has no bar for a special-purpose address", () => {
    const lines = renderScreen(goldenReport("private", "en"), { colour: false }).split("\n");
    expect(lines[1]).toBe("Special-purpose address (no score)  Confidence: Low");
  });

  test("says that the rest is elsewhere and how many sources failed", () => {
    const report: Report = goldenReport("many_failed", "en");
    const failed = report.sources.filter(({ error }) => error !== undefined).length;
    const text = renderScreen(report, { colour: false });
    expect(text).toContain(`${failed} failed`);
    expect(text).toContain("full=1");
    expect(text).toEndWith(`${report.reportUrl}\n`);
  });
});
