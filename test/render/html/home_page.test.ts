import { describe, expect, test } from "bun:test";
import { pageTextsOf, reportPageTextsOf, reportTextsOf, siteTextsOf } from "#locale";
import { type HomePageParts, renderHomePage } from "#render";
import { LANGUAGES, type Report } from "#report";
import { contextOf } from "../../../src/render/report_context.ts";
import { describeLists } from "../../../src/render/report_fields.ts";
import { goldenReport } from "../golden_reports.ts";
import { storedReport } from "../pages.ts";
import { findUnbalanced, readPage, textOfPage } from "../read_page.ts";

const origin = "https://limpid.example";

describe.each([...LANGUAGES])("renderHomePage() in %s", (language) => {
  const words = pageTextsOf(language);
  const site = siteTextsOf(language);
  const renderHome = (parts: Partial<HomePageParts>) =>
    renderHomePage({ language, origin, example: goldenReport("server", language), ...parts });
  const prefix = language === "en" ? "/en" : "";

  test("has forms for one address and for several, without script", async () => {
    const page = renderHome({});
    expect(findUnbalanced(page)).toEqual([]);
    expect(page).toContain('href="https://db-ip.com"');
    const { elements } = await readPage(page);
    const forms = elements
      .filter(({ tag }) => tag === "form")
      .map(({ attributes }) => Object.fromEntries(attributes));
    expect(forms).toEqual([
      { id: "lookup-form", action: language === "en" ? "/en" : "/", method: "get" },
      { action: `${prefix}/compare`, method: "get" },
    ]);
    const fields = elements
      .filter(({ tag }) => tag === "input" || tag === "textarea")
      .map(({ attributes }) => attributes.get("name"));
    expect(fields).toEqual(["ip", "ips"]);
    const labels = elements
      .filter(({ tag }) => tag === "label")
      .map(({ attributes }) => attributes.get("for"));
    expect(labels).toEqual(["ip", "ips"]);
    for (const part of ['src="/static/home.js"', `placeholder="${site.placeholder}"`])
      expect(page).toContain(part);
  });

  test("shows the visitor's own address after the search, with what is known of it", () => {
    expect(renderHome({})).not.toContain(words.yourAddress);
    const unknown = renderHome({ address: "2001:db8::7" });
    expect(unknown).toContain(`href="${prefix}/ip/2001:db8::7"`);
    expect(unknown.indexOf('id="lookup-form"')).toBeLessThan(unknown.indexOf('id="mine"'));
    const report = storedReport(language);
    const known = textOfPage(renderHome({ address: report.ip, report }));
    const time = `${report.queriedAt.slice(0, 19).replace("T", " ")} UTC`;
    const listed = describeLists(contextOf(report));
    for (const shown of [report.ip, "37", report.risk.verdict, time, listed, words.yourReport])
      expect(known).toContain(shown);
    for (const { id } of report.scenarios)
      expect(known).toContain(`${reportPageTextsOf(language).scenarios[id]} `);
    // One report is enough: the example is a link.
    expect(known).not.toContain(site.exampleNote);
  });

  test("says in words what the stripes of the dial mean", () => {
    const report = storedReport(language);
    const risk = { ...report.risk, range: { low: 12, high: 37 } };
    const own = textOfPage(renderHome({ address: report.ip, report: { ...report, risk } }));
    expect(own).toContain(reportPageTextsOf(language).stripes(12).replaceAll("\u00a0", " "));
  });

  test("shows what the tables know of the own address without a score", () => {
    const report: Report = { ...storedReport(language), source: "fresh" };
    const page = renderHome({ address: report.ip, report });
    const text = textOfPage(page.slice(page.indexOf('id="mine"'), page.indexOf('id="sample"')));
    for (const shown of [report.ip, "AS64500", site.ownFromTables, site.ownCheck])
      expect(text).toContain(shown);
    expect(text).not.toContain("37");
  });

  test("asks for both addresses of a visitor only with two origins for it", () => {
    expect(renderHome({ address: "203.0.113.7" })).not.toContain("families");
    const families = { ipv4: "https://v4.example", ipv6: "https://v6.example" };
    const page = renderHome({ address: "203.0.113.7", families });
    expect(findUnbalanced(page)).toEqual([]);
    expect(page).toContain('data-ipv4="https://v4.example" data-ipv6="https://v6.example"');
    expect(page).toContain('src="/static/families.js"');
  });

  test("shows a visitor with a private address the example, and why", () => {
    const report = goldenReport("private", language);
    const page = renderHome({ address: report.ip, report });
    expect(findUnbalanced(page)).toEqual([]);
    expect(page).not.toContain(`href="${prefix}/ip/${report.ip}"`);
    expect(page).not.toContain('id="mine"');
    const places = ['id="sample"', site.special(report.ip), 'id="ips"'].map((it) => page.indexOf(it));
    expect(places.toSorted((a, b) => a - b)).toEqual(places);
    expect(places).not.toContain(-1);
    expect(renderHome({})).not.toContain("LIMPID_TRUSTED_PROXIES");
  });

  test("says that nothing is deducted instead of a sum without parts", () => {
    const example = goldenReport("server", language);
    const text = textOfPage(renderHome({ example: { ...example, risk: { ...example.risk, factors: [] } } }));
    expect(text).toContain(reportTextsOf(language).labels.noFactors);
    expect(text).not.toContain("= 37");
  });

  test("shows an example report, and says that it is invented", () => {
    const example = goldenReport("server", language);
    const page = renderHome({ example });
    expect(findUnbalanced(page)).toEqual([]);
    const text = textOfPage(page);
    const { exampleTitle, exampleNote } = site;
    for (const shown of [exampleTitle, example.ip, "37", example.risk.verdict, "AS64500", exampleNote])
      expect(text).toContain(shown);
    expect(page.match(new RegExp(`href="${prefix}/example"`, "g"))).toHaveLength(1);
    // The address of an example has no report of its own.
    expect(page).not.toContain(`/ip/${example.ip}`);
  });

  test("shows commands for a terminal, on its own origin", () => {
    const text = textOfPage(renderHome({}));
    for (const path of ["/", `${prefix}/cli/me`, `${prefix}/ip/me.txt`, `${prefix}/ip/me.json`])
      expect(text).toContain(`curl ${origin}${path}`);
  });

  test("escapes every string", () => {
    const page = renderHome({ address: '"><img src=x onerror=alert(1)>' });
    expect(page).not.toContain("<img");
  });
});
