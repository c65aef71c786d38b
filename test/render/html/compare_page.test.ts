import { describe, expect, test } from "bun:test";
import { cardTextsOf, pageTextsOf, reportPageTextsOf, reportTextsOf, siteTextsOf } from "#locale";
import { renderComparePage } from "#render";
import { LANGUAGES, type Report } from "#report";
import { findResale } from "../../../src/render/report_fields.ts";
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
    expect(page).toContain('href="https://db-ip.com"');
    expect(rows).toHaveLength(5);
    for (const row of rows) expect(row.match(/<td[ >]/g)).toHaveLength(10);
    const heads = page.slice(page.indexOf("<thead>"), page.indexOf("</thead>"));
    expect(heads.match(/<th scope="col"/g)).toHaveLength(11);
    const links = rows.map((row) => /href="([^"]*)"/.exec(row)?.[1]);
    expect(links).toEqual(asked.map((ip) => `${language === "en" ? "/en" : ""}/ip/${ip}`));
  });

  test("shows how low a use case may be, also where the purity cannot be lower, and nothing where it is not known", () => {
    const [one] = reports;
    if (one === undefined) throw new Error("There is no report");
    const lowAs = reportPageTextsOf(language).useLow;
    const note = siteTextsOf(language).lowNote;
    const render = (low: object) =>
      renderComparePage({
        reports: [
          { ...one, scenarios: one.scenarios.map(({ low: _, ...use }) => ({ ...use, ...low })) },
          one,
        ],
        asked: [one.ip, "198.51.100.9"],
        language,
        problems: [],
      });
    expect(render({ low: 7 })).toContain(`<small>${lowAs(7)}</small>`);
    expect(textOfPage(render({ low: 7 }))).toContain(textOfPage(note));
    const unknown = { ...one, risk: { ...one.risk, range: { low: 1, high: 100 } } };
    const old = { ...unknown, scenarios: unknown.scenarios.map(({ low: _, ...use }) => use) };
    const page = renderComparePage({ reports: [old], asked: [old.ip], language, problems: [] });
    expect(page).not.toContain(`<small>${lowAs(0)}</small>`);
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
      expect(` ${purity}`).toContain(` ${band}`);
      const reasons = uses.pop();
      expect(reasons).toContain(texts.confidences[report.risk.confidence].toLowerCase());
      const time = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/.exec(report.queriedAt)?.slice(1).join(" ");
      expect(reasons).toContain(`${texts.labels.surveyed}${language === "en" ? ": " : "："}${time} UTC`);
      expect(reasons?.includes(texts.labels.resaleUnknown)).toBe(findResale(report) !== undefined);
      const isPartly = (report.risk.coverage?.total ?? 1) < 1;
      expect(reasons?.includes(cards.coverage("").slice(0, 3))).toBe(isPartly);
      expect(purity.includes(cards.asLowAs(report.risk.range?.low ?? 0))).toBe(isPartly);
      expect(kind).toContain(cards.usages[report.usageType]);
      expect(kind).toContain(cards.natives[report.nativeType]);
      const listed = report.blocklists.filter((list) => list.listed && !list.benign && !list.unavailable);
      const unheard = report.blocklists.filter((list) => list.unavailable);
      const policy = report.blocklists.filter(
        (list) => list.listed && list.benign && !list.unavailable,
      ).length;
      const answered = report.blocklists.length - unheard.length - policy;
      if (answered > 0) expect(lists).toContain(`${listed.length} / ${answered}`);
      if (policy > 0) expect(lists).toContain(reportPageTextsOf(language).headline.policy(policy));
      if (unheard.length > 0) expect(lists).toContain(site.unknownLists(unheard.length));
      for (const [at, scenario] of report.scenarios.entries()) {
        expect(uses[at]).toContain(scenario.levelLabel);
        expect(uses[at]).toContain(String(scenario.score ?? ""));
      }
    }
    const factors = reports[2]?.risk.factors ?? [];
    const dearest = factors.toSorted((a, b) => b.points - a.points).slice(0, 3);
    const shown = dearest.map(({ label, points }) => `${label} \u2212${points}`);
    shown.push(site.moreDeductions(2));
    expect(cellsOf(rows[2] ?? "").at(-1)).toContain([site.pointsLabel, ...shown].join(" "));
    expect(reports.some((report) => findResale(report) !== undefined)).toBe(true);
  });

  test("marks the best of each column not by colour alone, and says which address is the cleanest", () => {
    const [home, , abused] = reports;
    if (home === undefined || abused === undefined) throw new Error("Cannot compare: no reports");
    const text = textOfPage(renderComparePage({ reports: [abused, home], asked, language, problems: [] }));
    const { best, say, usesInText: names } = siteTextsOf(language);
    expect(text).toContain(`\u2605 ${best}`);
    const score = home.scenarios.find(({ id }) => id === "email")?.score ?? 0;
    const among = say("amongAll", { count: 2 });
    expect(text).toContain(say("winnerAll", { among, winners: home.ip, purity: home.risk.purity }));
    expect(text).toContain(say("poorUses", { uses: say("useScore", { use: names.email, score }) }));
  });

  test("says for what another address is better, and of how many it is the best", () => {
    const home = fullReport("home", language);
    const abused = fullReport("vpn_abused", language);
    const scenarios = abused.scenarios.map((one) => (one.id === "email" ? { ...one, score: 97 } : one));
    const ranked = [home, { ...abused, scenarios }];
    const text = textOfPage(renderComparePage({ reports: ranked, asked, language, problems: [] }));
    const { say, usesInText } = siteTextsOf(language);
    const uses = say("useScore", { use: usesInText.email, score: 97 });
    expect(text).toContain(say("betterUse", { uses, addresses: abused.ip }));
    const reports = [home, fullReport("silent", language)];
    const alone = renderComparePage({ reports, asked, language, problems: [] });
    const { ip, risk } = home;
    expect(textOfPage(alone)).toContain(say("winnerAlone", { winners: ip, purity: risk.purity }));
    expect(textOfPage(alone)).toContain(siteTextsOf(language).orderNoteRest);
    const silent = renderComparePage({
      reports: reports.slice(1).concat(reports[1] ?? []),
      asked,
      language,
      problems: [],
    });
    expect(textOfPage(silent)).toContain(say("noWinner.thin", {}));
  });

  test("names every address of the highest purity, and why one of them is first", () => {
    const { say } = siteTextsOf(language);
    const home = fullReport("home", language);
    const verdictOf = (...lows: number[]) => {
      const same = lows.map((low, at): Report => {
        const risk = { ...home.risk, purity: 100, range: { low, high: 100 } };
        return { ...home, ip: `81.2.69.${at}`, risk };
      });
      return textOfPage(renderComparePage({ reports: same, asked, language, problems: [] }));
    };
    const both = language === "en" ? "81.2.69.1 and 81.2.69.0 share" : "81.2.69.1、81.2.69.0 纯净度并列最高";
    expect(verdictOf(70, 100)).toContain(both);
    expect(verdictOf(70, 100)).toContain(say("first.low", { winners: "81.2.69.1", count: 1, low: 100 }));
    expect(verdictOf(70, 70, 70, 70, 70, 70, 70)).toContain(say("otherAddresses", { count: 2 }));
    expect(verdictOf(70, 70)).toContain(say("first.none", {}));
  });

  test("says below the field what is wrong with an address and what is ignored, and only there", () => {
    const text = textOfPage(writePage("compare", language));
    const part = { reports: [], asked, language, problems: [], networks: ["81.2.69.0/24", "AS24940"] };
    for (const place of ["/net/81.2.69.0/24", "/as/24940"])
      expect(renderComparePage(part)).toContain(`${place}">${words.networkLink}`);
    const wrong = `${words.notAddresses} 300.1.1.1 ${words.mistake("300.1.1.1")}`;
    expect(text).toContain(`${wrong} ${words.ignored} example.com`);
    expect(text.split(words.notAddresses)).toHaveLength(2);
  });

  test("keeps the addresses in the field and in the language link, and is not indexed", () => {
    expect(page).toContain(`required>${asked.join("\n")}</textarea>`);
    const other = language === "en" ? "/compare" : "/en/compare";
    expect(page).toContain(`href="${other}?ips=${asked.join(",")}"`);
    expect(page).toContain('content="noindex"');
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
