import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { localize } from "#locale";
import { renderText } from "#render";
import { type Assessment, LANGUAGES, type Language, type Report } from "#report";
import { ASSESSMENTS, HOME, SERVER, TOR_EXIT } from "../../fixtures/assessments.ts";
import { expectShape } from "../expect_shape.ts";
import { foreignReport } from "../foreign_report.ts";
import { GOLDEN_NAMES, goldenReport, readGolden } from "../golden_reports.ts";
import { HOSTILE, hostileReport } from "../hostile_report.ts";

const GOLDEN = join(import.meta.dir, "../../fixtures/golden");

function report(assessment: Assessment, language: Language, stale = false): Report {
  const prefix = language === "en" ? "/en" : "";
  const reportUrl = `https://limpid.example${prefix}/ip/${assessment.address}`;
  return localize(assessment, { language, tier: stale ? "store" : "fresh", stale, reportUrl });
}

describe("renderText", () => {
  for (const [name, assessment] of Object.entries(ASSESSMENTS)) {
    test.each([...LANGUAGES])(`writes ${name} in %s as the golden file has it`, async (language) => {
      const text = renderText(report(assessment, language, name === "tor_exit"));
      const file = Bun.file(join(GOLDEN, `${name}.${language}.txt`));
      if (process.env.UPDATE_GOLDEN === "1") await Bun.write(file, text);
      expect(text).toBe(await file.text());
      expectShape(text);
    });
  }

  for (const name of GOLDEN_NAMES) {
    test.each([...LANGUAGES])(`writes the face ${name} in %s as its golden file has it`, async (language) => {
      const text = renderText(goldenReport(name, language));
      expect(text).toBe(await readGolden(`${name}.${language}.txt`, text));
      expectShape(text);
    });
  }

  test("never begins a line with closing or ends one with opening punctuation", () => {
    for (const name of GOLDEN_NAMES) {
      const text = renderText(goldenReport(name, "zh"));
      expect(text).not.toMatch(/^ *[，。、；：？！）」』】》〉〕…—]/mu);
      expect(text).not.toMatch(/[（「『【《〈〔]$/mu);
    }
  });

  test("breaks no word, but a web address longer than a line", () => {
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

  test("names every source once, by how it fared", () => {
    const document = goldenReport("many_failed", "en");
    const text = renderText(document);
    const section = text.slice(text.indexOf("-- Sources "), text.indexOf("-- What an IP"));
    const flat = section.replace(/\s+/g, " ");
    for (const { name, error, skipped, ms } of document.sources) {
      expect(flat).toContain(name);
      if (error !== undefined) expect(flat).toContain(`${name}`);
      if (error !== undefined) expect(flat).toMatch(new RegExp(`${RegExp.escape(name)}\\*? ${ms} ms`));
      expect(flat).toContain(error ?? skipped ?? name);
    }
    const failed = document.sources.filter(({ error }) => error !== undefined).length;
    expect(failed).toBeGreaterThan(10);
    expect(flat).toContain(`${failed} failed`);
    const order = ["Found data", "Found nothing", "Failed", "Skipped"].map((state) =>
      section.indexOf(`  ${state} `),
    );
    expect(order).toEqual(order.toSorted((one, other) => one - other));
    expect(order[0]).toBeGreaterThan(0);
  });

  test("tells a failed source from one that found nothing", () => {
    const document = goldenReport("home_line", "en");
    const [first] = document.sources;
    if (first === undefined) throw new Error("Cannot test: the report has no source");
    const only = (source: Partial<Report["sources"][number]>) =>
      renderText({ ...document, sources: [{ name: "Example", kind: "free", ok: true, ms: 7, ...source }] });
    expect(only({})).toContain("  Found data      Example 7 ms\n");
    expect(only({ detail: "data of 2026-01-01" })).toContain(
      "  Found data      data of 2026-01-01: Example 7 ms\n",
    );
    expect(only({ detail: "no record of this address" })).toContain("  Found nothing   Example\n");
    expect(only({ detail: "no record of this address, keyless" })).toContain(
      "  Found nothing   keyless: Example\n",
    );
    expect(only({ ok: false, error: "timed out" })).toContain("  Failed          timed out: Example 7 ms\n");
    expect(only({ ok: false, skipped: "no key", ms: 0 })).toContain("  Skipped         no key: Example\n");
  });

  test("fills a bar for 100 alone and empties it for 0 alone", () => {
    const document = goldenReport("home_line", "en");
    const barAt = (purity: number) =>
      /\[([#.]{20})\]/.exec(renderText({ ...document, risk: { ...document.risk, purity } }))?.[1];
    expect(barAt(100)).toBe("#".repeat(20));
    expect(barAt(99)).toBe(`${"#".repeat(19)}.`);
    expect(barAt(1)).toBe(`#${".".repeat(19)}`);
    expect(barAt(0)).toBe(".".repeat(20));
  });

  test("gives neighbours with one reason that reason once, and says for how many", () => {
    const document = goldenReport("server", "en");
    const uses = (reasons: readonly string[]) =>
      renderText({
        ...document,
        scenarios: document.scenarios
          .slice(0, reasons.length)
          .map((scenario, index) => ({ ...scenario, reason: reasons[index] ?? "" })),
      })
        .split("\n")
        .filter((line) => /^ {4}(?:Both|All|One|Two)/.test(line));
    expect(uses(["One.", "One.", "One.", "Two."])).toEqual(["    All 3: One.", "    Two."]);
    expect(uses(["One.", "Two.", "Two.", "One."])).toEqual(["    One.", "    Both: Two.", "    One."]);
  });

  test("keeps to characters whose width no terminal doubts", () => {
    for (const name of GOLDEN_NAMES) {
      for (const language of LANGUAGES) {
        const text = renderText(goldenReport(name, language));
        expect(Bun.stringWidth(text, { ambiguousIsNarrow: false })).toBe(Bun.stringWidth(text));
      }
    }
  });

  test("warns that no signals are no proof, and explains its terms", () => {
    expect(renderText(goldenReport("home_line", "zh"))).toContain("未见风险信号不等于安全");
    expect(renderText(goldenReport("home_line", "en"))).toContain('must not be read as "safe"');
    expect(renderText(goldenReport("home_line", "en"))).toContain("-- Legend ---");
  });

  test("holds 72 columns for any foreign strings", () => {
    const binary = fc.string({ unit: "binary", maxLength: 60 });
    const marks = fc.string({
      unit: fc.oneof(
        fc.constantFrom(
          "a",
          " ",
          "中",
          "，",
          "（",
          "）",
          "é",
          "\u0301",
          "ｗ",
          "漢",
          "-",
          "😀",
          "🇬",
          "\u200d",
          "\u001b",
        ),
        fc.integer({ min: 0x20, max: 0x2ff }).map((code) => String.fromCodePoint(code)),
      ),
      maxLength: 160,
    });
    const foreign = fc.oneof(marks, marks, binary);
    fc.assert(
      fc.property(foreign, foreign, fc.constantFrom(...LANGUAGES), (one, two, language) => {
        expectShape(renderText(foreignReport(one, two, language)));
      }),
      { numRuns: 150 },
    );
  });

  test.each([...LANGUAGES])("shows hostile strings harmless in %s", (language) => {
    const text = renderText(hostileReport(language));
    expectShape(text);
    expect(text).not.toContain("\u001b");
    expect(text).toContain("\\u{1b}[31m");
    expect(HOSTILE).toContain("\u001b");
  });

  test("says everything the report has", () => {
    const document: Report = {
      ...report(SERVER, "en"),
      feedback: { ai: { count: 4, average: 3.5 } },
      stale: true,
    };
    const text = renderText(document).replace(/\s+/g, " ");
    for (const { label, detail } of [...document.risk.factors, ...document.unknowns]) {
      expect(text).toContain(label);
      expect(text).toContain(detail);
    }
    for (const { label, reason, levelLabel } of document.scenarios)
      for (const part of [label, reason, levelLabel]) expect(text).toContain(part);
    for (const { label } of document.blocklists) expect(text).toContain(label);
    for (const source of document.sources) {
      expect(text).toContain(source.name);
      const { error, skipped, detail } = source;
      const nothing = detail?.startsWith("no record of this address") ? "Found nothing" : undefined;
      expect(text).toContain(error ?? skipped ?? nothing ?? detail ?? source.name);
    }
    expect(text).toContain("Average (of 5) 3.5, Ratings 4");
    expect(text).toContain("old data, a refresh is advised");
    expect(text).toContain(document.reportUrl);
    expect(text).toContain("CVE-2025-0002");
    expect(text).toContain("login attempts 21");
  });

  test("writes a bill that adds up", () => {
    for (const assessment of [SERVER, HOME, TOR_EXIT]) {
      const lines = renderText(report(assessment, "en")).split("\n");
      const start = lines.findIndex((line) => line.startsWith("-- Deductions"));
      const end = lines.findIndex((line, index) => index > start && /^ +-+$/.test(line));
      const figures = lines
        .slice(start + 1, end)
        .flatMap((line) => (line.length === 72 ? [Number(/ ([+-]?[\d.]+)$/.exec(line)?.[1])] : []));
      expect(figures.length).toBeGreaterThan(1);
      expect(figures.reduce((sum, figure) => sum + figure, 0)).toBeCloseTo(assessment.purity, 9);
      expect(lines[end + 1]).toEndWith(` ${assessment.purity}`);
    }
  });
});
