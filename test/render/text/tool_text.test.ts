import { describe, expect, test } from "bun:test";
import { type Compared, renderCaveats, renderComparison } from "#render";
import { LANGUAGES, type Language } from "#report";
import { HOME, TOR_EXIT } from "../../fixtures/assessments.ts";
import { reportOf } from "../full_reports.ts";
import { matchGoldenFormat } from "../golden_reports.ts";
import { hostileReport } from "../hostile_report.ts";

const report = (assessment: typeof HOME, language: Language) =>
  reportOf(assessment, language, { reportUrl: `https://limpid.example/ip/${assessment.address}` });

const failed = [
  { name: "Source A", state: "failed", why: "too slow" },
  { name: "Source B", state: "failed", why: "too slow" },
  { name: "Source C", state: "failed", why: "refused" },
] as const;
const unanswered = [...failed, { name: "Source D", state: "skipped", why: "no key" } as const];

function compareIn(language: Language): readonly Compared[] {
  return [
    { ip: TOR_EXIT.address, report: report(TOR_EXIT, language), failed },
    { ip: "nonsense", refusal: "no address" },
    { ip: HOME.address, report: report(HOME, language), failed: [] },
  ];
}

describe("renderComparison", () => {
  test.each([...LANGUAGES])("compares in %s, in 72 columns, in the order given", (language) => {
    const compared = compareIn(language);
    const text = renderComparison(compared, language);
    for (const line of text.split("\n")) expect(Bun.stringWidth(line), line).toBeLessThanOrEqual(72);
    const places = compared.map(({ ip }) => text.indexOf(`\n${ip}\n`));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places).not.toContain(-1);
    expect(text).toContain(`${TOR_EXIT.purity}/100`);
    expect(text).toContain("https://limpid.example/ip/");
    expect(text).toMatch(language === "en" ? /No risk seen does not mean "safe"/ : /不等于安全/);
  });

  test.each([...LANGUAGES])("is in %s as in its golden file, with the caveats", (language) => {
    const compared = compareIn(language);
    const { unknowns } = report(HOME, language);
    const text = [
      renderComparison(compared, language),
      renderCaveats({ language, unanswered, unknowns, openLeft: 3 }),
      renderCaveats({ language, unanswered: [], unknowns, openLeft: 0 }),
    ].join("----\n");
    matchGoldenFormat(`comparison.${language}.txt`, text);
  });

  test("shows no control or bidi characters from outside", () => {
    for (const language of LANGUAGES) {
      const hostile = hostileReport(language);
      const why = "\u{1b}[2J\u{202e}";
      const text = renderComparison(
        [
          { ip: "\u{1b}]0;x\u{7}", refusal: "\u{200b}\n" },
          { ip: hostile.ip, report: hostile, failed: [{ name: why, state: "failed", why }] },
        ],
        language,
      );
      expect(text).not.toMatch(
        /[\u{0}-\u{9}\u{b}-\u{1f}\u{7f}-\u{9f}\u{200b}-\u{200f}\u{202a}-\u{202e}\u{2066}-\u{2069}]/u,
      );
    }
  });
});

describe("renderCaveats", () => {
  const unknowns = [
    { id: "exclusivity", label: "Label one", detail: "" },
    { id: "unheard_sources", label: "Label two", detail: "A" },
    { id: "unheard_sources", label: "Label two", detail: "B" },
  ];

  test("lists unanswered sources, unknowns and the remaining allowance, each once", () => {
    const text = renderCaveats({ language: "en", unanswered, unknowns, openLeft: 3 }).replace(/\s+/g, " ");
    expect(text).toContain("not clean: Source A, Source B (too slow); Source C (refused).");
    expect(text).toContain(
      "These sources were not asked. Their result is unknown as well: Source D (no key).",
    );
    expect(text).toContain("Label one; Label two.");
    expect(text).toContain("left today: 3.");
  });
});
