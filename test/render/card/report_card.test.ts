import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { capitalize, cardTextsOf, nameCountry, reportPageTextsOf, reportTextsOf } from "#locale";
import { CARD_PAGES, renderPageCard, renderReportCard, renderUnsurveyedCard } from "#render";
import { BANDS, LANGUAGES } from "#report";
import { listCountryCodes, listLetters } from "../../../src/build/card_characters.ts";
import { isDrawable, shortenTo, toDrawable, widthOf, wrapTo } from "../../../src/render/card/card_text.ts";
import IDEOGRAPHS from "../../../src/render/card/ideographs.json" with { type: "json" };
import { contextOf } from "../../../src/render/report_context.ts";
import { describeLists } from "../../../src/render/report_fields.ts";
import { contrastOf } from "../contrast.ts";
import { foreignReport } from "../foreign_report.ts";
import { GOLDEN_NAMES, goldenReport } from "../golden_reports.ts";
import { hostileReport } from "../hostile_report.ts";
import { readFont } from "./read_font.ts";

const files = ["latin_medium", "latin_bold", "chinese_medium", "chinese_bold"].map((name) =>
  readFileSync(join(import.meta.dir, `../../../fonts/${name}.ttf.gz`)),
);
const fonts = files.map((file) => readFont(Bun.gunzipSync(file)));

/** The text of an SVG image, entities resolved. */
function textOf(svg: string): string {
  return svg
    .replaceAll(/<\/text>/g, "\n")
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(
      /&(lt|gt|amp|quot|#x27);/g,
      (_, name: string) => ({ lt: "<", gt: ">", amp: "&", quot: '"' })[name] ?? "'",
    );
}

/** The texts of a card with their size and place. They reach from the height of capitals to below the line, digits to it. */
function listBoxes(svg: string) {
  return [...svg.matchAll(/<text([^>]*)>(.*?)<\/text>/g)].map(([, attributes = "", content = ""]) => {
    const read = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1] ?? "";
    const [x, y, size] = [Number(read("x")), Number(read("y")), Number(read("font-size"))];
    const text = textOf(content);
    const width = [...text].reduce((sum, one) => sum + (fonts[1]?.widthOf(one) ?? 1000), 0) * (size / 1000);
    const left = read("text-anchor") === "end" ? x - width : read("text-anchor") === "" ? x : x - width / 2;
    const depth = /^\d+$/.test(text) ? 0 : 0.22;
    return { text, size, left, right: left + width, top: y - size * 0.73, bottom: y + size * depth };
  });
}

/** Every card that is drawn from our own texts. */
function listCards(): readonly string[] {
  return LANGUAGES.flatMap((language) => [
    ...GOLDEN_NAMES.flatMap((name) => [
      renderReportCard(goldenReport(name, language)),
      renderUnsurveyedCard(goldenReport(name, language)),
    ]),
    ...CARD_PAGES.map((page) => renderPageCard(page, language, "https://limpid.example")),
  ]);
}

describe("the fonts of the share cards", () => {
  test("have every letter in both weights, and every ideograph in both weights", () => {
    for (const letter of listLetters())
      for (const font of fonts.slice(0, 2)) expect(font.widthOf(letter), letter).toBeDefined();
    for (const ideograph of IDEOGRAPHS)
      for (const font of fonts.slice(2)) expect(font.widthOf(ideograph), ideograph).toBeDefined();
  });

  test("can draw every text of the cards; if not, run: bun src/build/card_fonts.ts", () => {
    const texts = LANGUAGES.flatMap((language) => {
      const { bands, confidences, labels } = reportTextsOf(language);
      const cards = Object.values(cardTextsOf(language)).flatMap((text) =>
        typeof text === "function" ? [] : typeof text === "string" ? [text] : Object.values<string>(text),
      );
      const { usages, natives } = reportPageTextsOf(language);
      const coverage = cardTextsOf(language).coverage(100);
      const names = listCountryCodes().map((code) => nameCountry(code, language));
      return [
        ...[bands, confidences, usages, natives].flatMap((table) => Object.values<string>(table)),
        ...[labels.confidence, labels.vpn, labels.flags, labels.blocklists, coverage],
        ...[...cards, ...names],
      ];
    });
    const missing = [...texts, ...listCards().map(textOf)].flatMap((text) =>
      [...text].filter((character) => character !== "\n" && !isDrawable(character)),
    );
    expect([...new Set(missing)]).toEqual([]);
  });

  test("are as small as a picture", () => {
    expect(files.reduce((sum, file) => sum + file.length, 0)).toBeLessThan(400_000);
  });
});

describe("texts of a card", () => {
  test("keep Latin, Greek and Cyrillic names, drop accents that no font has, and mark what is left out", () => {
    for (const name of ["Łódź Zürich Ångström", "Телеком", "Ελλάδα", "Nguyễn", "中国"])
      expect(toDrawable(name)).toBe(name);
    expect(toDrawable("\u1e02ank")).toBe("Bank");
    expect(toDrawable("شبكة Net 네트워크")).toBe("\u2026 Net \u2026");
    expect(toDrawable("a\u202eb\u0000c")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  test("have the widths of the bold font, rounded up to a thousandth of their size", () => {
    const letters = listLetters().match(/[ -~\u00b7\u2013\u2014\u2026]/g) ?? [];
    expect(letters).toHaveLength(99);
    for (const letter of letters)
      expect(widthOf(letter, 1000), letter).toBe(Math.ceil(fonts[1]?.widthOf(letter) ?? 0));
  });

  test("are cut and wrapped to their space", () => {
    const long = "GESELLSCHAFT FUER TELEKOMMUNIKATION ".repeat(9);
    expect(widthOf(shortenTo(long, 30, 400), 30)).toBeLessThanOrEqual(400);
    const lines = wrapTo("这个地址属于特殊用途，".repeat(30), 30, 600, 4);
    expect(lines).toHaveLength(4);
    for (const line of lines) expect(widthOf(line, 30)).toBeLessThanOrEqual(600);
    const marked = [130, 160, 190, 220, 250].flatMap((width) =>
      wrapTo("纯净度（同类地址）通常（RFC 1918）不低于，是。".repeat(9), 30, width, 99),
    );
    expect(marked.filter((line) => /^[，。）]|（$/.test(line))).toEqual([]);
  });
});

describe("renderReportCard", () => {
  test.each([...LANGUAGES])("shows address, score, band, country, network and lists in %s", (language) => {
    const report = goldenReport("server", language);
    const text = textOf(renderReportCard(report));
    const { notEnough } = reportTextsOf(language);
    // The words are on two lines.
    expect(text.replaceAll(/\s+/g, " ")).toContain(notEnough);
    for (const shown of [report.ip, "37", report.risk.label, "AS64500", "limpid.example", "2026-03-04"])
      expect(text).toContain(shown);
    expect(text).toContain(nameCountry(report.geo?.country ?? "", language));
    const { usages, natives } = reportPageTextsOf(language);
    for (const shown of [usages.hosting, natives.broadcast, cardTextsOf(language).vulns(2)])
      expect(text).toContain(shown);
    const lists = describeLists(contextOf(report));
    expect(text.replaceAll(/\s+/g, "")).toContain(lists.replaceAll(" ", ""));
    const [verdict = ""] = report.risk.verdict.split(/(?<=[.\u3002])/);
    const operator = reportTextsOf(language).withDetail("", report.vpnOperator?.name ?? "");
    expect(text.replaceAll(/\s+/g, "")).toContain(verdict.replace(operator, "").replaceAll(/\s+/g, ""));
    // The operator is named once, beside the flag.
    expect(text.split(operator)).toHaveLength(2);
    expect(text).toContain(language === "en" ? "old data of 2026-03-04\n\n2 sources failed" : "2 个来源失败");
  });

  test.each([...LANGUAGES])(
    "shows six use cases, the VPN operator and the low end of the range in %s",
    (language) => {
      const report = goldenReport("server", language);
      const { scenarios } = reportPageTextsOf(language);
      const svg = renderReportCard({
        ...report,
        vpnOperator: { name: "Example VPN" },
        flags: { ...report.flags, isVpn: true },
        risk: { ...report.risk, range: { low: 12, high: 37 } },
      });
      const text = textOf(svg);
      for (const name of Object.values(scenarios)) expect(text).toContain(name);
      for (const { score, levelLabel } of report.scenarios)
        expect(text).toContain(score === null ? levelLabel : `${score} ${levelLabel}`);
      expect(text).toContain(reportTextsOf(language).withDetail("VPN", "Example VPN"));
      expect(text).toContain(capitalize(cardTextsOf(language).asLowAs(12)));
      const drawn = [...svg.matchAll(/width="(\d+)" height="6" rx="3" fill-opacity="0.(?:95|5)"/g)].map(
        ([, width]) => Number(width),
      );
      const scores = report.scenarios.flatMap(({ score }) => (score === null || score === 0 ? [] : [score]));
      expect(drawn).toEqual(scores.map((score) => Math.round(score * 3.08)));
    },
  );

  test("has no text that touches another or is smaller than 20 pixels", () => {
    const long = {
      ip: "2a02:8010:64f2:a1b2:c3d4:e5f6:a7b8:c9d0",
      vpnOperator: { name: "Very Long Virtual Private Network Operator" },
      geo: { country: "GS", countryName: "South Georgia and the South Sandwich Islands" },
      asn: { asn: 64500, name: "Extraordinarily Large Telecommunications Network Operations" },
    };
    for (const language of LANGUAGES) {
      const reports = GOLDEN_NAMES.map((name) => goldenReport(name, language));
      const cards = [...reports, ...reports.map((report) => ({ ...report, ...long }))].flatMap((report) => [
        renderReportCard(report),
        renderUnsurveyedCard(report),
      ]);
      for (const card of cards) {
        const boxes = listBoxes(card);
        expect(boxes.length).toBeGreaterThan(4);
        for (const [index, one] of boxes.entries()) {
          expect(one.size, one.text).toBeGreaterThanOrEqual(20);
          expect(one.right, one.text).toBeLessThanOrEqual(1160);
          for (const other of boxes.slice(index + 1)) {
            const isBeside = one.right <= other.left || other.right <= one.left;
            const isAbove = one.bottom <= other.top || other.bottom <= one.top;
            expect(isBeside || isAbove, `${one.text} | ${other.text}`).toBe(true);
          }
        }
      }
    }
  });

  test("ends the name of a network after a word", () => {
    const asn = {
      asn: 64500,
      name: "Extraordinarily Large Telecommunications Network Operations Corporation",
    };
    const text = textOf(renderReportCard({ ...goldenReport("server", "en"), asn }));
    expect(text).toMatch(/AS64500 Extraordinarily Large(?: Telecommunications)?\u2026\n/);
  });

  test("has a ground of its own for each band, on which white text has enough contrast", () => {
    const report = goldenReport("home_line", "en");
    const grounds = BANDS.map((level) => {
      const svg = renderReportCard({ ...report, risk: { ...report.risk, level } });
      return /<rect width="1200" height="630" fill="(#[0-9a-f]{6})"/.exec(svg)?.[1] ?? "";
    });
    expect(new Set(grounds).size).toBe(BANDS.length);
    for (const ground of grounds) expect(contrastOf("#ffffff", ground)).toBeGreaterThan(6);
  });

  test("says nothing good of an address that nobody has looked up", () => {
    for (const language of LANGUAGES) {
      const report = goldenReport("home_line", language);
      const text = textOf(renderUnsurveyedCard(report));
      expect(text).toContain(cardTextsOf(language).notSurveyed);
      expect(text).not.toContain(report.risk.label);
      expect(text).not.toContain("/ 100");
      expect(text).not.toContain(reportTextsOf(language).labels.noFlags);
      expect(text).not.toContain(cardTextsOf(language).surveyed(""));
    }
  });

  test("says how little was heard beside the confidence and beside the absence of flags", () => {
    const report = goldenReport("home_line", "en");
    const coverage = { total: 0.04, network: 1, anonymity: 0.1, lists: 0, abuse: 0, exposure: 0 };
    const little = textOf(renderReportCard({ ...report, risk: { ...report.risk, coverage } }));
    expect(little).toContain("Confidence High \u00b7 4% of usable sources");
    expect(little).toMatch(/Tor seen \(partly\s+checked\);\s+residential proxies not measured/);
    const none = { ...report.risk, coverage: { ...coverage, anonymity: 0 } };
    expect(textOf(renderReportCard({ ...report, risk: none }))).toMatch(/Flags\s+Proxy, VPN and Tor unknown/);
    expect(little).toMatch(/Not listed by any of 4,\s+on 2 mail policy lists \(e-mail only\)/);
    const much = { ...report.risk, coverage: { ...coverage, total: 0.9, anonymity: 0.9 } };
    expect(textOf(renderReportCard({ ...report, risk: much }))).toContain("No proxy, VPN or Tor seen;");
  });

  test("has no dial for a special-purpose address", () => {
    const text = textOf(renderReportCard(goldenReport("private", "en")));
    expect(text).not.toContain("/ 100");
    expect(text).toContain("192.168.0.0/16");
  });

  test.each([...LANGUAGES])("stays one drawing for hostile strings in %s", (language) => {
    const svg = renderReportCard(hostileReport(language));
    expect(new Set(svg.match(/<[a-z]+/g))).toEqual(
      new Set(`<svg <rect <path <circle <text <g${svg.includes("<tspan") ? " <tspan" : ""}`.split(" ")),
    );
    expect(svg).not.toMatch(/<script|<img|<image|href|[\p{Cf}\p{Cs}]/u);
  });

  test("is well-formed and small for any strings from outside", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (foreign) => {
        const svg = renderReportCard(foreignReport(foreign, foreign, "zh"));
        expect(svg.length).toBeLessThan(12_000);
        expect(svg).not.toMatch(/[\p{Cf}\p{Cs}]|&(?!amp;|lt;|gt;|quot;|#x27;)/u);
      }),
      { numRuns: 50 },
    );
  });
});
