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
      '<title id="t">IP purity 203.0.113.45: Not enough data, 37/100 Suspicious, old data of 2026-03-04, confidence: low</title>',
    );
    expect(svg).toMatch(/>Not enough data, 37 Suspicious<.*fill="#000">Old data of 2026-03-04<\/text>/);
    expect(renderBadge(goldenReport("server", "zh"))).toMatch(
      />数据不足，37 可疑<.*>2026-03-04 的旧数据<\/text>/,
    );
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

  test("is as wide as its letters", () => {
    const report = goldenReport("home_line", "en");
    const widthOf = (label: string) =>
      Number(/width="(\d+)"/.exec(renderBadge({ ...report, risk: { ...report.risk, label } }))?.[1]);
    for (const [letter, width] of [
      ["W", 12.133],
      ["i", 3.773],
      ["中", 11],
    ] as const)
      expect(Math.abs(widthOf(letter.repeat(30)) - widthOf("") - 30 * width), letter).toBeLessThan(1);
  });

  test("marks old data, sources that failed and the range, but not what is sure", () => {
    const report = goldenReport("many_failed", "en");
    const risk = { ...report.risk, confidence: "medium", range: { low: 0, high: 100 } } as const;
    const marked = renderBadge({ ...report, risk, stale: true });
    expect(marked).toMatch(/>46 Suspicious<.*fill="#000">Old data of 2026-11-01 · as low as 0<\/text>/);
    expect(marked).toMatch(
      / old data of [-\d]+, \d+ sources failed, may be as low as 0 \(Dangerous\), confidence: medium/,
    );
    expect(contrastOf("#000000", "#e8e0cc")).toBeGreaterThanOrEqual(4.5);
    expect(renderBadge(goldenReport("private", "en"))).toContain(">No score</text>");
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
        expect(svg.match(/[<>]/g)).toHaveLength(34);
      }),
    );
  });

  test.each([...LANGUAGES])(
    "stays one small drawing without script for hostile strings in %s",
    (language) => {
      const svg = renderBadge(hostileReport(language));
      expect(new TextEncoder().encode(svg).length).toBeLessThanOrEqual(2048);
      const tags = svg.match(/(?<=<)[a-z]+/g)?.join(" ");
      expect(tags).toBe("svg title g rect rect rect g text text text");
      expect(svg).not.toMatch(/[\p{Cf}\p{Cs}]/u);
      expect(svg).not.toMatch(/<script|<img|<!--|href/i);
    },
  );
});

test.each([...LANGUAGES])("renderPlainBadge is in %s as in its golden file", (language) => {
  for (const answer of ["unknown", "special", "notPublic", "invalid"] as const)
    matchGoldenFormat(`${answer}.${language}.svg`, renderPlainBadge("2001:db8::7", answer, language));
});
