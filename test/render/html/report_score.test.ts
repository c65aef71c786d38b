import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { pageTextsOf } from "#locale";
import { renderReportPage } from "#render";
import { LANGUAGES } from "#report";
import { HISTORY, storedReport } from "../pages.ts";
import { findUnbalanced, textOfPage } from "../read_page.ts";

type History = NonNullable<NonNullable<Parameters<typeof renderReportPage>[1]>["history"]>;

/** The HTML of the chart and its table; empty without a chart. */
function draw(history: History, language: "zh" | "en" = "en"): string {
  const page = renderReportPage(storedReport(language), { history });
  const from = page.indexOf('<div class="history">');
  return from < 0 ? "" : page.slice(from, page.indexOf("</section>", from));
}

const dots = (drawn: string) =>
  [...drawn.matchAll(/class="dot band-(\w+)" d="M(\d+) (\d+)h/g)].map((it) => it.slice(1));

describe("renderHistory()", () => {
  test("renders nothing for fewer than two assessments", () => {
    expect(draw([])).toBe("");
    expect(draw(HISTORY.slice(0, 1))).toBe("");
    expect(draw(HISTORY.slice(0, 2))).not.toBe("");
  });

  test("shows time from left to right and purity from below, whatever the input order", () => {
    const expected = [
      ["pristine", "0", "8"],
      ["clean", "150", "12"],
      ["clean", "333", "28"],
      ["suspicious", "750", "59"],
      ["suspicious", "1000", "63"],
    ];
    expect(dots(draw(HISTORY))).toEqual(expected);
    expect(dots(draw(HISTORY.toReversed()))).toEqual(expected);
    expect(draw(HISTORY)).toContain('class="line" d="M0 8L150 12L333 28L750 59L1000 63"');
  });

  test("draws the point of a thin report hollow, and leaves it out of the line", () => {
    const [newest] = HISTORY;
    if (newest === undefined) throw new Error("Cannot draw: no history");
    const report = storedReport("en");
    const page = renderReportPage(
      {
        ...report,
        queriedAt: new Date(newest.surveyedAt).toISOString(),
        risk: { ...report.risk, confidence: "low" },
      },
      { history: HISTORY },
    );
    expect(page).toContain('class="line" d="M0 8L150 12L333 28L750 59"');
    expect(page).toContain('<path class="dot band-thin" d="M1000 63h0.01"></path><path class="dot hole"');
    expect(page.match(/class="dot hole"/g)).toHaveLength(1);
  });

  test("draws every point of low confidence hollow, and no line without another one", () => {
    const thin = (index: number) => ({ ...(HISTORY[index] as (typeof HISTORY)[number]), confidence: "low" });
    const drawn = draw([...HISTORY.slice(0, 2), thin(2), thin(3), ...HISTORY.slice(4)]);
    expect(drawn.match(/class="dot hole"/g)).toHaveLength(2);
    expect(drawn).toContain('class="line" d="M0 8L750 59L1000 63"');
    expect(draw([thin(0), thin(1)])).not.toContain('class="line"');
  });

  test.each([...LANGUAGES])("says when only the coverage changed, in %s", (language) => {
    const page = pageTextsOf(language);
    const same = HISTORY.map((point) => ({ ...point, purity: 41 }));
    const sentence = page.say("coverageChanged", { from: 57, to: 91, date: "2026-03-04" });
    expect(textOfPage(draw(same, language))).toContain(`91% ${page.onlyCoverage}`);
    expect(textOfPage(draw(same, language))).toContain(sentence);
    // A new purity or scoring version says more, and nothing is known of the conclusions before.
    expect(draw(HISTORY, language)).not.toContain(page.onlyCoverage);
    expect(draw(same.slice(1), language)).not.toContain(page.onlyCoverage);
  });

  test("marks changes of the scoring version, in the chart and in words", () => {
    const drawn = draw(HISTORY);
    expect([...drawn.matchAll(/class="change" d="M(\d+) 0v100"/g)].map(([, at]) => at)).toEqual(["750"]);
    expect(textOfPage(drawn)).toContain(
      pageTextsOf("en").say("scoringChanged", { from: 1, to: 2, date: "2026-02-17" }),
    );
    const same = HISTORY.map((point) => ({ ...point, scoringVersion: 2 }));
    expect(draw(same)).not.toContain('class="change"');
  });

  test.each([...LANGUAGES])("has a text for people who cannot see it, in %s", (language) => {
    const drawn = draw(HISTORY, language);
    const facts = pageTextsOf(language).historyFacts({
      count: 5,
      from: "2026-01-03",
      to: "2026-03-04",
      lowest: 37,
      highest: 92,
    });
    expect(drawn).toContain('role="img" aria-labelledby="history-title history-facts"');
    expect(drawn).toContain(`<desc id="history-facts">${facts}</desc>`);
    const rows = [...drawn.matchAll(/<tr><th scope="row">[\s\S]*?<\/tr>/g)].map(([row]) =>
      textOfPage(row).trim(),
    );
    expect(rows).toHaveLength(5);
    expect(rows[0]).toStartWith("2026-03-04 37");
    expect(rows.at(-1)).toStartWith("2026-01-03 92");
  });

  test("shows the newest fifty of many", () => {
    const many = Array.from({ length: 80 }, (_, index) => ({
      surveyedAt: Date.UTC(2026, 0, 1) + index * 86_400_000,
      purity: index,
      band: "clean",
      scoringVersion: 1,
      confidence: null,
      coverage: null,
    }));
    const shown = dots(draw(many));
    expect(shown).toHaveLength(50);
    expect(shown[0]?.[2]).toBe(String(100 - 30));
  });

  test("stays valid for any stored values", () => {
    const point = fc.record({
      surveyedAt: fc.oneof(
        fc.nat(),
        fc.double(),
        fc.constantFrom(-1e308, 1e308, 0.5, Number.POSITIVE_INFINITY),
      ),
      purity: fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer()),
      band: fc.oneof(fc.constantFrom("clean", "constructor", "__proto__"), fc.string({ unit: "binary" })),
      scoringVersion: fc.nat(5),
      confidence: fc.option(fc.oneof(fc.constantFrom("low", "high"), fc.string({ unit: "binary" }))),
      coverage: fc.option(fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer())),
    });
    fc.assert(
      fc.property(fc.array(point, { maxLength: 8 }), (history) => {
        const drawn = draw(history);
        expect(findUnbalanced(`${drawn}`)).toEqual([]);
        expect(drawn).not.toMatch(/NaN|Infinity|undefined/);
        for (const [, x, y] of dots(drawn)) {
          expect(Number(x)).toBeLessThanOrEqual(1000);
          expect(Number(y)).toBeLessThanOrEqual(100);
        }
      }),
    );
  });
});
