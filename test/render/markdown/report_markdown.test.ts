import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { reportPageTextsOf } from "#locale";
import { renderMarkdown } from "#render";
import { LANGUAGES, type Report } from "#report";
import { escapeMarkdown, quoteMarkdown } from "../../../src/render/markdown/report_markdown.ts";
import TEXTS from "../../fixtures/texts.json";
import { foreignReport } from "../foreign_report.ts";
import { GOLDEN_NAMES, goldenReport, matchGoldenFormat } from "../golden_reports.ts";
import { HOSTILE, hostileReport } from "../hostile_report.ts";

/** Renders Markdown to HTML by a library, with every GitHub extension that could add markup. */
function toHtml(markdown: string): string {
  return Bun.markdown.html(markdown, { tables: true, strikethrough: true, tasklists: true, autolinks: true });
}

/** Every element's name, in order. */
function elementsOf(html: string): string[] {
  return [...html.matchAll(/<([a-z][a-z0-9]*)/gi)].map(([, name = ""]) => name.toLowerCase());
}

/** The text of HTML without its elements. */
function shownOf(html: string): string {
  const plain = html
    .replace(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">");
  return plain.replaceAll("&quot;", '"').replaceAll("&amp;", "&");
}

/** Counts the cells of a table row as GitHub does: a backslash escapes the character after it. */
function cellsOf(line: string): number {
  return line.replace(/\\[!-/:-@[-`{-~]/g, "").split("|").length - 2;
}

/** Expects every row of every table to have as many cells as its head. Returns the number of tables. */
function expectTables(text: string): number {
  let columns = 0;
  let rules = 0;
  for (const line of text.split("\n")) {
    if (!line.startsWith("|")) columns = 0;
    else {
      if (columns === 0) columns = cellsOf(line);
      expect(cellsOf(line), line).toBe(columns);
      if (/^\|(?: -+:? \|)+$/.test(line)) rules += 1;
    }
  }
  return rules;
}

describe("renderMarkdown", () => {
  for (const name of GOLDEN_NAMES) {
    test.each([...LANGUAGES])(`writes ${name} in %s as in its golden file`, (language) => {
      const text = renderMarkdown(goldenReport(name, language));
      matchGoldenFormat(`${name}.${language}.md`, text);
      expect(text).toEndWith("\n");
      expect(text).not.toStartWith("---");
      expect(text).not.toContain("\n\n\n");
    });
  }

  test("writes valid tables", () => {
    for (const name of GOLDEN_NAMES) {
      for (const language of LANGUAGES) {
        const report = goldenReport(name, language);
        const text = renderMarkdown(report);
        const rules = expectTables(text);
        const html = toHtml(text);
        expect(rules > 1).toBe(report.scenarioApplicable);
        expect(elementsOf(html).filter((element) => element === "table")).toHaveLength(rules);
        expect(html.replace(/<[^>]*>/g, "")).not.toMatch(/\|\s*-{3}/);
      }
    }
  });

  test("contains every part of the report", () => {
    const [report, { scenarios }] = [goldenReport("server", "en"), reportPageTextsOf("en")];
    const text = shownOf(toHtml(renderMarkdown(report)));
    const parts = [
      ...report.risk.factors.flatMap(({ label, detail }) => [label, detail]),
      ...report.unknowns.slice(0, -1).flatMap(({ label, detail }) => [label, detail]),
      ...report.scenarios.flatMap(({ id, levelLabel, reasons }) => [scenarios[id], levelLabel, ...reasons]),
      ...report.blocklists.map(({ label }) => label),
      ...report.sources.flatMap(({ name, error, skipped }) => [name, error ?? skipped ?? name]),
      report.risk.verdict,
      report.reportUrl,
      "CVE-2025-0002",
      "IP geolocation by DB-IP",
      "Example Shield VPN",
    ];
    for (const part of parts) expect(text.toLowerCase()).toContain(part.toLowerCase());
    const caution = 'No risk seen does not mean "safe"';
    expect(text).not.toContain(caution);
    expect(shownOf(toHtml(renderMarkdown(goldenReport("home_line", "en"))))).toContain(caution);
  });

  test.each([...LANGUAGES])("hostile strings add no link, markup, cell or line in %s", (language) => {
    const links = (report: Report) =>
      elementsOf(toHtml(renderMarkdown(report))).filter((name) => name === "a").length;
    const hostile = hostileReport(language);
    const text = renderMarkdown(hostile);
    expect(text).not.toMatch(/[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
    expect(text.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
    const elements = new Set(elementsOf(toHtml(text)));
    for (const element of ["script", "img", "del", "em", "input", "blockquote"])
      expect(elements).not.toContain(element);
    // Only the credits: the URLs of the report and of the method are not http here.
    expect(links(hostile)).toBe(1);
    expect(HOSTILE).toContain("<img");
  });

  test("keeps its structure for any strings from outside", () => {
    const unit = fc.constantFrom(..."|`*_~[]()<>!#+-=.:@&\\\n\r\t $'\"1a中，", ...TEXTS.breaking);
    // The URL of the report may be a link or text; this test ignores it.
    const structureOf = (foreign: string) => {
      const report = {
        ...foreignReport(foreign, foreign, "en"),
        reportUrl: "https://limpid.example/en/ip/x",
      };
      const text = renderMarkdown(report);
      expectTables(text);
      expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
      return elementsOf(toHtml(text)).filter((name) => name !== "code");
    };
    const honest = structureOf("x");
    fc.assert(
      fc.property(fc.array(unit, { minLength: 1, maxLength: 12 }), (parts) => {
        // Marks of bold text next to a blank stay text, so the string starts and ends with a letter.
        const foreign = `x${parts.join("")}x`;
        expect(structureOf(foreign)).toEqual(honest);
      }),
      { numRuns: 300 },
    );
  });
});

describe("escapeMarkdown", () => {
  test("keeps ordinary names readable", () => {
    for (const name of TEXTS.plain) expect(escapeMarkdown(name)).toBe(name);
  });

  test("shows markup as text", () => {
    for (const text of TEXTS.markup) {
      const html = toHtml(`${escapeMarkdown(text)}\n`);
      expect(elementsOf(html), text).toEqual(["p"]);
      expect(shownOf(html).trimEnd()).toBe(text.trimEnd());
    }
  });

  test("writes a string with an at sign as code", () => {
    expect(escapeMarkdown("a@b.example")).toBe("`a@b.example`");
    expect(toHtml(`${escapeMarkdown("`` a@b | `")}\n`)).toContain("<code>");
    expect(quoteMarkdown("a|b\\|")).toBe("`a\\u{7c}b\\\\u{7c}`");
    expect(quoteMarkdown("a`b")).toBe("`` a`b ``");
    expect(quoteMarkdown("")).toBe("`  `");
  });
});
