import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { renderTerminal, renderText } from "#render";
import { BANDS, LANGUAGES } from "#report";
import { expectShape } from "../expect_shape.ts";
import { foreignReport } from "../foreign_report.ts";
import { GOLDEN_NAMES, goldenReport, readGolden } from "../golden_reports.ts";
import { hostileReport } from "../hostile_report.ts";

const SGR = /\u001b\[(\d+(?:;\d+)*)m/g;

describe("renderTerminal", () => {
  for (const name of ["server", "home_line", "tor"] as const) {
    test.each([...LANGUAGES])(`paints ${name} in %s as its golden file has it`, async (language) => {
      const text = renderTerminal(goldenReport(name, language), { colour: true });
      expect(text).toBe(await readGolden(`${name}.${language}.ansi`, text));
    });
  }

  test("writes the text report, and with colour nothing but colour besides", () => {
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

  test("uses the colours every terminal has and both backgrounds bear, each ended in its line", () => {
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
    const allowed = ["0", "1", "2", "1;32", "32", "36", "35", "31", "1;31"];
    for (const code of codes) expect(allowed).toContain(code);
    expect(codes.size).toBeGreaterThan(5);
  });

  test("paints every band in a way of its own", () => {
    const report = goldenReport("home_line", "en");
    const ways = BANDS.map((level) => {
      const text = renderTerminal({ ...report, risk: { ...report.risk, level } }, { colour: true });
      return text.split("\n").find((line) => line.startsWith("Purity"));
    });
    expect(new Set(ways).size).toBe(BANDS.length);
  });

  test("lets no escape sequence of others through", () => {
    const strip = (text: string) => text.replace(SGR, "");
    for (const language of LANGUAGES) {
      const text = renderTerminal(hostileReport(language), { colour: true });
      expectShape(strip(text));
      for (const [, code] of text.matchAll(SGR)) expect(code).not.toBe("31m");
      expect(text).toContain("\\u{1b}[31m");
    }
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 80 }), (foreign) => {
        const text = renderTerminal(foreignReport(foreign, "x", "zh"), { colour: true });
        expectShape(strip(text));
      }),
    );
  });
});
