import { describe, expect, test } from "bun:test";
import { cardTextsOf, pageTextsOf, reportPageTextsOf, reportTextsOf, siteTextsOf } from "#locale";
import { renderComparePage } from "#render";
import { LANGUAGES } from "#report";
import { fullReport } from "../full_reports.ts";
import { writePage } from "../pages.ts";
import { findUnbalanced, readPage, textOfPage } from "../read_page.ts";

describe.each([...LANGUAGES])("renderComparePage() in %s", (language) => {
  // By purity; of the last one too little is known.
  const kinds = ["home", "home_ipv6", "vpn_abused", "tor", "silent"] as const;
  const reports = kinds.map((kind) => fullReport(kind, language));
  const asked = reports.map(({ ip }) => ip);
  const shuffled = [...reports.slice(0, 1), ...reports.slice(1).reverse()];
  const page = renderComparePage({ reports: shuffled, asked, language, problems: [] });
  const words = pageTextsOf(language);

  const rows = [...page.matchAll(/<tr(?: class="(?:won|thin)")?><th scope="row">([\s\S]*?)<\/tr>/g)].map(
    ([row]) => row,
  );
  const cellsOf = (row: string) => row.split(/<td[^>]*>/).map((cell) => textOfPage(cell).trim());

  test("shows five addresses in rows, ordered by purity, those of which too little is known last", () => {
    expect(findUnbalanced(page)).toEqual([]);
    expect(rows).toHaveLength(5);
    for (const row of rows) expect(row.match(/<td[ >]/g)).toHaveLength(10);
    const heads = page.slice(page.indexOf("<thead>"), page.indexOf("</thead>"));
    expect(heads.match(/<th scope="col"/g)).toHaveLength(11);
    const links = rows.map((row) => /href="([^"]*)"/.exec(row)?.[1]);
    expect(links).toEqual(asked.map((ip) => `${language === "en" ? "/en" : ""}/ip/${ip}`));
  });

  test("shows the values of each report", () => {
    const texts = reportTextsOf(language);
    const cards = cardTextsOf(language);
    const site = siteTextsOf(language);
    for (const [index, report] of reports.entries()) {
      const [address = "", purity = "", kind = "", lists = "", ...uses] = cellsOf(rows[index] ?? "");
      expect(address.replaceAll(/\s/g, "")).toContain(report.ip);
      if (report.asn?.asn !== undefined) expect(address).toContain(`AS${report.asn.asn}`);
      expect(purity).toContain(`${report.risk.purity} `);
      const band = report.risk.confidence === "low" ? texts.notEnough : report.risk.label;
      expect(purity).toContain(` ${band}`);
      const reasons = uses.pop();
      expect(reasons).toContain(texts.confidences[report.risk.confidence]);
      const isPartly = (report.risk.coverage?.total ?? 1) < 1;
      expect(reasons?.includes(reportPageTextsOf(language).coverage(0).slice(0, 3))).toBe(isPartly);
      expect(purity.includes(cards.usually(report.risk.range?.low ?? 0))).toBe(isPartly);
      expect(kind).toContain(cards.usages[report.usageType]);
      expect(kind).toContain(cards.natives[report.nativeType]);
      const listed = report.blocklists.filter((list) => list.listed && !list.benign && !list.unavailable);
      const unheard = report.blocklists.filter((list) => list.unavailable);
      const policy = report.blocklists.filter(
        (list) => list.listed && list.benign && !list.unavailable,
      ).length;
      const answered = report.blocklists.length - unheard.length - policy;
      if (answered > 0) expect(lists).toContain(site.listedOf(listed.length, answered));
      if (policy > 0) expect(lists).toContain(reportPageTextsOf(language).headline.policy(policy));
      if (unheard.length > 0) expect(lists).toContain(site.unknownLists(unheard.length));
      for (const [at, scenario] of report.scenarios.entries()) {
        expect(uses[at]).toContain(scenario.levelLabel);
        expect(uses[at]).toContain(String(scenario.score ?? ""));
      }
    }
    const factors = reports[2]?.risk.factors ?? [];
    const dearest = factors.toSorted((a, b) => b.points - a.points).slice(0, 3);
    const shown = factors
      .filter((factor) => dearest.includes(factor))
      .map(({ label, points }) => `${label} \u2212${points}`);
    shown.push(siteTextsOf(language).moreDeductions(2));
    expect(cellsOf(rows[2] ?? "").at(-1)).toContain(shown.join(" "));
  });

  test("marks the best of each column not by colour alone, and says which address is the cleanest", () => {
    const [home, , abused] = reports;
    if (home === undefined || abused === undefined) throw new Error("Cannot compare: no reports");
    const text = textOfPage(renderComparePage({ reports: [abused, home], asked, language, problems: [] }));
    const { best, winner, poorUse, usesInText: names } = siteTextsOf(language);
    expect(text).toContain(`\u2605 ${best}`);
    // A poor score is not the best of its column.
    const uses = home.scenarios.filter(({ score }) => (score ?? 0) >= 50).length;
    const poor = poorUse(names.email, home.scenarios.find(({ id }) => id === "email")?.score ?? 0);
    expect(text).toContain(
      winner({ ip: home.ip, purity: home.risk.purity, count: 2, of: 2, uses, poor, worse: "" }),
    );
  });

  test("says for what another address is better, and of how many it is the best", () => {
    const home = fullReport("home", language);
    const abused = fullReport("vpn_abused", language);
    const scenarios = abused.scenarios.map((one) => (one.id === "email" ? { ...one, score: 97 } : one));
    const ranked = [home, { ...abused, scenarios }];
    const text = textOfPage(renderComparePage({ reports: ranked, asked, language, problems: [] }));
    const { betterUse, winner, usesInText } = siteTextsOf(language);
    expect(text).toContain(betterUse(usesInText.email, [abused.ip], 97).trim());
    const reports = [home, fullReport("silent", language)];
    const alone = renderComparePage({ reports, asked, language, problems: [] });
    const { ip, risk } = home;
    const best = { ip, purity: risk.purity, count: 1, of: 2, uses: 0, poor: "", worse: "" };
    expect(textOfPage(alone)).toContain(winner(best));
  });

  test("lists the addresses without a report, and why", () => {
    const text = textOfPage(writePage("compare", language));
    expect(text).toContain(`${words.notAddresses} 300.1.1.1`);
    expect(text).toContain(`300.1.1.1 ${words.mistake("300.1.1.1")}`);
  });

  test("keeps the addresses in the field and in the language link, and is not indexed", () => {
    expect(page).toContain(`required>${asked.join("\n")}</textarea>`);
    const other = language === "en" ? "/compare" : "/en/compare";
    expect(page).toContain(`href="${other}?ips=${asked.join(",")}"`);
    expect(page).toContain('content="noindex"');
  });

  test("says above the field what is wrong with the whole text, and keeps it there", () => {
    const problem = { error: "These are 21.", hint: "Remove some.", code: "invalid_parameter" } as const;
    const wrong = renderComparePage({
      reports: [],
      asked,
      typed: "a,b",
      language,
      problems: [{ asked: "a,b", problem }],
    });
    expect(findUnbalanced(wrong)).toEqual([]);
    expect(wrong.indexOf("These are 21.")).toBeLessThan(wrong.indexOf("required>a,b</textarea>"));
    expect(wrong.match(/These are 21\.|Remove some\./g)).toHaveLength(2);
    expect(textOfPage(wrong)).not.toContain(words.compareEmpty);
  });

  test("says what to do without addresses", () => {
    const origin = "https://limpid.example";
    const empty = renderComparePage({ reports: [], asked: [], language, problems: [], origin });
    expect(textOfPage(empty)).toContain(words.compareEmpty);
    expect(empty).not.toContain("<table");
    expect(empty).toContain(
      `<link rel="canonical" href="${origin}${language === "en" ? "/en" : ""}/compare">`,
    );
    expect(empty).not.toContain("noindex");
  });

  test("escapes every string", async () => {
    const hostile = writePage("compare_hostile", language);
    expect(findUnbalanced(hostile)).toEqual([]);
    const { elements } = await readPage(hostile);
    for (const { tag, attributes } of elements) {
      expect(tag).not.toBe("img");
      if (tag === "script") expect(attributes.get("src")).toBe("/static/theme.js");
      expect(attributes.get("href") ?? "/").toMatch(/^(https?:\/\/|\/|#)/);
    }
  });
});
