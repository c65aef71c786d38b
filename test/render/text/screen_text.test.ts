import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { reportTextsOf } from "#locale";
import { renderScreen } from "#render";
import { LANGUAGES, type Report } from "#report";
import { expectLayout } from "../expect_layout.ts";
import { foreignReport } from "../foreign_report.ts";
import { GOLDEN_NAMES, goldenReport, matchGoldenFormat } from "../golden_reports.ts";
import { hostileReport } from "../hostile_report.ts";

const SGR = /\u001b\[(\d+(?:;\d+)*)m/g;

function expectScreen(text: string): void {
  // A URL, which people copy, has a line of its own and may be longer.
  expectLayout(text.replace(/^(?:curl ')?https:\/\/\S+$/gm, "URL"), 79);
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

  test("names the address in its title, then the score, the verdict, the facts and the use cases", () => {
    const report = goldenReport("server", "en");
    const lines = renderScreen(report, { colour: false }).split("\n");
    expect(lines[0]).toMatch(/^limpid {2}203\.0\.113\.45 +IP purity report$/);
    expect(lines[1]).toBe("Purity          Not enough data, 37/100 Suspicious");
    const starts = "Confidence      Low|Reported as|IP type|AI services|Deductions|Blocklists".split("|");
    const places = starts.map((start) => lines.findIndex((line) => line.startsWith(start)));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places[0]).toBe(2);
    for (const [index, { levelLabel }] of report.scenarios.entries())
      expect(lines[(places[3] ?? 0) + (index % 3)]).toContain(levelLabel);
  });

  test("has a sum that is exact, with caps and rounding at its end", () => {
    for (const name of ["server", "tor", "vpn_abused"] as const) {
      for (const language of LANGUAGES) {
        const report = goldenReport(name, language);
        const { labels, notEnough } = reportTextsOf(language);
        const text = renderScreen(report, { colour: false }).replaceAll(/\n {16}/g, " ");
        const sum = text.split("\n").find((line) => line.startsWith(`${labels.breakdown} `)) ?? "";
        const effects = [...sum.matchAll(/ ([+-][\d.]+) /g)].map(([, effect]) => Number(effect));
        expect(effects.reduce((all, effect) => all + effect, 100)).toBeCloseTo(report.risk.purity, 9);
        expect(sum).toEndWith(` = ${report.risk.purity}`);
        expect(sum.includes(notEnough)).toBe(report.risk.confidence === "low");
        for (const { label } of report.risk.factors) expect(sum).toContain(label);
      }
    }
    expect(renderScreen(goldenReport("home_line", "en"), { colour: false })).toContain("Nothing to deduct\n");
    const capped = renderScreen(goldenReport("tor", "en"), { colour: false }).replaceAll(/\n +/g, " ");
    expect(capped).toContain("-11 Attack history  +28 Cap on anonymity +27 Capped at 0-100 = 0\n");
  });

  test("colours bars and no words", () => {
    const text = renderScreen(goldenReport("tor", "en"), { colour: true });
    const coloured = text.split("\u001b[").flatMap((part) => /^(?:1;)?3\dm([\s\S]*)/.exec(part)?.[1] ?? []);
    expect(coloured.length).toBeGreaterThan(6);
    for (const piece of coloured) expect(piece).toMatch(/^[\u2588\u2592\u2591]+$/);
  });

  test("has no bar for a special-purpose address", () => {
    const lines = renderScreen(goldenReport("private", "en"), { colour: false }).split("\n");
    expect(lines[1]).toBe("Purity          Special-purpose address (no score)");
    expect(lines[2]).toStartWith("192.168.0.0/16 ");
  });

  test("says how old the only record of attacks is", () => {
    const report = goldenReport("vpn_abused", "en");
    expect(renderScreen(report, { colour: false })).toContain("2,000 attacks (1 day ago)");
    const more = { ...report, abuse: [...report.abuse, { source: "Other", reports: 9 }] };
    expect(renderScreen(more, { colour: false })).toContain("2,000 attacks; shared");
  });

  test("says that the rest is elsewhere and how many sources failed", () => {
    const report: Report = goldenReport("many_failed", "en");
    const failed = report.sources.filter(({ error }) => error !== undefined).length;
    const text = renderScreen(report, { colour: false });
    expect(text.slice(0, text.indexOf("IP type"))).toContain(`Missing         ${failed} sources failed, `);
    const end = `\n${report.ip}: 46/100 Suspicious, may be as low as 12 (Risky)\n`;
    expect(text).toContain(`${end}In a browser: ${report.reportUrl}\n`);
    const url = report.reportUrl.replace("/ip/", "/cli/");
    expect(text).toEndWith(
      `Whole report: curl '${url}?full=1'\nIn Chinese: curl '${url.replace("/en/", "/")}'\n`,
    );
    const long = `${report.reportUrl.slice(0, -1)}${"1".repeat(80)}`;
    const lines = renderScreen({ ...report, reportUrl: long }, { colour: false }).split("\n");
    expect(lines.slice(-7, -3)).toEqual([
      "In a browser:",
      long,
      "Whole report:",
      `curl '${long.replace("/ip/", "/cli/")}?full=1'`,
    ]);
    const here = renderScreen({ ...report, reportUrl: "" }, { colour: false, options: " --lang en" });
    expect(here).toEndWith(`${end}Whole report: limpid lookup ${report.ip} --lang en --text\n`);
  });
});
