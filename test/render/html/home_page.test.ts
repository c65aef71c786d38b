import { describe, expect, test } from "bun:test";
import { pageTextsOf, siteTextsOf } from "#locale";
import { renderHomePage } from "#render";
import { LANGUAGES } from "#report";
import { goldenReport } from "../golden_reports.ts";
import { storedReport } from "../pages.ts";
import { findUnbalanced, readPage, textOfPage } from "../read_page.ts";

const origin = "https://limpid.example";

describe.each([...LANGUAGES])("renderHomePage() in %s", (language) => {
  const words = pageTextsOf(language);
  const prefix = language === "en" ? "/en" : "";

  test("has forms for one address and for several, without script", async () => {
    const page = renderHomePage({ language, origin });
    expect(findUnbalanced(page)).toEqual([]);
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
    expect(page).toContain('src="/static/home.js"');
  });

  test("shows the visitor's address with a link to its report, and its band when it is known", () => {
    const unknown = renderHomePage({ language, origin });
    expect(unknown).not.toContain(words.yourAddress);
    const address = renderHomePage({ language, origin, address: "2001:db8::7" });
    expect(address).toContain(words.yourAddress);
    expect(address).toContain(`href="${prefix}/ip/2001:db8::7"`);
    expect(address).not.toContain('class="band"');
    const report = storedReport(language);
    const known = renderHomePage({ language, origin, address: report.ip, report });
    expect(textOfPage(known)).toContain(`37/100 ${report.risk.label}`);
  });

  test("explains a private address instead of offering its report", () => {
    const report = goldenReport("private", language);
    const page = renderHomePage({ language, origin, address: report.ip, report });
    expect(textOfPage(page)).toContain(siteTextsOf(language).special(report.ip, report.risk.verdict));
    expect(page).not.toContain(`href="${prefix}/ip/${report.ip}"`);
    expect(page).not.toContain("/100");
  });

  test("shows an example report, and says when it is from local tables only", () => {
    const site = siteTextsOf(language);
    const stored = goldenReport("server", language);
    const page = renderHomePage({ language, origin, example: stored });
    expect(findUnbalanced(page)).toEqual([]);
    const text = textOfPage(page);
    for (const shown of [site.exampleTitle, stored.ip, "37", stored.risk.verdict, "AS64500"])
      expect(text).toContain(shown);
    for (const { label } of stored.scenarios) expect(text).toContain(`${label} `);
    expect(text).not.toContain(site.exampleFromTables);
    expect(text).toContain(`curl '${origin}${prefix}/ip/${stored.ip}.json'`);
    const tables = renderHomePage({ language, origin, example: { ...stored, source: "fresh" } });
    expect(textOfPage(tables)).toContain(site.exampleFromTables);
  });

  test("has a placeholder in the search field", () => {
    const { placeholder } = siteTextsOf(language);
    expect(renderHomePage({ language, origin })).toContain(`placeholder="${placeholder}"`);
  });

  test("shows commands for a terminal, on its own origin", () => {
    const text = textOfPage(renderHomePage({ language, origin }));
    expect(text).toContain(`curl '${origin}/api/myip?format=text'`);
    expect(text).toContain(`curl '${origin}${prefix}/ip/203.0.113.7.json'`);
  });

  test("links to the method, the API documentation and llms.txt", () => {
    const page = renderHomePage({ language, origin });
    for (const path of [`${prefix}/method`, `${prefix}/docs`, `${prefix}/llms.txt`, `${prefix}/compare`])
      expect(page).toContain(`href="${path}"`);
  });

  test("escapes every string", () => {
    const page = renderHomePage({ language, origin, address: '"><img src=x onerror=alert(1)>' });
    expect(page).not.toContain("<img");
  });
});
