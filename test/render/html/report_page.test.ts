import { describe, expect, test } from "bun:test";
import { cardTextsOf, pageTextsOf, reportPageTextsOf, reportTextsOf } from "#locale";
import { maskAddress, renderMarkdown, renderReportPage } from "#render";
import { LANGUAGES, type Language, type Report } from "#report";
import { ASSESSMENTS, BOGON, HOME, SERVER } from "../../fixtures/assessments.ts";
import { ARCHETYPES, type ArchetypeId } from "../../scoring/archetypes.ts";
import { fullReport, reportOf } from "../full_reports.ts";
import { hostileReport } from "../hostile_report.ts";
import { HISTORY, storedReport } from "../pages.ts";
import { findUnbalanced, readPage, textOfPage } from "../read_page.ts";

const report = (name: keyof typeof ASSESSMENTS, language: Language) => reportOf(ASSESSMENTS[name], language);

const cases = Object.keys(ASSESSMENTS).flatMap((name) =>
  LANGUAGES.map((language) => [name as keyof typeof ASSESSMENTS, language] as const),
);

describe.each(cases)("renderReportPage of %s in %s", (name, language) => {
  const document = report(name, language);
  const page = renderReportPage(document);

  test("names every reason of the use cases", () => {
    expect(page).not.toMatch(/<dt[^>]*><\/dt>/);
  });

  test("is one well-formed document in its language", async () => {
    expect(page).toStartWith("<!DOCTYPE html>\n");
    expect(page).toEndWith("</html>\n");
    expect(findUnbalanced(page)).toEqual([]);
    const { elements } = await readPage(page);
    expect(elements[0]?.attributes.get("lang")).toBe(language === "en" ? "en" : "zh-Hans");
    expect(elements[0]?.attributes.get("dir")).toBe("ltr");
    for (const tag of ["title", "h1", "main", "footer"])
      expect(elements.filter((element) => element.tag === tag)).toHaveLength(1);
    expect(page).not.toMatch(/undefined|\[object|NaN/);
  });

  test("contains the report as data, and runs only its own script files", async () => {
    const { elements, script } = await readPage(page);
    expect(JSON.parse(script)).toEqual(JSON.parse(JSON.stringify(document)));
    const scripts = elements.filter(({ tag }) => tag === "script");
    expect(scripts.map(({ attributes }) => Object.fromEntries(attributes))).toEqual([
      { type: "application/ld+json" },
      { src: "/static/theme.js" },
      ...(document.flags.isBogon ? [] : [{ type: "module", src: "/static/report.js" }]),
      { type: "application/json", id: "service-report" },
    ]);
  });

  test("has no inline style, no handler and no request to third parties", async () => {
    const { elements } = await readPage(page);
    for (const { tag, attributes } of elements) {
      expect(["style", "iframe", "img", "object", "embed", "base"]).not.toContain(tag);
      for (const attribute of attributes.keys()) expect(attribute).not.toMatch(/^on|^style$/);
      if (tag === "form") {
        expect(attributes.get("action")).toMatch(/^\/(?:en)?(?:\/compare)?$|^\/compare$/);
        expect(attributes.get("method")).toBe("get");
      }
      const loaded = ["stylesheet", "icon"].includes(attributes.get("rel") ?? "")
        ? attributes.get("href")
        : attributes.get("src");
      if (loaded !== undefined) expect(loaded).toMatch(/^\/static\/[a-z]+\.(?:css|js|svg)$/);
    }
  });

  test("gives every table a caption and every column a head", async () => {
    const { elements } = await readPage(page);
    const count = (tag: string) => elements.filter((element) => element.tag === tag).length;
    expect(count("caption")).toBe(count("table"));
    expect(count("thead")).toBe(count("table"));
    for (const { tag, attributes } of elements)
      if (tag === "th") expect(["row", "col"]).toContain(attributes.get("scope") ?? "");
  });

  test("never skips a level of headings", async () => {
    const { elements } = await readPage(page);
    const levels = elements.filter(({ tag }) => /^h\d$/.test(tag)).map(({ tag }) => Number(tag[1]));
    expect(levels[0]).toBe(1);
    for (const [index, level] of levels.entries())
      expect(level - (levels[index - 1] ?? level)).toBeLessThanOrEqual(1);
  });
});

const archetypes = Object.keys(ARCHETYPES) as ArchetypeId[];

/** What a visitor reads of a source that was not asked. The reasons of the operator are for the operator. */
function reasonFor({ skipped = "" }: Report["sources"][number], language: Language): string {
  const { no_key, noncommercial, no_contact, turned_off, live_off } = reportTextsOf(language).skips;
  const isOfOperator = [no_key, noncommercial, no_contact, turned_off, live_off].some((reason) =>
    skipped.startsWith(reason),
  );
  return isOfOperator ? reportPageTextsOf(language).unusedNote : skipped;
}

describe.each([...LANGUAGES])("renderReportPage in %s", (language) => {
  test.each(archetypes)("shows every part of %s", (name) => {
    for (const filling of ["heard", "failing"] as const) {
      const document = fullReport(name, language, filling);
      const text = textOfPage(renderReportPage(document));
      const told = document.flags.isBogon
        ? [document.ip, document.risk.verdict]
        : [
            document.ip,
            document.risk.verdict,
            document.reportUrl,
            ...(document.scenarioApplicable
              ? [
                  document.risk.label,
                  ...document.risk.factors.flatMap(({ label, detail }) => [label, detail]),
                ]
              : []),
            ...(document.scenarioApplicable
              ? document.scenarios.flatMap(({ levelLabel, reasons }) => [
                  levelLabel,
                  // The first letter of a sentence is a capital.
                  ...reasons.map((reason) => reason.slice(1)),
                ])
              : [document.scenarioNote ?? "?"]),
            ...document.blocklists.map(({ label }) => label),
            ...document.unknowns.flatMap(({ label, detail }) => [label, detail]),
            ...document.sources.flatMap((source) => [
              source.name,
              source.error ?? reasonFor(source, language),
            ]),
          ];
      expect(told.filter((part) => !text.includes(part.replaceAll(/\s+/g, " ").trim()))).toEqual([]);
    }
  });

  test("shows the unknowns without a click where there is room", () => {
    const document = fullReport("vpn_abused", language);
    const roomy = renderReportPage(document).replaceAll(/<details class="roomy">/g, "<div>");
    const open = roomy.replaceAll(/<details[\s\S]*?<\/details>/g, "");
    for (const { label, detail } of document.unknowns) {
      expect(textOfPage(open)).toContain(label);
      expect(textOfPage(open)).toContain(detail);
    }
  });

  test("shows a score breakdown that adds up to the purity on the dial", () => {
    for (const name of archetypes) {
      const document = fullReport(name, language);
      const page = renderReportPage(document);
      expect(page.includes('<table class="bill">')).toBe(document.scenarioApplicable);
      if (!document.scenarioApplicable) continue;
      const start = page.indexOf('<table class="bill">');
      const bill = page.slice(start, page.indexOf("<tfoot>", start));
      const effects = [...bill.matchAll(/<td class="figure[^"]*">([+\u2212]?[\d.]+)<\/td>/g)].map(
        ([, text = ""]) => Number(text.replace("\u2212", "-")),
      );
      const sum = effects.reduce((total, effect) => total + effect, 0);
      const total = /<tfoot>.*?<td class="figure">(\d+)</.exec(page.slice(start))?.[1];
      expect(Math.round(sum * 100) / 100).toBe(Number(total));
      expect(page).toContain(`font-weight="700">${total}</text>`);
    }
  });

  test("escapes every string of a report", async () => {
    const document = hostileReport(language);
    const extras = { history: HISTORY, own: true };
    const page = renderReportPage(document, extras);
    const harmless = await readPage(
      renderReportPage({ ...storedReport(language), scenarioNote: "x" }, extras),
    );
    const seen = await readPage(page);
    const tags = new Set(harmless.elements.map(({ tag }) => tag));
    tags.add("details").add("summary");
    for (const { tag, attributes } of seen.elements) {
      expect([...tags]).toContain(tag);
      for (const [name, value] of attributes) {
        expect(name).not.toMatch(/^on|^style$/);
        if (name === "src") expect(value).toMatch(/^\/static\/(?:own_profile|report|theme)\.js$/);
        if (name === "href") expect(value).toMatch(/^(https?:\/\/|\/|#)/);
      }
    }
    expect(seen.elements.filter(({ tag }) => tag === "script")).toHaveLength(5);
    expect(JSON.parse(seen.linked)).toMatchObject({ "@context": "https://schema.org", "@type": "WebPage" });
    expect(seen.comments).toBe(0);
    expect(findUnbalanced(page)).toEqual([]);
    expect(page).not.toContain("<img");
    expect(page).not.toContain("</script><");
    expect(page.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
    expect(JSON.parse(seen.script)).toEqual(JSON.parse(JSON.stringify(document)));
  });

  test("is small, with its style and scripts", async () => {
    const page = renderReportPage(fullReport("vpn_abused", language));
    const shown = page.replace(/<script type="application\/json"[\s\S]*?<\/script>/, "");
    const files = ["report.css", "check.css", "report.js", "progress.js", "verify_visitor.js", "icon.svg"];
    const texts = await Promise.all(
      files.map((file) => Bun.file(new URL(`../../../static/${file}`, import.meta.url)).text()),
    );
    const weigh = (text: string) => Bun.gzipSync(Buffer.from(text)).length;
    expect(weigh(shown)).toBeLessThan(10_000);
    expect(texts.reduce((sum, text) => sum + weigh(text), weigh(shown))).toBeLessThan(30_000);
  });
});

describe("renderReportPage", () => {
  test("links both languages, the canonical URL and every other format", async () => {
    const { elements } = await readPage(renderReportPage(report("server", "en")));
    const links = elements
      .filter(({ tag }) => tag === "link")
      .map(({ attributes }) => [
        attributes.get("rel"),
        attributes.get("hreflang") ?? attributes.get("type"),
        attributes.get("href"),
      ]);
    const ip = "https://limpid.example/en/ip/203.0.113.45";
    for (const link of [
      ["canonical", undefined, ip],
      ["alternate", "zh", "https://limpid.example/ip/203.0.113.45"],
      ["alternate", "en", ip],
      ["alternate", "x-default", "https://limpid.example/ip/203.0.113.45"],
      ["alternate", "application/json", `${ip}.json`],
      ["alternate", "text/plain", `${ip}.txt`],
      ["alternate", "text/markdown", `${ip}.md`],
      ["describedby", undefined, "https://limpid.example/en/llms.txt"],
      ["icon", "image/svg+xml", "/static/icon.svg"],
    ])
      expect(links).toContainEqual(link);
  });

  test("has the same metadata for link previews", async () => {
    const { elements, linked } = await readPage(renderReportPage(report("server", "en")));
    const metas = new Map(
      elements
        .filter(({ tag }) => tag === "meta")
        .map(({ attributes }) => [
          attributes.get("property") ?? attributes.get("name"),
          attributes.get("content"),
        ]),
    );
    expect(metas.get("og:title")).toBe("203.0.113.45: 37/100 Suspicious - limpid");
    expect(metas.get("og:description")).toBe(metas.get("description") ?? "");
    expect(metas.get("description")).toContain("203.0.113.45: 37/100 Suspicious, confidence medium");
    for (const shown of [report("server", "en").risk.verdict, "Hosting", "Netherlands"])
      expect(metas.get("description")).toContain(shown);
    expect(metas.get("og:url")).toBe("https://limpid.example/en/ip/203.0.113.45");
    expect(metas.get("twitter:card")).toBe("summary_large_image");
    expect(metas.get("og:image")).toBe("https://limpid.example/en/ip/203.0.113.45.png");
    expect(metas.get("og:image:alt")).toBe("Purity of 203.0.113.45: 37/100 Suspicious");
    expect(JSON.parse(linked)).toMatchObject({
      url: "https://limpid.example/en/ip/203.0.113.45",
      inLanguage: "en",
      image: { url: "https://limpid.example/en/ip/203.0.113.45.png", width: 1200, height: 630 },
      about: { name: "203.0.113.45" },
    });
  });

  test("writes an IPv6 address unchanged into links, and never breaks it", () => {
    const page = renderReportPage(report("home", "en"));
    expect(page).toContain(`href="/en/ip/${HOME.address}.json"`);
    expect(textOfPage(page)).toContain(HOME.address);
    expect(page).toContain(`<bdi class="whole">${HOME.address}</bdi>`);
    expect(page).not.toContain(":<wbr>");
  });

  test("asks search engines not to index special-purpose addresses and reports that were not stored", () => {
    const noindex = '<meta name="robots" content="noindex">';
    const server = report("server", "en");
    const low = { ...server, risk: { ...server.risk, confidence: "low" as const } };
    expect(renderReportPage(report("bogon", "en"))).toContain(noindex);
    expect(renderReportPage(low)).toContain(noindex);
    expect(renderReportPage({ ...low, source: "cache" })).toContain(noindex);
    expect(renderReportPage({ ...low, source: "store" })).not.toContain(noindex);
    expect(renderReportPage(server)).not.toContain(noindex);
    expect(BOGON.flags.isBogon).toBe(true);
  });

  test("offers a refresh, and says when it is advisable", () => {
    const link = '<a class="js-refresh" href="/en/ip/203.0.113.45?refresh=1" rel="nofollow">';
    const { oldNote, aged } = reportPageTextsOf("en");
    const server = report("server", "en");
    expect(renderReportPage(server)).toContain(link);
    expect(textOfPage(renderReportPage(server))).not.toContain(oldNote);
    const old = renderReportPage({ ...server, stale: true });
    expect(textOfPage(old)).toMatch(new RegExp(`^.*${oldNote}.*${aged}`, "s"));
    expect(old).not.toContain("fact-good");
    expect(renderReportPage(report("bogon", "en"))).not.toContain("js-refresh");
  });

  test("distinguishes a hit, a miss, a failure and no answer of one source", () => {
    const page = renderReportPage(fullReport("silent", "en", "failing"));
    const sources = page.slice(page.indexOf(`<h2 id="sources">`));
    const { failed, answered, foundNothing, skipped } = reportTextsOf("en").sourceStates;
    const order = [failed, answered, foundNothing, skipped].map((title) =>
      sources.search(new RegExp(`<h3 class="state state-\\w+">${title} `)),
    );
    expect(order.every((at) => at > 0)).toBe(true);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });

  test("links an entry that lists the address to the list, and no other entry", () => {
    const server = report("server", "en");
    const entry = { zone: "dronebl", label: "DroneBL", listed: true, benign: false, unavailable: false };
    const options = { delistUrls: new Map([["dronebl", "https://dronebl.org/lookup?ip={ip}"]]) };
    const link = 'href="https://dronebl.org/lookup?ip=203.0.113.45" rel="nofollow noreferrer"';
    const render = (one: typeof entry) => renderReportPage({ ...server, blocklists: [one] }, options);
    expect(render(entry)).toContain(link);
    expect(render({ ...entry, benign: true })).toContain(link);
    expect(render({ ...entry, listed: false })).not.toContain("dronebl.org");
    expect(render({ ...entry, listed: false, unavailable: true })).not.toContain("dronebl.org");
  });

  test("says no of all lists only when every one answered", () => {
    expect(renderReportPage(fullReport("vpn_no_operator", "en", "failing"))).toContain(
      '<td class="mute">?</td></tr>',
    );
  });

  test("shows nothing as good when sources failed, and counts them", () => {
    const failing = fullReport("home", "en", "failing");
    const page = renderReportPage(failing);
    expect(page).not.toContain("fact-good");
    const failed = failing.sources.filter(({ error }) => error !== undefined).length;
    expect(page).toContain(`>${failed} sources failed<`);
  });

  test("offers to rate only the visitor's own address, and never a special-purpose address", () => {
    expect(renderReportPage(report("server", "en"), { own: true })).toContain('id="feedback-form"');
    expect(renderReportPage(report("server", "en"))).not.toContain('id="feedback-form"');
    expect(renderReportPage(report("bogon", "en"), { own: true })).not.toContain('id="feedback-form"');
  });

  test("names the publisher whose terms require it, with its link", () => {
    expect(renderReportPage(report("server", "en"))).toContain(
      '<a href="https://db-ip.com" rel="noreferrer">',
    );
  });

  test("links a VPN's page only when it leads to the web", () => {
    const document = report("server", "en");
    const withUrl = (url: string) =>
      renderReportPage({ ...document, blocklists: [], vpnOperator: { name: "x", url } });
    expect(withUrl("https://vpn.example/a?b=1&c=2")).toContain('href="https://vpn.example/a?b=1&amp;c=2"');
    for (const url of ["javascript:alert(1)", "data:text/html,x", "//evil.example", "java\nscript:x"]) {
      expect(withUrl(url)).not.toContain('rel="nofollow noreferrer"');
    }
    expect(SERVER.vpn?.url).toBe("https://vpn.example/");
  });
});

const useCasesOf = (page: string) => {
  const start = page.indexOf('<ul class="tiles">');
  return page.slice(start, page.indexOf("</section>", start));
};

describe("the use cases", () => {
  test("share what all have, and name those that a particular reason applies to", () => {
    const report = fullReport("vpn_abused", "en");
    const [first, second] = report.scenarios;
    const isPair = (it: typeof first) => it === first || it === second;
    const scenarios = report.scenarios.map((it) => ({
      ...it,
      reasons: isPair(it) ? ["for both", "for all"] : ["for all"],
    }));
    const uses = textOfPage(useCasesOf(renderReportPage({ ...report, scenarios })));
    expect(uses).toContain(
      `All use cases \u2212 Against it: For all. AI services, Social \u2212 Against it: For both.`,
    );
    expect(uses.match(/for all|for both/gi)).toHaveLength(2);
  });

  test("give the points of every reason, and how low a score may be", () => {
    const report = fullReport("vpn_abused", "en", "failing");
    const uses = useCasesOf(renderReportPage(report));
    const cells = [...uses.matchAll(/<tr><th[^>]*>([^<]+)<\/th>(.*?)<\/tr>/gs)].map(
      ([, head = "", row = ""]) => [
        head,
        ...[...row.matchAll(/>([^<]+)<\/td>/g)].map(([, cell = ""]) => Number(cell.replace("\u2212", "-"))),
      ],
    );
    const rows = cells.slice(0, -1);
    expect(rows.length).toBeGreaterThan(3);
    const lows = [...uses.matchAll(/<small>as low as (\d+)<\/small>/g)].map(([, low]) => Number(low));
    const open = report.scenarios.filter(({ score, low }) => (low ?? 0) < (score ?? 0));
    expect(open.length).toBeGreaterThan(0);
    expect(lows).toEqual(open.map(({ low }) => low ?? Number.NaN));
    for (const [index, { score, label }] of report.scenarios.entries()) {
      const sum = rows.reduce((total, row) => total + Number(row[index + 1]), 0);
      expect(Math.round(Math.max(sum, 0)), label).toBe(score ?? Number.NaN);
      expect(cells.at(-1)?.[index + 1]).toBe(score ?? Number.NaN);
    }
  });

  test("name each AI vendor, with a word where it does not support the country", () => {
    const page = (name: ArchetypeId) => textOfPage(useCasesOf(renderReportPage(fullReport(name, "en"))));
    expect(page("ai_macao")).toContain(
      "OpenAI, Anthropic, Gemini API: Macao SAR China is not a supported region (",
    );
    expect(page("ai_partial")).toMatch(/Gemini API: .* is a supported region \(.*OpenAI.*: .* is not a/s);
    expect(page("ai_unclear")).toMatch(/OpenAI.*: .* is a supported .*Anthropic: not certain whether/s);
  });

  test("are one note, without empty tiles, where nobody uses the address as an exit", () => {
    const report = fullReport("resolver", "en");
    const page = renderReportPage(report);
    expect(page).not.toContain('class="tiles"');
    expect(textOfPage(page)).toContain(report.scenarioNote ?? "?");
  });
});

describe("the dial", () => {
  const dialOf = (report: Report) => {
    const page = renderReportPage(report);
    return page.slice(page.indexOf('<div class="gauge">'), page.indexOf('<div class="tools"'));
  };
  const base = fullReport("home", "en", "none");
  const withRisk = (risk: Partial<Report["risk"]>) => dialOf({ ...base, risk: { ...base.risk, ...risk } });

  test("has a knob at 0 and no solid arc", () => {
    const dial = withRisk({ purity: 0, range: { low: 0, high: 0 } });
    expect(dial).toContain('class="knob" cx="40.6" cy="159.4"');
    expect(dial).not.toContain('class="value"');
    expect(dial).not.toContain('class="unheard"');
  });

  test("is solid up to the low end of the range, and hatched from there to the purity", () => {
    const dial = withRisk({ purity: 100, range: { low: 60, high: 100 } });
    expect(dial).toMatch(/class="value"[^>]*stroke-dasharray="45 100"/);
    expect(dial).toMatch(/class="unheard"[^>]*stroke-dasharray="30 100"/);
    for (const [low, band] of [
      [0, "Dangerous"],
      [60, "Neutral"],
    ] as const) {
      const text = cardTextsOf("en").asLowAs(`${low} (${band})`);
      const shown = withRisk({ purity: 100, range: { low, high: 100 } });
      expect(shown).toContain(`aria-label="Purity 100/100 Pristine, ${text}"`);
      expect(shown).toContain(
        `<p class="stripes words"><strong>M${text.slice(1)}</strong> ${reportPageTextsOf("en").stripes(low)}</p>`,
      );
    }
  });

  test("has no hatched arc when everything was heard", () => {
    expect(withRisk({ purity: 88, range: { low: 88, high: 88 } })).not.toContain('class="unheard"');
  });
});

describe("the page of a special-purpose address", () => {
  const page = renderReportPage(fullReport("bogon", "en", "none"));

  test("explains it, without a dial, a score or an empty section", () => {
    for (const part of ['class="gauge"', "<table", 'class="tiles"', 'class="strip"', "50/100"])
      expect(page.replace(/<script type="application\/json"[\s\S]*?<\/script>/, "")).not.toContain(part);
    const texts = reportPageTextsOf("en");
    for (const text of [texts.bogonTitle, texts.bogonLead, pageTextsOf("en").ownAddress])
      expect(textOfPage(page)).toContain(text);
  });

  test("leads to the home page, and keeps the other formats", () => {
    expect(page).toContain('<a class="button" href="/en">');
    expect(page).toContain(".json");
  });
});

describe("the score breakdown", () => {
  test("folds caps, bounds and rounding into one grey line with its parts", () => {
    const report = fullReport("tor", "en");
    const page = renderReportPage(report);
    const bill = page.slice(
      page.indexOf('<table class="bill">'),
      page.indexOf("<tfoot>", page.indexOf('<table class="bill">')),
    );
    const rows = bill.split("<tr").slice(2);
    const folded = rows.filter((row) => row.startsWith(' class="folded"'));
    expect(folded).toHaveLength(1);
    const caps = report.risk.factors.filter(({ id }) => id.endsWith("_cap"));
    expect(caps.length).toBeGreaterThan(0);
    for (const { label, detail } of caps) {
      expect(textOfPage(folded[0] ?? "")).toContain(label);
      expect(textOfPage(folded[0] ?? "")).toContain(detail);
    }
  });

  test("has a bar for each step, the largest first, between the purity before it and after it", () => {
    const base = fullReport("home", "en", "none");
    const other = { label: "A", category: "network", detail: "A" };
    const factors = [
      { ...other, id: "a", points: 20 },
      { ...other, id: "b", points: 30 },
    ];
    const page = renderReportPage({ ...base, risk: { ...base.risk, purity: 50, factors } });
    expect(
      [...page.matchAll(/class="drop" x="([\d.]+)" width="([\d.]+)"/g)].map(([, x, width]) => [x, width]),
    ).toEqual([
      ["70", "30"],
      ["50", "20"],
    ]);
  });
});

describe("the sources", () => {
  const legendOf = (page: string): Record<string, number> =>
    Object.fromEntries(
      [...page.matchAll(/<li><i class="is-(\w+)"><\/i>[^<]*<b>(\d+)<\/b>/g)].map(([, state, count]) => [
        state,
        Number(count),
      ]),
    );
  const partsOf = (page: string) =>
    [...page.matchAll(/<rect class="is-(\w+)" x="(\d+)" width="(\d+)"/g)].map(([, state]) => state);

  test("are counted by state, and the states are the parts of one bar", () => {
    const report = fullReport("silent", "en", "failing");
    const page = renderReportPage(report);
    const counts = legendOf(page);
    expect(counts.skipped).toBe(report.sources.filter(({ skipped }) => skipped !== undefined).length);
    expect(Object.values(counts).reduce((sum, count) => sum + count)).toBe(report.sources.length);
    expect(counts.failed).toBe(report.sources.filter(({ error }) => error !== undefined).length);
    expect(partsOf(page)).toEqual(Object.keys(counts));
  });

  test("say nothing of keys to a visitor", () => {
    const { skips } = reportTextsOf("en");
    const report = fullReport("home", "en");
    expect(report.sources.some(({ skipped }) => skipped === skips.no_key)).toBe(true);
    const shown = renderReportPage(report).replace(/<script type="application\/json"[\s\S]*?<\/script>/, "");
    expect(shown).not.toContain(skips.no_key);
    const [line = ""] = reportPageTextsOf("en").withKey("|").split("|");
    expect(shown).not.toContain(line);
    expect(renderReportPage(report, { operator: true })).toContain(line);
  });

  test.each([
    ["not downloaded yet", "pending", "0 failed, 1 downloading", "**Downloading**: A list"],
    [
      "not on this machine",
      "absent",
      "1 lists not on this machine: limpid feeds update",
      "limpid feeds update downloads it)**: A list",
    ],
  ] as const)("are not shown as failed when a list is %s", (detail, outcome, counted, listed) => {
    const report = fullReport("home", "en");
    const error = reportTextsOf("en").sourceDetails[detail];
    const sources = [{ name: "A list", kind: "free" as const, ok: false, ms: 0, error }];
    expect(legendOf(renderReportPage({ ...report, sources }))).toEqual({ [outcome]: 1 });
    expect(renderMarkdown({ ...report, sources })).toContain(counted);
    expect(renderMarkdown({ ...report, sources })).toContain(listed);
  });
});

describe("what each source says", () => {
  const report = fullReport("vpn_hearsay", "en");
  const page = renderReportPage(report);
  const cellsOf = (name: string, shown = page) => {
    const matrix = shown.slice(shown.indexOf('<table class="matrix">'));
    const row = new RegExp(`<tr><th scope="row">(?:<bdi>)?${name}[\\s\\S]*?</tr>`).exec(matrix)?.[0] ?? "";
    return [...row.matchAll(/<td[^>]*>([\s\S]*?)<\/td>/g)].map(([, cell = ""]) => textOfPage(cell).trim());
  };

  test("is a row of words, with a sign for what it does not state", () => {
    const silent = `\u2013 ${reportPageTextsOf("en").silent}`;
    expect(cellsOf("proxycheck")).toEqual(["Business", "GB", "No", "Yes", "No", "No", silent]);
  });

  test("ends with the conclusion and its agreement", () => {
    const { conclusion } = reportPageTextsOf("en");
    expect(cellsOf(conclusion)[3]).toBe(`Yes (${report.flagAgreement.isVpn})`);
  });

  test("says no of no exit that was only partly checked, and explains the sign", () => {
    const { conclusion, matrixOpen: sign } = reportPageTextsOf("en");
    const exitsAt = (anonymity: number) => {
      const all = { total: 1, network: 1, lists: 1, abuse: 1, exposure: 1 };
      const shown = renderReportPage({
        ...report,
        risk: { ...report.risk, coverage: { ...all, anonymity } },
      });
      const cells = cellsOf(conclusion, shown);
      return [cells[2], cells[4], cells[5], shown.includes(sign)];
    };
    // Proxy, which one source denies, Tor, which two deny, and hosting.
    expect(exitsAt(0.7)).toEqual(["No", "No", "No", false]);
    expect(exitsAt(0.69)).toEqual(["?", "No", "No", true]);
  });

  test("counts the lists of exits that do not name the address, of each kind", () => {
    const list = (name: string, isVpn?: true) => ({
      ...{ name, kind: "free" as const, ok: true, ms: 0 },
      ...(isVpn === undefined ? {} : { answer: { flags: { isVpn } } }),
    });
    // The list that names it has a row of its own.
    const exits = [list("X4BNet VPN", true), list("Mullvad"), list("Tor consensus")];
    const others = report.sources.filter(({ answer }) => answer !== undefined);
    const late = { ...list("NordVPN"), ok: false, error: "timed out" };
    const shown = renderReportPage({ ...report, sources: [...others, ...exits, late] });
    const silent = `\u2013 ${reportPageTextsOf("en").silent}`;
    expect(cellsOf("2 other exit lists", shown)).toEqual([
      silent,
      silent,
      silent,
      "0/1",
      "0/1",
      silent,
      silent,
    ]);
    expect(shown).toContain(reportPageTextsOf("en").matrixExits);
    expect(renderReportPage({ ...report, sources: others })).not.toContain(" exit list");
  });

  test("says no of no flag that no source denies", () => {
    const sources = report.sources.map(({ answer, ...source }) =>
      answer === undefined ? source : { ...source, answer: { country: "GB" } },
    );
    const other = renderReportPage({ ...report, sources, flags: { ...report.flags, isVpn: false } });
    const foot = other.slice(other.indexOf("<tfoot>", other.indexOf('<table class="matrix">')));
    // The last cell is of the blocklists, which answered.
    expect(foot.slice(0, foot.lastIndexOf("<td", foot.indexOf("</tfoot>")))).not.toContain(">No<");
  });
});

describe("the tools", () => {
  const page = renderReportPage(report("home", "en"));

  test("copy the address and the citation, with script only", () => {
    const copies = [...page.matchAll(/<button type="button" data-copy="([^"]*)" hidden>/g)].map(
      ([, text]) => text,
    );
    expect(copies[0]).toBe(HOME.address);
    expect(copies[1]).toContain(`https://limpid.example/en/ip/${HOME.address}`);
  });

  test("save the picture, compare, search and refresh", () => {
    expect(page).toContain(`href="/en/ip/${HOME.address}.png?mask=1" download`);
    expect(page).toContain(`title="${reportPageTextsOf("en").maskedNote(maskAddress(HOME.address))}"`);
    expect(page).toContain(`name="ips" type="text" value="${HOME.address}, "`);
    expect(page).toContain('<form action="/en" method="get">');
  });
});

describe("the time at the place of the address", () => {
  const pageAt = (timezone: string, queriedAt: string = fresh.queriedAt) =>
    textOfPage(renderReportPage({ ...fresh, queriedAt, geo: { country: "IN", timezone } }));
  const fresh = report("server", "en");

  test("follows the zone and the moment, in every zone", () => {
    const zones = Intl.supportedValuesOf("timeZone").filter((_, index) => index % 20 === 0);
    for (const zone of [...zones, ...zones.map((name) => name.toLowerCase()), ...zones])
      expect(pageAt(zone)).toMatch(/UTC[+\u2212]\d+(?::\d\d)?, \d\d:\d\d there at the time of the check/);
    expect(pageAt("Asia/Kolkata", "2026-03-04T05:06:07.890Z")).toContain("UTC+5:30, 10:36 there");
    expect(pageAt("Asia/Kolkata", "2026-03-04T06:06:07.890Z")).toContain("UTC+5:30, 11:36 there");
    expect(pageAt("America/New_York", "2026-01-04T05:06:07.890Z")).toContain("UTC\u22125, 00:06 there");
    expect(pageAt("America/New_York", "2026-07-04T05:06:07.890Z")).toContain("UTC\u22124, 01:06 there");
  });

  test("is left out for a zone that does not exist and a moment that is none", () => {
    expect(pageAt("Mars/Olympus")).toContain("Time zone Mars/Olympus");
    expect(pageAt("Mars/Olympus")).not.toContain("there at the time");
    expect(pageAt("Asia/Kolkata", "now")).not.toContain("there at the time");
  });
});
