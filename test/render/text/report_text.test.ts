import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { reportPageTextsOf, reportTextsOf } from "#locale";
import { renderTerminal, renderText } from "#render";
import { type Assessment, BANDS, LANGUAGES, type Language, type Report } from "#report";
import { ASSESSMENTS, HOME, SERVER, TOR_EXIT } from "../../fixtures/assessments.ts";
import { matchGolden } from "../../kit/golden.ts";
import { runs } from "../../kit/runs.ts";
import { expectLayout } from "../expect_layout.ts";
import { foreignReport } from "../foreign_report.ts";
import { fullReport, reportOf } from "../full_reports.ts";
import { GOLDEN_NAMES, goldenReport, matchGoldenFormat } from "../golden_reports.ts";
import { hostileReport } from "../hostile_report.ts";

const SGR = /\u001b\[(\d+(?:;\d+)*)m/g;

function report(assessment: Assessment, language: Language, stale = false): Report {
  return reportOf(assessment, language, { tier: stale ? "store" : "fresh", stale });
}

describe("renderText", () => {
  for (const [name, assessment] of Object.entries(ASSESSMENTS)) {
    test.each([...LANGUAGES])(`writes ${name} in %s as in the golden file`, (language) => {
      const text = renderText(report(assessment, language, name === "tor_exit"));
      matchGolden(`test/fixtures/golden/${name}.${language}.txt`, text);
      expectLayout(text);
    });
  }

  for (const name of GOLDEN_NAMES) {
    test.each([...LANGUAGES])(`writes ${name} in %s as in its golden file`, (language) => {
      const text = renderText(goldenReport(name, language));
      matchGoldenFormat(`${name}.${language}.txt`, text);
      expectLayout(text);
      // No line begins with closing or ends with opening punctuation, and only bars have an ambiguous width.
      expect(text).not.toMatch(/^ *[，。、；：？！）」』】》〉〕…—]/mu);
      expect(text).not.toMatch(/[（「『【《〈〔]$/mu);
      const words = text.replaceAll(/[█▒░]/g, "");
      expect(Bun.stringWidth(words, { ambiguousIsNarrow: false })).toBe(Bun.stringWidth(words));
    });
  }

  test("breaks only words longer than a line, such as a URL", () => {
    const url = `https://limpid.example/${"a".repeat(150)}`;
    for (const language of LANGUAGES) {
      const document = goldenReport("vpn_abused", language);
      const text = renderText({ ...document, reportUrl: url });
      const words = new Set(text.split(/[^A-Za-z0-9._:/-]+/));
      for (const { name } of document.sources)
        for (const word of name.split(" ")) expect(words).toContain(word.replace(/[^A-Za-z0-9._:/-]/g, ""));
      expect(text.replace(/\n/g, "")).toContain(url);
    }
  });

  test("names every source once, by its outcome", () => {
    const document = goldenReport("many_failed", "en");
    const text = renderText(document);
    const section = text.slice(text.indexOf("-- Sources "), text.indexOf("-- What an IP"));
    const flat = section.replace(/\s+/g, " ");
    for (const { name, error, skipped } of document.sources) {
      expect(flat).toContain(name);
      expect(flat).toContain(error ?? skipped ?? name);
    }
    const failed = document.sources.filter(({ error }) => error !== undefined).length;
    expect(failed).toBeGreaterThan(10);
    expect(flat).toContain(`${failed} failed`);
    const { answered, foundNothing, failed: lost, skipped } = reportTextsOf("en").sourceStates;
    const order = [answered, foundNothing, lost, skipped].map((state) => section.indexOf(`  ${state} `));
    expect(order).toEqual(order.toSorted((one, other) => one - other));
    expect(order[0]).toBeGreaterThan(0);
  });

  test("distinguishes a failed source from one that found nothing", () => {
    const document = goldenReport("home_line", "en");
    const only = (source: Partial<Report["sources"][number]>) =>
      renderText({ ...document, sources: [{ name: "Example", kind: "free", ok: true, ms: 7, ...source }] });
    for (const [source, line] of [
      [{}, "With data       Example"],
      [{ detail: "data of 2026-01-01" }, "With data       data of 2026-01-01: Example"],
      [{ detail: "no record of this address" }, "No record       Example"],
      [{ detail: "no record of this address, keyless" }, "No record       keyless: Example"],
      [{ ok: false, error: "timed out" }, "Failed          timed out: Example"],
      [{ ok: false, skipped: "no key", ms: 0 }, "Not asked       no key: Example"],
    ] as const)
      expect(only(source)).toContain(`  ${line}\n`);
  });

  test("says for each flag what it concludes, which sources say yes and no, and how many lists do not name it", () => {
    const text = renderText(fullReport("vpn_hearsay", "en"));
    const section = text.slice(text.indexOf("-- Who says what"), text.indexOf("-- Blocklists"));
    expect(section).toContain("  Proxy           No (no: proxycheck.io");
    expect(section).toMatch(/^ {2}VPN {13}Yes \(yes: .*$/m);
    expect(section).toMatch(/^ {2}Tor exit {8}No \(no: proxycheck\.io, .*; not on 3 other exit/m);
    // A single source that says no is no "no" while much is missing.
    const whole = fullReport("vpn_hearsay", "en");
    const { total = 1, network = 1, lists = 1, abuse = 1, exposure = 1 } = whole.risk.coverage ?? {};
    const coverage = { total, network, lists, abuse, exposure, anonymity: 0.6 };
    const partly = { ...whole, risk: { ...whole.risk, coverage } };
    expect(renderText(partly)).toContain("  Proxy           Unknown (no: proxycheck.io");
  });

  test("fills the bar only at 100 and empties it only at 0", () => {
    const document = goldenReport("home_line", "en");
    const barAt = (purity: number) =>
      /([█░]{20})/.exec(renderText({ ...document, risk: { ...document.risk, purity } }))?.[1];
    expect(barAt(100)).toBe("█".repeat(20));
    expect(barAt(99)).toBe(`${"█".repeat(19)}░`);
    expect(barAt(1)).toBe(`█${"░".repeat(19)}`);
    expect(barAt(0)).toBe("░".repeat(20));
  });

  test("writes each reason once, whatever its place, and what speaks for the address apart", () => {
    const document = goldenReport("server", "en");
    const free = "not listed by the blocklists that answered";
    const uses = (...all: (readonly string[])[]) => {
      const scenarios = all.map((reasons, at) => ({ ...document.scenarios[at], reasons }));
      const text = renderText({ ...document, scenarios } as Report);
      return Array.from(text.matchAll(/^ {4}((?:Against|In favour) .*)/gm), ([, line]) => line);
    };
    expect(uses(["one", "two"], ["two", "one"])).toEqual(["Against (all use cases): One and two."]);
    expect(uses([free, "one", "two"], ["two"], ["one", "two"])).toEqual([
      "Against (all use cases): Two.",
      "Against (all but Social): One.",
      "In favour (adds no points): Not listed by the blocklists that",
    ]);
  });

  test("warns that no signals prove nothing, and explains its terms in a few last lines", () => {
    const english = renderText(goldenReport("home_line", "en"));
    expect(renderText(goldenReport("home_line", "zh"))).toContain("未见风险不等于安全");
    expect(english).toContain('No risk seen does not mean "safe"');
    const legend = english.slice(english.indexOf("-- Legend ---"), english.lastIndexOf("\n\n"));
    expect(legend).not.toContain("https://");
    expect(legend.split("\n").length).toBeLessThanOrEqual(13);
  });

  test("stays within 72 columns for any strings from outside", () => {
    const binary = fc.string({ unit: "binary", maxLength: 60 });
    const marks = fc.string({
      unit: fc.oneof(
        fc.constantFrom(..."a 中，（）é\u0301ｗ漢-😀🇬\u200d\u001b"),
        fc.integer({ min: 0x20, max: 0x2ff }).map((code) => String.fromCodePoint(code)),
      ),
      maxLength: 160,
    });
    const foreign = fc.oneof(marks, marks, binary);
    fc.assert(
      fc.property(foreign, foreign, fc.constantFrom(...LANGUAGES), (one, two, language) => {
        expectLayout(renderText(foreignReport(one, two, language)));
      }),
      { numRuns: runs(400) },
    );
  });

  test("contains every part of the report", () => {
    const document: Report = { ...report(SERVER, "en", true), feedback: { ai: { count: 4, average: 3.5 } } };
    const text = renderText(document).replace(/\s+/g, " ");
    // The last unknown names the sources that failed, which are among the sources.
    expect(document.unknowns.at(-1)?.id).toBe("unheard_sources");
    for (const { label, detail } of [...document.risk.factors, ...document.unknowns.slice(0, -1)]) {
      expect(text).toContain(label);
      expect(text).toContain(detail);
    }
    for (const { id, reasons, levelLabel } of document.scenarios)
      for (const part of [reportPageTextsOf("en").scenarios[id], ...reasons, levelLabel])
        expect(text.toLowerCase()).toContain(part.toLowerCase());
    for (const { label } of document.blocklists) expect(text).toContain(label);
    for (const source of document.sources) {
      expect(text).toContain(source.name);
      const { error, skipped, detail } = source;
      const nothing = detail?.startsWith("no record of this address") ? "No record" : undefined;
      expect(text).toContain(error ?? skipped ?? nothing ?? detail ?? source.name);
    }
    expect(text).toContain("3.5 of 5 (4 ratings)");
    expect(text).toContain("old data");
    expect(text).toContain(document.reportUrl);
    expect(text).toContain("CVE-2025-0002");
    expect(text).toContain("login attempts 21");
  });

  test("writes a score breakdown that adds up", () => {
    for (const assessment of [SERVER, HOME, TOR_EXIT]) {
      const lines = renderText(report(assessment, "en")).split("\n");
      const start = lines.findIndex((line) => line.startsWith("-- Deductions"));
      const end = lines.findIndex((line, index) => index > start && /^ +-+$/.test(line));
      const effects = lines.slice(start + 1, end).filter((line) => / {3,}[+-]?[\d.]+$/.test(line));
      const figures = effects.map((line) => Number(line.split(" ").at(-1)));
      // The decimal points, also those that are not written, are in one column.
      expect(new Set(effects.map((line) => line.replace(/\.\d+$/, "").length)).size).toBe(1);
      expect(figures.length).toBeGreaterThan(1);
      expect(figures.reduce((sum, figure) => sum + figure, 0)).toBeCloseTo(assessment.purity, 9);
      expect(lines[end + 1]).toEndWith(` ${assessment.purity}`);
    }
  });
});

describe("renderTerminal", () => {
  for (const name of ["server", "home_line", "tor"] as const) {
    test.each([...LANGUAGES])(`writes ${name} in colour and in %s as in its golden file`, (language) => {
      const text = renderTerminal(goldenReport(name, language), { colour: true });
      matchGoldenFormat(`${name}.${language}.ansi`, text);
    });
  }

  test("writes the text report, with or without colour", () => {
    for (const name of GOLDEN_NAMES) {
      for (const language of LANGUAGES) {
        const report = goldenReport(name, language);
        const plain = renderTerminal(report, { colour: false });
        expect(plain).toBe(renderText(report));
        expect(plain).not.toContain("\u001b");
        expect(renderTerminal(report, { colour: true }).replace(SGR, "")).toBe(plain);
      }
    }
  });

  test("uses only colours that every terminal has and that suit both backgrounds, reset in each line", () => {
    const codes = new Set<string>();
    for (const name of GOLDEN_NAMES) {
      for (const line of renderTerminal(goldenReport(name, "en"), { colour: true }).split("\n")) {
        let open = false;
        for (const [, code = ""] of line.matchAll(SGR)) {
          codes.add(code);
          expect(open, line).toBe(code === "0");
          open = code !== "0";
        }
        expect(open, line).toBe(false);
      }
    }
    const allowed = ["0", "1", "2", "1;32", "32", "38;5;100", "38;5;166", "31", "1;31"];
    for (const code of codes) expect(allowed).toContain(code);
    expect(codes.size).toBeGreaterThan(5);
  });

  test("colours every band differently", () => {
    const report = goldenReport("home_line", "en");
    const ways = BANDS.map((level) => {
      const text = renderTerminal({ ...report, risk: { ...report.risk, level } }, { colour: true });
      return text.split("\n").find((line) => line.startsWith("Purity"));
    });
    expect(new Set(ways).size).toBe(BANDS.length);
  });

  test("removes escape sequences from outside", () => {
    for (const language of LANGUAGES) {
      const text = renderTerminal(hostileReport(language), { colour: true });
      expectLayout(text.replace(SGR, ""));
      expect(text).toContain("\\u{1b}[31m");
    }
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 80 }), (foreign) => {
        const text = renderTerminal(foreignReport(foreign, "x", "zh"), { colour: true });
        expectLayout(text.replace(SGR, ""));
      }),
      { numRuns: runs(400) },
    );
  });
});
