import { describe, expect, test } from "bun:test";
import VALUES from "../fixtures/http/values.json";
import { openApp, openShared, surveying } from "./kit/open_app.ts";

const NEW = "/api/lookup?ip=8.8.4.77";
const OPERATOR = "noc@limpid.example";

/** Reads an error body. */
async function read(response: Response): Promise<Record<string, string>> {
  return (await response.json()) as Record<string, string>;
}

describe("an error in text", () => {
  test("starts with its code, so that the two 429s differ, and has at most 72 columns", async () => {
    const mine = openApp({ limits: { lookups: 1 }, contact: OPERATOR });
    const all = openApp({ lookup: surveying, limits: { openPerMinute: 1 }, contact: OPERATOR });
    const texts: string[] = [];
    for (const testApp of [mine, all]) {
      for (const path of ["/en/ip/8.8.4.77.txt", "/cli/8.8.4.78?lang=en", "/ip/8.8.4.79.md"]) {
        const response = await testApp.ask(path);
        if (response.status === 200) continue;
        expect(response.status).toBe(429);
        texts.push(await response.text());
      }
    }
    expect(texts.map((text) => text.slice(0, text.indexOf(":")))).toEqual([
      "rate_limited",
      "rate_limited",
      "open_rate_limited",
      "open_rate_limited",
    ]);
    const lines = texts.flatMap((text) => text.split("\n"));
    for (const line of lines) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(72);
    for (const text of texts) expect(text.replaceAll("\n", "")).toContain(OPERATOR);
  });

  test("has its URL alone in the last line", async () => {
    const testApp = openApp({ lookup: surveying, limits: { openPerDay: 0 } });
    const lines = (await (await testApp.ask("/en/ip/8.8.4.77.txt")).text()).split("\n");
    expect(lines[0]).toStartWith("verification_required: ");
    expect(lines.slice(-2)).toEqual(["https://limpid.test/en/ip/8.8.4.77", ""]);
  });
});

describe("a refusal", () => {
  test("of a submission from another site has a code of its own", async () => {
    const headers = { "content-type": "application/json", "sec-fetch-site": "cross-site" };
    for (const path of ["/api/verify", "/api/feedback"]) {
      const response = await openShared().ask(path, { method: "POST", headers, body: "{}" });
      expect(response.status).toBe(403);
      expect(await read(response)).toMatchObject({ code: "forbidden" });
    }
  });

  test.each([[{ openPerDay: 0 }], [{ openDailyTotal: 0 }]])(
    "promises no new allowance at midnight if it is 0: %j",
    async (limits) => {
      for (const [lang, midnight] of [
        ["en", "midnight"],
        ["zh", "零点"],
      ]) {
        const never = await openApp({ lookup: surveying, limits }).ask(`${NEW}&lang=${lang}`);
        expect((await read(never)).hint).not.toContain(midnight);
        const usedUp = openApp({ lookup: surveying, limits: { openPerDay: 1 } });
        await usedUp.ask(NEW);
        expect((await read(await usedUp.ask(`/api/lookup?ip=8.8.4.78&lang=${lang}`))).hint).toContain(
          midnight,
        );
      }
    },
  );

  test.each([
    [{ openPerDay: 0 }, 403],
    [{ openPerMinute: 0 }, 429],
    [{ fresh: 0 }, 429],
  ])("names the operator's contact: %j", async (limits, status) => {
    for (const language of ["en", "zh"]) {
      const named = await openApp({ lookup: surveying, limits, contact: OPERATOR }).ask(
        `${NEW}&lang=${language}`,
      );
      expect(named.status).toBe(status);
      expect((await read(named)).hint).toEndWith(OPERATOR);
      const silent = await openApp({ lookup: surveying, limits }).ask(`${NEW}&lang=${language}`);
      expect((await read(silent)).hint).not.toMatch(/operator|运营者/);
    }
  });
});

describe("an unknown language", () => {
  test.each([
    ["/api/lookup?ip=198.51.100.7&lang=fr", "fr"],
    ["/en/ip/198.51.100.7.json?lang=EN", "EN"],
    ["/cli/198.51.100.7?lang=en-US", "en-US"],
    ["/ip/198.51.100.7?lang=", ""],
  ])("%s is refused in both languages at once", async (path, value) => {
    const response = await openShared().ask(path);
    expect(response.status).toBe(400);
    expect(response.headers.get("content-language")).toBe("zh, en");
    const text = (await response.text())
      .replaceAll("&quot;", '"')
      .replaceAll('\\"', '"')
      .replaceAll("\n", " ");
    expect(text).toContain("invalid_parameter");
    expect(text.replaceAll(" ", "")).toContain(`参数lang的值「${value}」无效，可选：zh、en。`);
    expect(text).toContain(`The value "${value}" of parameter lang is invalid; offered: zh, en.`);
  });
});

describe("the headers of texts", () => {
  test.each(VALUES.languages as [string, string | null][])(
    "%s has the language %s",
    async (path, language) => {
      const response = await openShared().ask(path);
      expect(response.headers.get("content-language")).toBe(language);
    },
  );

  test("JSON and text of the API lead to the description, pages to llms.txt", async () => {
    const testApp = openApp();
    for (const path of ["/api/lookup?ip=198.51.100.7", "/ip/198.51.100.7.txt", "/api/myip", "/api/lookup"]) {
      const response = await testApp.ask(path);
      expect(response.headers.get("link")).toBe(
        '</openapi.json>; rel="service-desc"; type="application/json"',
      );
    }
    expect((await testApp.ask("/ip/198.51.100.7")).headers.get("link")).not.toContain("service-desc");
  });
});

describe("the description", () => {
  const OWN = { lookups: 31, fresh: 11, refreshes: 7, openPerDay: 6, openPerMinute: 17, openDailyTotal: 601 };

  test("states the limits in force", async () => {
    const sentences = VALUES.limits;
    for (const [path, wanted] of Object.entries(sentences)) {
      const text = await (await openApp({ limits: OWN }).ask(path)).text();
      for (const sentence of wanted) expect(text).toContain(sentence);
      expect(text).not.toContain("5 a minute per client");
    }
    expect(await (await openApp({ limits: { openPerDay: 0 } }).ask("/docs")).text()).toContain(
      "未入库的地址需要人机验证",
    );
    const closed = (await (await openApp({ limits: { openPerDay: 0 } }).ask("/openapi.json")).json()) as {
      info: { description: string };
    };
    expect(closed.info.description).toContain("Unknown addresses need human verification");
  });

  test.each([
    [OPERATOR, { name: "Operator", email: OPERATOR }],
    [`mailto:${OPERATOR}`, { name: "Operator", email: OPERATOR }],
    ["https://limpid.example/contact", { name: "Operator", url: "https://limpid.example/contact" }],
    ["@limpid", { name: "@limpid" }],
  ])("has the contact %s of the operator", async (contact, described) => {
    const testApp = openApp({ contact });
    const { info } = (await (await testApp.ask("/openapi.json")).json()) as { info: Record<string, unknown> };
    expect(info.contact).toEqual(described);
    for (const path of ["/docs", "/en/docs", "/llms.txt", "/en/llms.txt"])
      expect(await (await testApp.ask(path)).text()).toContain(contact);
  });

  test("has the service itself as its contact without one", async () => {
    const { info } = (await (await openShared().ask("/openapi.json")).json()) as { info: object };
    expect(info).toMatchObject({ contact: { url: "https://limpid.test" } });
  });
});
