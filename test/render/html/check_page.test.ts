import { describe, expect, test } from "bun:test";
import { HtmlValidate } from "html-validate";
import { checkTextsOf } from "#locale";
import { type CheckPageParts, renderCheckPage } from "#render";
import type { Language } from "#report";
import { HOSTILE } from "../hostile_report.ts";
import { decodeEntities } from "../read_page.ts";

const LANGUAGES = ["zh", "en"] as const satisfies readonly Language[];
const ACTIONS = ["lookup", "refresh", "feedback"] as const;
const validator = new HtmlValidate({
  extends: ["html-validate:recommended", "html-validate:a11y"],
  rules: {
    "no-trailing-whitespace": "off",
    "long-title": "off",
    "doctype-style": "off",
    "no-inline-style": "error",
  },
});

function partsOf(changes: Partial<CheckPageParts> = {}): CheckPageParts {
  const language = changes.language ?? "en";
  return {
    ip: "203.0.113.7",
    action: "lookup",
    language,
    sentence: "The allowance is used up.",
    hint: "Open reportUrl once in a browser.",
    provider: { kind: "altcha" },
    reportPath: `${language === "en" ? "/en" : ""}/ip/203.0.113.7`,
    ...changes,
  };
}

/** Attributes of the first element that has the id. */
async function readAttributes(page: string, id: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const rewriter = new HTMLRewriter().on(`#${id}`, {
    element(element) {
      for (const [name, value] of element.attributes) found.set(name, decodeEntities(value));
    },
  });
  await rewriter.transform(new Response(page)).text();
  return found;
}

describe("renderCheckPage", () => {
  test.each(LANGUAGES.flatMap((language) => ACTIONS.map((action) => [language, action] as const)))(
    "is valid, accessible HTML without anything inline: %s %s",
    async (language, action) => {
      const page = renderCheckPage(partsOf({ language, action, problemReason: "expired" }));
      const report = await validator.validateString(page);
      expect(report.results.flatMap(({ messages }) => messages.map((message) => message.message))).toEqual(
        [],
      );
      expect(page).not.toMatch(/\sstyle=|<style|\son\w+=|javascript:/i);
      expect(page.match(/<script\b[^>]*>/g)).toEqual([
        '<script src="/static/theme.js">',
        '<script type="module" src="/static/check.js">',
      ]);
      expect(page).toContain(checkTextsOf(language).title[action]("203.0.113.7"));
      expect(page).toContain(checkTextsOf(language).why[action].replaceAll("'", "&#x27;"));
      expect(page).toContain("The allowance is used up.");
      expect(page).toContain("Open reportUrl once in a browser.");
      expect(page).toContain('<meta name="robots" content="noindex">');
    },
  );

  test("says in the page what to do without script", () => {
    for (const language of LANGUAGES) {
      const words = checkTextsOf(language);
      const page = renderCheckPage(partsOf({ language }));
      const noscript = /<noscript>(.*?)<\/noscript>/s.exec(page)?.[1] ?? "";
      expect(noscript).toContain(words.needsScript);
      expect(noscript).toContain("HTTPS");
    }
  });

  test("has the data of the script in attributes", async () => {
    const page = renderCheckPage(partsOf({ ip: "2001:db8::7", reportPath: "/en/ip/2001:db8::7" }));
    const check = await readAttributes(page, "check");
    expect(Object.fromEntries(check)).toMatchObject({
      "data-ip": "2001:db8::7",
      "data-action": "lookup",
      "data-language": "en",
      "data-report-path": "/en/ip/2001:db8::7",
      "data-kind": "altcha",
    });
    const words = JSON.parse((await readAttributes(page, "progress")).get("data-words") ?? "");
    expect(words).toEqual(checkTextsOf("en").progress);
    const widget = JSON.parse((await readAttributes(page, "check-widget")).get("data-words") ?? "");
    expect(widget).toEqual(checkTextsOf("en").widget);
  });

  test("for Turnstile has the site key and the token, and names the third party", async () => {
    const page = renderCheckPage(
      partsOf({ provider: { kind: "turnstile", siteKey: "1x00", token: "a_b-c" } }),
    );
    const check = await readAttributes(page, "check");
    expect(check.get("data-kind")).toBe("turnstile");
    expect(check.get("data-site-key")).toBe("1x00");
    expect(check.get("data-token")).toBe("a_b-c");
    expect(page).toContain("challenges.cloudflare.com");
    expect(renderCheckPage(partsOf())).not.toContain("cloudflare");
  });

  test("links the same check in the other language, a refresh as one", () => {
    expect(renderCheckPage(partsOf())).toContain('<a href="/ip/203.0.113.7" hreflang="zh-Hans"');
    expect(renderCheckPage(partsOf({ action: "refresh", language: "zh" }))).toContain(
      '<a href="/en/ip/203.0.113.7?refresh=1" hreflang="en"',
    );
  });

  test("shows a known reason and ignores an unknown one", () => {
    const words = checkTextsOf("en");
    const notice = (page: string) => /<div id="check-notice"[^>]*>(.*?)<\/div>/s.exec(page)?.[0] ?? "";
    expect(notice(renderCheckPage(partsOf({ problemReason: "replayed" })))).toContain(
      words.reasons.replayed ?? "-",
    );
    for (const problemReason of ["constructor", "__proto__", "anything"]) {
      const shown = notice(renderCheckPage(partsOf({ problemReason })));
      expect(shown).toContain(" hidden");
      expect(shown).not.toContain("<p>");
    }
  });

  test("escapes hostile strings", async () => {
    const page = renderCheckPage(
      partsOf({
        ip: HOSTILE,
        sentence: HOSTILE,
        hint: HOSTILE,
        reportPath: `/en/ip/${HOSTILE}`,
        problemReason: HOSTILE,
        provider: { kind: "turnstile", siteKey: HOSTILE, token: HOSTILE },
      }),
    );
    const seen: string[] = [];
    await new HTMLRewriter()
      .on("script, img", { element: (element) => void seen.push(element.tagName) })
      .transform(new Response(page))
      .text();
    expect(seen).toEqual(["script", "script"]);
    expect(page).not.toMatch(/[\u202e\u200b\u0000\u0007\u001b]/);
  });

  test("texts for scripts have the same placeholders in both languages", () => {
    const placesOf = (words: Readonly<Record<string, string>>) =>
      Object.entries(words).map(([key, text]) => [key, (text.match(/\{\w+\}/g) ?? []).sort()]);
    const [zh, en] = [checkTextsOf("zh"), checkTextsOf("en")];
    expect(placesOf(zh.progress)).toEqual(placesOf(en.progress));
    expect(placesOf(zh.rating.script)).toEqual(placesOf(en.rating.script));
  });
});
