import { describe, expect, test } from "bun:test";
import { openApp, openShared, surveying } from "../kit/open_app.ts";

describe("an invalid request", () => {
  test("costs one lookup if the route costs one, and otherwise none", async () => {
    const testApp = openApp({ limits: { lookups: 1 } });
    expect((await testApp.ask("/api/myip?format=json")).status).toBe(400);
    expect((await testApp.ask("/api/lookup?ip=x")).status).toBe(400);
    const refused = await testApp.ask("/api/lookup?ip=x");
    expect(refused.status).toBe(429);
    expect(refused.headers.get("x-open-budget-remaining")).toBe("5");
  });

  test("costs one lookup, not two, if a body was already read", async () => {
    const testApp = openApp({ limits: { lookups: 2 } });
    const headers = { "content-type": "application/json", "sec-fetch-site": "same-origin" };
    const rate = () => testApp.ask("/api/feedback", { method: "POST", headers, body: '{"scenario":"ai"}' });
    expect((await rate()).headers.get("ratelimit")).toStartWith('"lookup";r=1;');
    expect((await rate()).headers.get("ratelimit")).toStartWith('"lookup";r=0;');
    expect((await rate()).status).toBe(429);
  });

  test("names the parameter and its allowed values", async () => {
    const ask = async (target: string) =>
      (await (await openShared().ask(target)).text()).replaceAll("\n", " ");
    expect(await ask("/gate/198.51.100.7?min=101&lang=en")).toContain("min is invalid. Allowed: 0-100.");
    expect(await ask("/cli/198.51.100.7?color=x&lang=en")).toContain("color is invalid. Allowed: 0, 1.");
    expect(await ask("/api/compare?lang=en")).toContain("Give 2 to 5 different addresses");
  });
});

test("an internal error of a survey has the allowance header, like every answer of its route", async () => {
  const testApp = openApp({
    lookup: async (...asked) => {
      await surveying(...asked);
      throw new Error("secret");
    },
  });
  const response = await testApp.ask("/api/lookup?ip=198.51.100.7");
  expect(response.status).toBe(500);
  expect(response.headers.get("x-open-budget-remaining")).toBe("4");
});

/** A path of each kind of route: with a parameter and without, JSON, text, page, stream, POST. */
const READ = [
  "/healthz",
  "/ip/198.51.100.7",
  "/cli/198.51.100.7",
  "/static/report.css",
  "/api/progress?ip=198.51.100.7",
];

describe("HEAD", () => {
  test("has no content-length for a 304, a redirect and an error", async () => {
    for (const [target, headers, status] of [
      ["/robots.txt", { "if-none-match": "*" }, 304],
      ["/method/", {}, 308],
      ["/?ip=198.51.100.7", {}, 302],
    ] as const) {
      const head = await openShared().ask(target, { method: "HEAD", headers });
      expect([head.status, head.headers.get("content-length")], target).toEqual([status, null]);
    }
    const error = await openShared().ask("/nothing", { method: "HEAD" });
    expect([error.status, await error.text()]).toEqual([404, ""]);
  });
});

describe("other methods", () => {
  test.each(READ)("are refused on %s with its list of methods", async (target) => {
    for (const method of ["POST", "PUT", "DELETE", "PATCH", "TRACE", "PROPFIND"]) {
      const response = await openShared().ask(target, { method });
      expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    }
    const options = await openShared().ask(target, { method: "OPTIONS" });
    expect([options.status, options.headers.get("allow")]).toEqual([204, "GET, HEAD, OPTIONS"]);
  });

  test.each(["/api/verify", "/api/feedback", "/mcp"])(
    "are refused on %s, which accepts only POST",
    async (target) => {
      for (const method of ["GET", "HEAD", "PUT"]) {
        const response = await openShared().ask(target, { method });
        expect([response.status, response.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
      }
    },
  );
});
