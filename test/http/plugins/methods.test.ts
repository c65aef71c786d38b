import { describe, expect, test } from "bun:test";
import { openShared } from "../kit/open_app.ts";

/** A path of each kind of route: with a parameter and without, JSON, text, page, stream, POST. */
const READ = [
  "/healthz",
  "/ip/198.51.100.7",
  "/cli/198.51.100.7",
  "/static/report.css",
  "/api/progress?ip=198.51.100.7",
];

describe("HEAD", () => {
  test.each(READ)("%s has the head of GET and no body", async (target) => {
    const head = await openShared().ask(target, { method: "HEAD" });
    const get = await openShared().ask(target);
    expect(head.headers.toJSON()).toEqual(get.headers.toJSON());
    expect(await head.text()).toBe("");
  });

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
    for (const method of ["POST", "PUT", "DELETE", "PATCH", "PROPFIND"]) {
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
