import { describe, expect, test } from "bun:test";
import { openApp, openShared } from "../kit/open_app.ts";

describe("the query", () => {
  test.each([
    ["198.51.100.7+", " "],
    ["a,b", ","],
    ["[1]", "[1]"],
    ['{"a":1}', "{"],
    ["%5B%22a%22%5D", "["],
  ])("keeps the value %p as text, as the WHATWG URL standard does", async (value, kept) => {
    const response = await openShared().ask(`/api/lookup?ip=${value}&lang=en`);
    expect(response.status).toBe(400);
    const { code, error } = (await response.json()) as { code: string; error: string };
    expect(code).toBe("invalid_ip");
    expect(error).toContain(kept);
  });

  test("refuses a known parameter that is given twice, and ignores an unknown one", async () => {
    const twice = await openShared().ask("/api/compare?ips=198.51.100.7&ips=198.51.100.8");
    expect(twice.status).toBe(400);
    expect(await twice.json()).toMatchObject({ code: "invalid_parameter" });
    const target = "/api/lookup?ip=198.51.100.7&utm=1&utm=2&__proto__=x&constructor=y&toString=z";
    expect((await openShared().ask(target)).status).toBe(200);
  });
});

describe("the request context", () => {
  test("exists for a path without a route and for a target that is too long", async () => {
    const testApp = openApp();
    for (const target of ["/nothing", `/${"a".repeat(3000)}`, `/api/lookup?ip=${"1".repeat(3000)}`]) {
      const response = await testApp.ask(target);
      expect(response.headers.get("x-request-id")).toMatch(/^request-\d$/);
    }
  });

  test.each([
    ["/en/ip/x.json?lang=zh", "en"],
    ["/en", "en"],
    ["/ip/x.json?lang=en", "en"],
    ["/ip/x.json", "zh"],
    ["/english", "zh"],
  ])("reads the language of %s as %s", async (target, language) => {
    const text = await (await openShared().ask(target, { headers: { accept: "text/html" } })).text();
    expect(/\p{Script=Han}/u.test(text)).toBe(language === "zh" || text.includes("中文"));
  });
});
