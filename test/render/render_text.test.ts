import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { speak } from "#locale";
import { renderText } from "#render";
import { type Assessment, LANGUAGES, type Language, type Report } from "#report";
import { ASSESSMENTS, HOME, SERVER, TOR_EXIT } from "../fixtures/assessments.ts";
import { HOSTILE, hostileReport } from "./hostile_report.ts";
import { measureCells } from "./measure_cells.ts";

const GOLDEN = join(import.meta.dir, "../fixtures/golden");

function report(assessment: Assessment, language: Language, stale = false): Report {
  const prefix = language === "en" ? "/en" : "";
  const reportUrl = `https://limpid.example${prefix}/ip/${assessment.address}`;
  return speak(assessment, { language, tier: stale ? "store" : "fresh", stale, reportUrl });
}

function expectShape(text: string): void {
  expect(text.endsWith("\n")).toBe(true);
  expect(text.endsWith("\n\n")).toBe(false);
  for (const line of text.slice(0, -1).split("\n")) {
    expect(measureCells(line), line).toBeLessThanOrEqual(72);
    expect(line, line).toBe(line.trimEnd());
    expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
  }
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

  test("never begins a line with closing punctuation", () => {
    for (const assessment of Object.values(ASSESSMENTS)) {
      expect(renderText(report(assessment, "zh"))).not.toMatch(/^ *[，。、；：？！）」]/mu);
    }
  });

  test("holds 72 columns for any foreign strings", () => {
    const foreign = fc.string({
      unit: fc.oneof(
        fc.constantFrom("a", " ", "中", "，", "（", "）", "é", "\u0301", "ｗ", "漢", "-"),
        fc.integer({ min: 0x20, max: 0x2ff }).map((code) => String.fromCodePoint(code)),
      ),
      maxLength: 160,
    });
    fc.assert(
      fc.property(foreign, foreign, fc.constantFrom(...LANGUAGES), (one, two, language) => {
        const document = report(SERVER, language);
        expectShape(
          renderText({
            ...document,
            ip: one,
            geo: { country: one, countryName: two, city: one },
            asn: { name: two, org: one },
            risk: {
              ...document.risk,
              label: two,
              verdict: one,
              factors: [{ id: "x", label: one, category: two, points: 63.25, detail: two }],
            },
            scenarios: [{ id: "ai", label: one, score: 100, level: "good", levelLabel: two, reason: one }],
            blocklists: [{ zone: two, label: one, listed: true, benign: false, unavailable: false }],
            abuse: [{ source: one, attacks: { total: 1, byType: { [two]: 1 } } }],
            sources: [{ name: two, kind: "free", ok: false, ms: 123456789, error: one }],
            unknowns: [{ id: "x", label: two, detail: one }],
            reportUrl: `https://limpid.example/${one}`,
          }),
        );
      }),
      { numRuns: 60 },
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
      expect(text).toContain(source.error ?? source.skipped ?? source.detail ?? source.name);
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
