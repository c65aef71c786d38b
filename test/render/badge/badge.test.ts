import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { renderBadge, renderPlainBadge } from "#render";
import { BANDS, LANGUAGES } from "#report";
import { contrastOf } from "../contrast.ts";
import { foreignReport } from "../foreign_report.ts";
import { GOLDEN_NAMES, goldenReport, matchGoldenFormat } from "../golden_reports.ts";
import { hostileReport } from "../hostile_report.ts";

describe("renderBadge", () => {
  for (const name of GOLDEN_NAMES) {
    test.each([...LANGUAGES])(`renders ${name} in %s as in its golden file`, (language) => {
      const svg = renderBadge(goldenReport(name, language));
      matchGoldenFormat(`${name}.${language}.svg`, svg);
      expect(new TextEncoder().encode(svg).length).toBeLessThanOrEqual(2048);
    });
  }

  test("has a text for people who cannot see the chart", () => {
    const svg = renderBadge(goldenReport("server", "en"));
    expect(svg).toContain('role="img"');
    expect(svg).toContain(
      '<title id="t">IP purity 203.0.113.45: Not enough data, 37/100 Suspicious, old data, confidence: low</title>',
    );
    expect(svg).toContain(">Not enough data, 37 Suspicious · old data</text>");
    expect(renderBadge(goldenReport("server", "zh"))).toContain(">数据不足，37 可疑 · 数据较旧</text>");
  });

  test("has enough contrast in every band, and a different colour in each", () => {
    const report = goldenReport("home_line", "en");
    const fills = BANDS.map((level) => {
      const svg = renderBadge({ ...report, risk: { ...report.risk, level } });
      const found = [...svg.matchAll(/fill="(#[0-9a-f]+)"/g)].map(([, fill]) => fill);
      const [subject = "", answer = "", text = ""] = new Set(found);
      for (const ground of [subject, answer]) expect(contrastOf(text, ground)).toBeGreaterThanOrEqual(4.5);
      return answer;
    });
    expect(new Set(fills).size).toBe(BANDS.length);
  });

  test("fits a Latin text to its box, and stretches no ideographs", () => {
    const svg = renderBadge(goldenReport("server", "en"));
    const [, whole, x, length] =
      /^<svg [^>]*width="(\d+)".* x="([\d.]+)"[^>]* textLength="(\d+)"/.exec(svg) ?? [];
    expect(Number(x) + Number(length) / 2).toBe(Number(whole) - 6);
    expect(renderBadge(goldenReport("server", "zh"))).not.toContain("textLength");
  });

  test("marks old data, sources that failed and the range, but not what is sure", () => {
    const report = goldenReport("many_failed", "en");
    const risk = { ...report.risk, confidence: "medium", range: { low: 0, high: 100 } } as const;
    const marked = renderBadge({ ...report, risk, stale: true });
    expect(marked).toContain(">46 Suspicious · old data · incomplete · 0–46</text>");
    expect(renderBadge(goldenReport("home_line", "en"))).toContain(">100 Pristine</text>");
  });

  test("shortens labels that are too long", () => {
    const report = goldenReport("home_line", "en");
    const risk = { ...report.risk, label: "中".repeat(5000) };
    const svg = renderBadge({ ...report, ip: "x".repeat(5000), risk });
    expect(new TextEncoder().encode(svg).length).toBeLessThanOrEqual(2048);
    expect(svg).toContain(`>100 ${"中".repeat(40)}...</text>`);
  });

  test("is well-formed and small for any strings from outside", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (foreign) => {
        const svg = renderBadge(foreignReport(foreign, foreign, "zh"));
        expect(new TextEncoder().encode(svg).length).toBeLessThanOrEqual(2048);
        expect(svg.trimEnd()).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]|&(?!amp;|lt;|gt;|quot;|#x27;)/u);
        expect(svg.match(/[<>]/g)).toHaveLength(26);
      }),
    );
  });

  test.each([...LANGUAGES])(
    "stays one small drawing without script for hostile strings in %s",
    (language) => {
      const svg = renderBadge(hostileReport(language));
      expect(new TextEncoder().encode(svg).length).toBeLessThanOrEqual(2048);
      expect(svg.match(/<[a-z]+/g)).toEqual([
        "<svg",
        "<title",
        "<rect",
        "<rect",
        "<rect",
        "<g",
        "<text",
        "<text",
      ]);
      expect(svg).not.toMatch(/[\p{Cf}\p{Cs}]/u);
      expect(svg).not.toMatch(/<script|<img|<!--|href/i);
    },
  );
});

test.each([...LANGUAGES])("renderPlainBadge is in %s as in its golden file", (language) => {
  for (const answer of ["unknown", "special", "notPublic", "invalid"] as const)
    matchGoldenFormat(`${answer}.${language}.svg`, renderPlainBadge("2001:db8::7", answer, language));
});
