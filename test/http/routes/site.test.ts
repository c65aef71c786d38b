import { describe, expect, test } from "bun:test";
import { docsTextsOf, siteTextsOf } from "#locale";
import { LANGUAGES } from "#report";
import { exampleReport } from "../../../src/http/openapi/examples.ts";
import { type AppOptions, answerOf, openApp, openShared } from "../kit/open_app.ts";
import { tables } from "../kit/scenarios.ts";

const PAGE = "text/html; charset=utf-8";
const BROWSER = { accept: "text/html,application/xhtml+xml,*/*;q=0.8", "user-agent": "Mozilla/5.0" };
const known: AppOptions = { findKnown: async (address) => answerOf(address) };

tables("site", { known });

describe("/sitemap.xml", () => {
  const PAGES = ["/", "/en", "/method", "/en/method", "/compare", "/en/compare", "/docs", "/en/docs"];
  const listPlaces = (xml: string, origin: string) =>
    [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, place]) => place?.replace(origin, ""));

  test("lists no address that visitors looked up", async () => {
    const testApp = openApp(known);
    await testApp.ask("/api/lookup?ip=198.51.100.7");
    const xml = await (await testApp.ask("/sitemap.xml")).text();
    expect(listPlaces(xml, "https://limpid.test")).toEqual(PAGES);
  });

  test("lists the pages, then the stored reports that the operator chose, in both languages", async () => {
    const testApp = openApp({
      baseUrl: "https://limpid.test/a&b",
      sitemap: ["198.51.100.7", "203.0.113.1", "2001:db8::1"],
      findKnown: async (address) => (address.text === "203.0.113.1" ? undefined : answerOf(address)),
    });
    const response = (await testApp.app.handle(new Request("http://localhost/sitemap.xml"))) as Response;
    expect(response.headers.get("content-type")).toBe("application/xml; charset=utf-8");
    const xml = await response.text();
    expect(listPlaces(xml, "https://limpid.test/a&amp;b")).toEqual([
      ...PAGES,
      "/ip/198.51.100.7",
      "/en/ip/198.51.100.7",
      "/ip/2001:db8::1",
      "/en/ip/2001:db8::1",
    ]);
    expect(xml).toContain("<lastmod>2026-02-03</lastmod>");
  });

  test("is made once for simultaneous requests, and cached for ten minutes", async () => {
    let reads = 0;
    const testApp = openApp({
      sitemap: ["198.51.100.7"],
      findKnown: async (address) => {
        reads += 1;
        return answerOf(address);
      },
    });
    await Promise.all([testApp.ask("/sitemap.xml"), testApp.ask("/sitemap.xml")]);
    testApp.clock.advance(599_999);
    expect((await testApp.ask("/sitemap.xml")).status).toBe(200);
    expect(reads).toBe(1);
    testApp.clock.advance(1);
    await testApp.ask("/sitemap.xml");
    expect(reads).toBe(2);
  });

  test("stays within 10 MB for an origin of any length", async () => {
    const sitemap = Array.from({ length: 5000 }, (_, n) => `2001:db8::${n.toString(16)}`);
    const testApp = openApp({ baseUrl: `https://${"a".repeat(2000)}.test`, sitemap, ...known });
    const response = (await testApp.app.handle(new Request("http://localhost/sitemap.xml"))) as Response;
    const xml = await response.text();
    expect(xml.length).toBeLessThanOrEqual(10_000_000);
    expect(xml).toEndWith("</url>\n</urlset>\n");
  });
});

describe.each([
  ["/docs", "zh-Hans", "接口文档"],
  ["/en/docs", "en", "API documentation"],
])("%s", (path, language, title) => {
  test("shows every operation, document and header of the description, with an example call", async () => {
    const testApp = openApp();
    const response = await testApp.ask(path);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe(PAGE);
    expect(response.headers.get("cache-control")).toBe("public, max-age=300");
    expect(response.headers.get("content-security-policy")).toContain("; script-src 'self'");
    const page = await response.text();
    expect(page).toContain(`<html lang="${language}"`);
    expect(page).toContain(`<h1>${title}</h1>`);
    const description = (await (await testApp.ask("/openapi.json")).json()) as {
      paths: Record<string, Record<string, { operationId: string }>>;
      components: { schemas: object; headers: object };
    };
    for (const [place, methods] of Object.entries(description.paths)) {
      for (const { operationId } of Object.values(methods)) expect(page).toContain(`id="${operationId}"`);
      expect(page).toContain(`<code>${place}</code>`);
    }
    for (const name of Object.keys(description.components.schemas))
      expect(page).toContain(`id="schema-${name}"`);
    const { schemas } = docsTextsOf(language === "en" ? "en" : "zh");
    expect(Object.keys(description.components.schemas)).toEqual(expect.arrayContaining(Object.keys(schemas)));
    for (const summary of Object.values(schemas))
      expect(page).toContain(`<span class="says">${Bun.escapeHTML(summary)}</span>`);
    for (const name of Object.keys(description.components.headers))
      expect(page).toContain(`id="header-${name}"`);
    const lang = language === "en" ? "&amp;lang=en" : "";
    expect(page.replaceAll("<wbr>", "")).toContain(
      `curl 'https://limpid.test/api/lookup?ip=46.4.84.25${lang}'`,
    );
    expect(page).not.toMatch(
      /<script(?! type="application\/ld\+json"| src="\/static\/| type="module" src="\/static\/)|style=|undefined|\[object|<td><\/td>/,
    );
    for (const [, id] of page.matchAll(/href="#([^"]+)"/g)) expect(page).toContain(`id="${id}"`);
  });

  test("begins with five calls, and folds every operation, files for browsers last", async () => {
    const page = await (await openShared().ask(path)).text();
    const [start = "", ...rest] = page.split('<details class="operation">');
    expect(start.match(/<code tabindex="0">curl /g)).toHaveLength(5);
    expect(rest.length).toBeGreaterThan(30);
    const paths = rest.flatMap(
      (part) => /^<summary><h3><span class="verb">\w+<\/span> <code>([^<]+)/.exec(part)?.[1] ?? [],
    );
    expect(paths.slice(-3)).toEqual(["/sitemap.xml", "/static/{file}", "/favicon.ico"]);
    expect(page).not.toContain("<details open");
  });

  test("has every text in its language", async () => {
    const page = await (await openShared().ask(path)).text();
    const main = page
      .slice(page.indexOf("<main"), page.indexOf("</main>"))
      .replace(/<(code|pre)\b.*?<\/\1>/gs, "");
    expect(main).not.toMatch(/lang="/);
    // So is the text report among the examples.
    expect(page).toContain(language === "en" ? "\n-- Use cases -" : "\n-- 使用场景 -");
    if (language === "en") expect(main).not.toMatch(/\p{Script=Han}/u);
    // Sentences have verbs: no English sentence is left beside the code.
    else expect(main).not.toMatch(/\b(?:the|is|of|with)\b(?! [A-Z])/);
  });
});

describe("every link", () => {
  const ADDRESS = "198.51.100.7";
  const ORIGIN = "https://limpid.test";

  test("of every page, and every path in llms.txt and robots.txt, exists", async () => {
    const testApp = openApp({ ...known, exempt: ["203.0.113.0/24"] });
    const queue = [
      ...["/", "/en", "/llms.txt", "/en/llms.txt", "/robots.txt", "/sitemap.xml"],
      `/ip/${ADDRESS}`,
      `/en/ip/${ADDRESS}`,
      "/ip/nonsense",
      `/en/compare?ips=${ADDRESS},203.0.113.66`,
    ];
    const seen = new Map<string, number>();
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
      if (seen.has(path) || path.startsWith("/static/")) continue;
      const isPost = path === "/mcp";
      const response = await testApp.ask(path, { headers: BROWSER, ...(isPost ? { method: "POST" } : {}) });
      seen.set(path, response.status);
      const type = response.headers.get("content-type") ?? "";
      if (!/html|markdown|xml/.test(type)) continue;
      queue.push(...listPaths(await response.text(), type.includes("html")));
    }
    const lost = [...seen].filter(
      ([path, status]) =>
        status === 404 || (status >= 400 && !path.endsWith("/ip/nonsense") && path !== "/mcp"),
    );
    expect(lost).toEqual([]);
    for (const path of [
      ...["/docs", "/en/docs", "/method", "/en/method", "/compare", "/openapi.json"],
      `/en/ip/${ADDRESS}.md`,
      "/badge/192.0.2.1.svg?lang=en",
      "/gate/192.0.2.1?scenario=ai&min=70&status=200",
      "/mcp",
    ])
      expect([...seen.keys()]).toContain(path);
    // It draws every picture, which takes long on a busy machine.
  }, 30_000);

  /** Paths of this site that a document names; `ADDRESS` stands for one. */
  function listPaths(text: string, isPage: boolean): string[] {
    const found = isPage
      ? [...text.matchAll(/ href="([^"#]+)/g)].map(([, link = ""]) => link.replaceAll("&amp;", "&"))
      : [...text.matchAll(/https:\/\/limpid\.test[^\s`)<>#]*/g)].map(([link]) => link);
    return found
      .map((link) => (link.startsWith(ORIGIN) ? link.slice(ORIGIN.length) || "/" : link))
      .filter((link) => link.startsWith("/"))
      .map((link) =>
        link.replaceAll("ADDRESS,ADDRESS", `${ADDRESS},203.0.113.66`).replaceAll("ADDRESS", ADDRESS),
      );
  }
});

test.each(["/llms.txt", "/en/llms.txt"])("every link of %s answers a GET", async (path) => {
  const text = await (await openShared().ask(path)).text();
  const links = [...text.matchAll(/\]\((https:\/\/limpid\.test[^)]*)\)/g)].map(([, link = ""]) => link);
  expect(links.length).toBeGreaterThan(10);
  for (const link of links) {
    const { pathname, search, hash } = new URL(link);
    const response = await openShared().ask(pathname + search);
    expect(response.status, link).toBe(200);
    if (hash !== "") expect(await response.text()).toContain(`id="${hash.slice(1)}"`);
  }
  expect(text).toContain("`POST https://limpid.test/mcp`");
});

test.each(["/llms.txt", "/method", "/docs", "/example", "/compare", "/card/method.png", "/ip/8.8.4.4.png"])(
  "%s answers in the language of its prefix, else of `lang`",
  async (path) => {
    const { ask } = openApp();
    const read = async (target: string) => {
      const response = await ask(target);
      expect(response.status, target).toBe(200);
      return { language: response.headers.get("content-language"), body: await response.bytes() };
    };
    const [chinese, english] = [await read(path), await read(`/en${path}`)];
    expect([chinese.language, english.language]).toEqual(["zh", "en"]);
    expect(chinese.body).not.toEqual(english.body);
    expect(await read(`${path}?lang=en`)).toEqual(english);
    expect(await read(`${path}?lang=zh`)).toEqual(chinese);
    expect(await read(`/en${path}?lang=zh`)).toEqual(english);
    expect((await ask(`${path}?lang=fr`)).status).toBe(400);
  },
);

test.each([...LANGUAGES])(
  "/example in %s is a report that asks nobody and offers nothing about its address",
  async (language) => {
    const { ask, calls } = openApp({ findKnown: () => Promise.reject(new Error("asked the database")) });
    const response = await ask(language === "en" ? "/en/example" : "/example");
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toBe("public, max-age=300");
    const page = await response.text();
    const { ip, risk } = exampleReport("https://limpid.test", language);
    const { exampleTitle, exampleNote } = siteTextsOf(language);
    const marks = [exampleNote, `<strong>${exampleTitle}</strong>`, 'content="noindex"'];
    const facts = risk.factors.flatMap(({ label, detail }) => [label, detail]);
    for (const shown of [ip, risk.verdict, ...marks, ...facts]) expect(page).toContain(shown);
    for (const part of [`/ip/${ip}`, `/cli/${ip}`, "refresh", "service-report", "feedback", "data-copy"])
      expect(page).not.toContain(part);
    expect(calls).toEqual([]);
  },
);
