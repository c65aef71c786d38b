import { describe, expect, test } from "bun:test";
import { pageTextsOf, reportTextsOf } from "#locale";
import { renderComparePage } from "#render";
import { LANGUAGES } from "#report";
import { fullReport } from "../full_reports.ts";
import { writePage } from "../pages.ts";
import { findUnbalanced, readPage, textOfPage } from "../read_page.ts";

describe.each([...LANGUAGES])("renderComparePage() in %s", (language) => {
  const kinds = ["home", "vpn_abused", "tor", "home_ipv6", "silent"] as const;
  const reports = kinds.map((kind) => fullReport(kind, language));
  const asked = reports.map(({ ip }) => ip);
  const page = renderComparePage({ reports, asked, language, problems: [] });
  const words = pageTextsOf(language);

  test("shows five addresses in columns, in the order of the request", async () => {
    expect(findUnbalanced(page)).toEqual([]);
    const rows = [...page.matchAll(/<tr><th scope="row">([\s\S]*?)<\/tr>/g)].map(([row]) => row);
    expect(rows).toHaveLength(14);
    for (const row of rows) expect(row.match(/<td>/g)).toHaveLength(5);
    const heads = page.slice(page.indexOf("<thead>"), page.indexOf("</thead>"));
    const links = [...heads.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
    expect(links).toEqual(asked.map((ip) => `${language === "en" ? "/en" : ""}/ip/${ip}`));
  });

  test("shows the values of each report", () => {
    const rows = [...page.matchAll(/<tr><th scope="row">([\s\S]*?)<\/tr>/g)].map(([row]) =>
      row
        .split("<td>")
        .slice(1)
        .map((cell) => textOfPage(cell).trim()),
    );
    const texts = reportTextsOf(language);
    for (const [column, report] of reports.entries()) {
      const cells = rows.map((row) => row[column]);
      expect(cells[0]).toBe(`${report.risk.purity} ${report.risk.label}`);
      expect(cells[1]).toBe(texts.confidences[report.risk.confidence]);
      expect(cells[2]).toBe(texts.usages[report.usageType]);
      expect(cells[3]).toBe(texts.natives[report.nativeType]);
      for (const [index, scenario] of report.scenarios.entries())
        expect(cells[5 + index]).toBe(`${scenario.levelLabel} ${scenario.score ?? ""}`.trim());
      const listed = report.blocklists.filter((list) => list.listed && !list.benign && !list.unavailable);
      expect(cells[11]).toBe(String(listed.length));
      expect(cells[12]).toBe(String(report.blocklists.filter((list) => list.unavailable).length));
    }
    const dearest = reports[1]?.risk.factors.toSorted((a, b) => b.points - a.points) ?? [];
    expect(rows[13]?.[1]).toBe(
      dearest
        .slice(0, 3)
        .map(({ label, points }) => `${label} \u2212${points}`)
        .join(" "),
    );
  });

  test("lists the addresses without a report, and why", () => {
    const text = textOfPage(writePage("compare", language));
    expect(text).toContain(words.notAvailable);
    expect(text).toContain("300.1.1.1");
  });

  test("keeps the addresses in the field and in the language link, and is not indexed", () => {
    expect(page).toContain(`required>${asked.join(", ")}</textarea>`);
    const other = language === "en" ? "/compare" : "/en/compare";
    expect(page).toContain(`href="${other}?ips=${asked.join(",")}"`);
    expect(page).toContain('content="noindex"');
  });

  test("says what to do without addresses", () => {
    const empty = renderComparePage({ reports: [], asked: [], language, problems: [] });
    expect(textOfPage(empty)).toContain(words.compareEmpty);
    expect(empty).not.toContain("noindex");
    expect(empty).not.toContain("<table");
    const url = `https://limpid.example${language === "en" ? "/en" : ""}/compare`;
    const known = renderComparePage({
      reports: [],
      asked: [],
      language,
      problems: [],
      origin: "https://limpid.example",
    });
    expect(known).toContain(`<link rel="canonical" href="${url}">`);
  });

  test("escapes every string", async () => {
    const hostile = writePage("compare_hostile", language);
    expect(findUnbalanced(hostile)).toEqual([]);
    const { elements } = await readPage(hostile);
    for (const { tag, attributes } of elements) {
      expect(["script", "img"]).not.toContain(tag);
      expect(attributes.get("href") ?? "/").toMatch(/^(https?:\/\/|\/|#)/);
    }
  });
});
