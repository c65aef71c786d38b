import { describe, expect, test } from "bun:test";
import { speak } from "#locale";
import { renderPage } from "#render";
import { LANGUAGES, type Language, type Report } from "#report";
import { ASSESSMENTS, BOGON, HOME, SERVER } from "../fixtures/assessments.ts";
import { hostileReport } from "./hostile_report.ts";

function report(name: keyof typeof ASSESSMENTS, language: Language): Report {
  const assessment = ASSESSMENTS[name];
  const prefix = language === "en" ? "/en" : "";
  return speak(assessment, {
    language,
    tier: "fresh",
    stale: false,
    reportUrl: `https://limpid.example${prefix}/ip/${assessment.address}`,
  });
}

interface Seen {
  /** Every element with its attributes, as Bun's own HTML parser sees them. */
  readonly elements: readonly { readonly tag: string; readonly attributes: ReadonlyMap<string, string> }[];
  readonly script: string;
  readonly comments: number;
}

async function read(page: string): Promise<Seen> {
  const elements: { tag: string; attributes: Map<string, string> }[] = [];
  let script = "";
  let comments = 0;
  const rewriter = new HTMLRewriter()
    .on("*", {
      element(element) {
        elements.push({
          tag: element.tagName,
          attributes: new Map([...element.attributes].map(([name, value]) => [name, value] as const)),
        });
      },
    })
    .on("script", {
      text(chunk) {
        script += chunk.text;
      },
    })
    .onDocument({
      comments() {
        comments++;
      },
    });
  await rewriter.transform(new Response(page)).text();
  return { elements, script, comments };
}

const VOID = new Set(["meta", "link", "br", "img", "input"]);

/** Names of elements left open or closed out of turn. */
function findUnbalanced(page: string): string[] {
  const open: string[] = [];
  const wrong: string[] = [];
  for (const [, slash, name] of page.matchAll(/<(\/?)([a-z][a-z0-9]*)(?:\s[^<>]*)?>/g)) {
    if (name === undefined || VOID.has(name)) continue;
    if (slash === "") open.push(name);
    else if (open.pop() !== name) wrong.push(name);
  }
  return [...wrong, ...open];
}

const cases = Object.keys(ASSESSMENTS).flatMap((name) =>
  LANGUAGES.map((language) => [name as keyof typeof ASSESSMENTS, language] as const),
);

describe.each(cases)("renderPage of %s in %s", (name, language) => {
  const document = report(name, language);
  const page = renderPage(document);

  test("is one well-formed document in its language", async () => {
    expect(page).toStartWith("<!doctype html>\n");
    expect(page).toEndWith("</html>\n");
    expect(findUnbalanced(page)).toEqual([]);
    const { elements } = await read(page);
    expect(elements[0]?.attributes.get("lang")).toBe(language === "en" ? "en" : "zh-Hans");
    for (const tag of ["title", "h1", "main", "footer"])
      expect(elements.filter((element) => element.tag === tag)).toHaveLength(1);
    expect(page).not.toMatch(/undefined|\[object|NaN/);
  });

  test("carries the report as data, and no other script", async () => {
    const { elements, script } = await read(page);
    expect(JSON.parse(script)).toEqual(JSON.parse(JSON.stringify(document)));
    const scripts = elements.filter(({ tag }) => tag === "script");
    expect(scripts.map(({ attributes }) => Object.fromEntries(attributes))).toEqual([
      { type: "application/json", id: "service-report" },
    ]);
  });

  test("has no inline style, no handler and asks third parties for nothing", async () => {
    const { elements } = await read(page);
    for (const { tag, attributes } of elements) {
      expect(["style", "iframe", "img", "object", "embed", "base", "form"]).not.toContain(tag);
      for (const attribute of attributes.keys()) expect(attribute).not.toMatch(/^on|^style$|^src$/);
    }
    const loaded = elements.filter(
      ({ tag, attributes }) => tag === "link" && attributes.get("rel") === "stylesheet",
    );
    expect(loaded.map(({ attributes }) => attributes.get("href"))).toEqual(["/static/report.css"]);
  });

  test("gives every table a caption and every column a head", async () => {
    const { elements } = await read(page);
    const count = (tag: string) => elements.filter((element) => element.tag === tag).length;
    expect(count("caption")).toBe(count("table"));
    expect(count("thead")).toBe(count("table"));
    for (const { tag, attributes } of elements)
      if (tag === "th") expect(["row", "col"]).toContain(attributes.get("scope") ?? "");
  });
});

describe("renderPage", () => {
  test("links both languages, the canonical address, text and JSON", async () => {
    const { elements } = await read(renderPage(report("server", "en")));
    const links = elements
      .filter(({ tag }) => tag === "link")
      .map(({ attributes }) => [
        attributes.get("rel"),
        attributes.get("hreflang") ?? attributes.get("type"),
        attributes.get("href"),
      ]);
    expect(links).toContainEqual(["canonical", undefined, "https://limpid.example/en/ip/203.0.113.45"]);
    expect(links).toContainEqual(["alternate", "zh-Hans", "https://limpid.example/ip/203.0.113.45"]);
    expect(links).toContainEqual(["alternate", "en", "https://limpid.example/en/ip/203.0.113.45"]);
    expect(links).toContainEqual(["alternate", "x-default", "https://limpid.example/ip/203.0.113.45"]);
    expect(links).toContainEqual([
      "alternate",
      "application/json",
      "https://limpid.example/en/ip/203.0.113.45.json",
    ]);
    expect(links).toContainEqual([
      "alternate",
      "text/plain",
      "https://limpid.example/en/ip/203.0.113.45.txt",
    ]);
  });

  test("writes an IPv6 address into links as it is", () => {
    expect(renderPage(report("home", "en"))).toContain(`href="/en/ip/${HOME.address}.json"`);
  });

  test("keeps special-purpose addresses out of search engines, and only them", () => {
    const noindex = '<meta name="robots" content="noindex">';
    expect(renderPage(report("bogon", "en"))).toContain(noindex);
    expect(renderPage(report("server", "en"))).not.toContain(noindex);
    expect(BOGON.flags.isBogon).toBe(true);
  });

  test.each([...LANGUAGES])("lets no string of a report out in %s", async (language) => {
    const document = hostileReport(language);
    const page = renderPage(document);
    const harmless = await read(
      renderPage({
        ...report("server", language),
        stale: true,
        feedback: { ai: { count: 3, average: 4.5 } },
        scenarioNote: "x",
      }),
    );
    const seen = await read(page);
    const tags = new Set(harmless.elements.map(({ tag }) => tag));
    for (const { tag, attributes } of seen.elements) {
      expect([...tags]).toContain(tag);
      for (const [name, value] of attributes) {
        expect(name).not.toMatch(/^on|^style$|^src$/);
        if (name === "href") expect(value).toMatch(/^(https?:\/\/|\/|#)/);
      }
    }
    expect(seen.elements.filter(({ tag }) => tag === "script")).toHaveLength(1);
    expect(seen.comments).toBe(0);
    expect(findUnbalanced(page)).toEqual([]);
    expect(page).not.toContain("<img");
    expect(page).not.toContain("</script><");
    expect(page.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
    expect(JSON.parse(seen.script)).toEqual(JSON.parse(JSON.stringify(document)));
  });

  test("links a VPN's page only when it leads to the web", () => {
    const document = report("server", "en");
    const withUrl = (url: string) => renderPage({ ...document, vpnOperator: { name: "x", url } });
    expect(withUrl("https://vpn.example/a?b=1&c=2")).toContain('href="https://vpn.example/a?b=1&amp;c=2"');
    for (const url of ["javascript:alert(1)", "data:text/html,x", "//evil.example", "java\nscript:x"]) {
      expect(withUrl(url)).not.toContain('rel="nofollow noreferrer"');
    }
    expect(SERVER.vpn?.url).toBe("https://vpn.example/");
  });
});
