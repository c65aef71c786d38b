import { describe, expect, test } from "bun:test";
import { watchRequests } from "#app";
import { createApp } from "#http";
import { createMetrics, EXPOSITION_TYPE } from "#metrics";
import { parseExposition, readValue } from "../../metrics/parse_exposition.ts";
import { conform } from "../kit/conform.ts";
import { type AppOptions, document, openApp } from "../kit/open_app.ts";

const TOKEN = "a-token-of-32-characters-exactly";

function open(options: AppOptions & { readonly token?: string; readonly isDetailed?: boolean } = {}) {
  const testApp = openApp({ peer: "127.0.0.1", ...options });
  const routes = new Set(["unmatched"]);
  const metrics = createMetrics({
    version: "9.9.9",
    scoringVersion: 1,
    role: "full",
    routes,
    shapes: ["json", "text", "page"],
    sources: ["a"],
    feeds: ["b"],
    tables: ["c"],
    now: testApp.clock.now,
    startedAt: 0,
  });
  let ms = 0;
  const app = createApp({
    ...testApp.deps,
    watch: watchRequests({
      metrics,
      routes,
      log: testApp.deps.log,
      names: testApp.deps.clientNames,
      now: testApp.clock.now,
      clock: () => (ms += 2),
      isDetailed: options.isDetailed ?? false,
    }),
    metrics: {
      contentType: EXPOSITION_TYPE,
      write: metrics.write,
      ...(options.token === undefined ? {} : { token: options.token }),
    },
  });
  return {
    app,
    testApp,
    metrics,
    async ask(target: string, init: RequestInit = {}): Promise<Response> {
      const request = new Request(`http://localhost${target}`, init);
      // Elysia's types name another library's Response; at run time it is Bun's.
      const response = (await app.handle(request)) as Response;
      await conform(document, request, response.clone());
      return response;
    },
  };
}

describe("GET /metrics without a token", () => {
  test.each(["127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1"])("answers %s", async (peer) => {
    const { ask } = open({ peer });
    const response = await ask("/metrics");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
    expect(response.headers.get("ratelimit")).toBeNull();
    parseExposition(await response.text());
  });

  test.each(["192.0.2.1", "::ffff:192.0.2.1", "2001:db8::1", "128.0.0.1", "::2", "", "fe80::1%lo"])(
    "answers %p like an unknown path",
    async (peer) => {
      const { ask, app } = open({ peer, exempt: ["0.0.0.0/0", "::/0"] });
      for (const method of ["GET", "HEAD", "POST", "OPTIONS", "DELETE"]) {
        const [mine, nobodys] = [await ask("/metrics", { method }), await ask("/nothing", { method })];
        expect(mine.status, method).toBe(404);
        expect(mine.status).toBe(nobodys.status);
        expect([...mine.headers.keys()]).toEqual([...nobodys.headers.keys()]);
        expect(await mine.text()).toBe(await nobodys.text());
      }
      const asBrowser = (target: string) =>
        app.handle(new Request(`http://localhost${target}`, { headers: { accept: "text/html" } }));
      const page = await (await asBrowser("/metrics")).text();
      // The link to the other language contains the path.
      expect(page.replaceAll("/metrics", "/nothing")).toBe(await (await asBrowser("/nothing")).text());
    },
  );

  test.each([
    { "x-forwarded-for": "127.0.0.1" },
    { "x-forwarded-for": "::1, 127.0.0.1" },
    { "x-forwarded-for": "" },
    { "X-Real-IP": "127.0.0.1" },
    { forwarded: "for=127.0.0.1" },
    { "x-forwarded-proto": "https" },
    { via: "1.1 proxy" },
  ])("is not a path behind a proxy on this machine, trusted or not: %j", async (headers) => {
    for (const trustedProxies of [[], ["127.0.0.0/8", "::1"]]) {
      const { ask } = open({ trustedProxies });
      expect((await ask("/metrics", { headers })).status).toBe(404);
    }
  });

  test("ignores forwarded addresses that claim to be local", async () => {
    const { ask } = open({ peer: "192.0.2.1", trustedProxies: ["192.0.2.0/24"] });
    expect((await ask("/metrics", { headers: { "x-forwarded-for": "127.0.0.1" } })).status).toBe(404);
    const host = { host: "127.0.0.1", authorization: `Bearer ${TOKEN}` };
    expect((await ask("/metrics", { headers: host })).status).toBe(404);
  });

  test("costs no lookup and counts for no limit", async () => {
    const { ask } = open({ limits: { lookups: 1 } });
    for (let at = 0; at < 5; at += 1) expect((await ask("/metrics")).status).toBe(200);
    expect((await ask("/api/lookup?ip=198.51.100.7")).status).toBe(200);
  });

  test("answers HEAD without a body, and refuses other methods", async () => {
    const { ask } = open();
    const head = await ask("/metrics", { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    const post = await ask("/metrics", { method: "POST", body: "x" });
    expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });
});

describe("GET /metrics with a token", () => {
  test.each(["127.0.0.1", "192.0.2.1"])("answers %s, also through a proxy", async (peer) => {
    const { ask } = open({ peer, token: TOKEN });
    const forwarded = { "x-forwarded-for": "192.0.2.9" };
    for (const authorization of [`Bearer ${TOKEN}`, `bearer  ${TOKEN}`]) {
      expect((await ask("/metrics", { headers: { authorization, ...forwarded } })).status).toBe(200);
    }
  });

  test.each([
    undefined,
    "",
    "Bearer",
    "Bearer ",
    TOKEN,
    `Basic ${TOKEN}`,
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(1)}`,
    `Bearer ${TOKEN.toUpperCase()}`,
    `Bearer x, Bearer ${TOKEN}`,
    `Bearer ${"x".repeat(10_000)}`,
  ])("refuses %p, on this machine too", async (authorization) => {
    const { ask, testApp } = open({ token: TOKEN });
    const headers = authorization === undefined ? {} : { authorization };
    const response = await ask("/metrics", { headers });
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe('Bearer realm="metrics"');
    expect(await response.json()).toMatchObject({ code: "unauthorized" });
    expect((await ask(`/metrics?token=${TOKEN}`, { headers })).status).toBe(401);
    expect(JSON.stringify(testApp.logs)).not.toContain(TOKEN);
  });
});

describe("metrics of requests", () => {
  test("count exactly by pattern, format and status, with the reason of refusals", async () => {
    const { ask } = open({ limits: { lookups: 4 } });
    await ask("/api/lookup?ip=198.51.100.7");
    await ask("/en/ip/198.51.100.7.txt");
    await ask("/ip/198.51.100.8", { headers: { accept: "text/html" } });
    await ask("/api/lookup?ip=999");
    await ask("/api/lookup?ip=198.51.100.9");
    await ask("/api/lookup?ip=198.51.100.9");
    await ask("/198.51.100.7/wp-login.php");
    await ask("/healthz", { method: "DELETE" });
    const text = await (await ask("/metrics")).text();
    const metrics = parseExposition(text);
    const requests = metrics.get("limpid_http_requests_total")?.samples;
    expect(
      Object.fromEntries(
        requests?.map(({ labels, value }) => [Object.values(labels).join(" "), value]) ?? [],
      ),
    ).toEqual({
      "/api/lookup json 200": 1,
      "/en/ip/:name text 200": 1,
      "/ip/:name page 200": 1,
      "/api/lookup json 400": 1,
      "/api/lookup json 429": 2,
      "unmatched json 404": 1,
      "/healthz json 405": 1,
    });
    const problem = (code: string, reason = "") =>
      readValue(metrics, "limpid_http_problems_total", { code, reason });
    expect(problem("rate_limited", "lookups_per_minute")).toBe(2);
    expect(problem("invalid_ip")).toBe(1);
    expect(problem("not_found")).toBe(1);
    expect(problem("method_not_allowed")).toBe(1);
    const route = { route: "/api/lookup" };
    expect(readValue(metrics, "limpid_http_request_seconds_count", route)).toBe(4);
    expect(readValue(metrics, "limpid_http_request_seconds_sum", route)).toBeCloseTo(0.008);
    expect(readValue(metrics, "limpid_reply_cache_entries")).toBe(3);
    expect(readValue(metrics, "limpid_reply_cache_bytes")).toBeGreaterThan(6000);
    expect(text).not.toMatch(/198\.51|wp-login|127\.0/);
  });

  test("have no series for values that a client invents", async () => {
    const { ask } = open({ peer: "127.0.0.1", exempt: ["127.0.0.1"] });
    await ask("/metrics");
    const before = (await (await ask("/metrics")).text()).split("\n").length;
    for (let at = 0; at < 200; at += 1) {
      await ask(`/path-${at}?q=${at}`, {
        method: at % 2 === 0 ? "GET" : `M${at}`,
        headers: { "user-agent": `a${at}` },
      });
    }
    const after = (await (await ask("/metrics")).text()).split("\n").length;
    expect(after - before).toBeLessThan(30);
  });
});

describe("the log of requests", () => {
  test("has one line for each refused request, with the pattern and the client's name of the day", async () => {
    const { ask, testApp } = open({ peer: "192.0.2.77", limits: { lookups: 1 } });
    await ask("/api/lookup?ip=198.51.100.7", {
      headers: { "user-agent": "evil\u0001", cookie: "limpid_pass=stolen" },
    });
    const refused = await ask("/api/lookup?ip=198.51.100.8");
    await ask("/a/198.51.100.8\u2028?x=%0a", { method: "PUT" });
    expect(testApp.logs.map(({ level, event }) => `${level} ${event}`)).toEqual([
      "info request_refused",
      "info request_refused",
    ]);
    expect(testApp.logs[0]?.fields).toEqual({
      requestId: refused.headers.get("x-request-id"),
      method: "GET",
      route: "/api/lookup",
      shape: "json",
      status: 429,
      code: "rate_limited",
      reason: "lookups_per_minute",
      ms: 2,
      client: testApp.deps.clientNames.nameOf("192.0.2.77", Math.floor(testApp.clock.now() / 86_400_000)),
    });
    expect(testApp.logs[1]?.fields).toMatchObject({ method: "PUT", route: "unmatched", status: 404 });
    expect(JSON.stringify(testApp.logs)).not.toMatch(/198\.51|192\.0\.2|evil|stolen/);
  });

  test("has every request at level debug", async () => {
    const { ask, testApp } = open({ isDetailed: true });
    await ask("/healthz");
    expect(testApp.logs).toMatchObject([
      { level: "debug", event: "request_answered", fields: { route: "/healthz", status: 200 } },
    ]);
  });

  test("has the request id and the details of an internal error", async () => {
    const { ask, testApp } = open({
      lookup: () => {
        throw new Error("at 192.0.2.1");
      },
    });
    const response = await ask("/api/lookup?ip=198.51.100.7");
    const requestId = response.headers.get("x-request-id");
    expect(response.status).toBe(500);
    expect(testApp.logs.map(({ event, fields }) => [event, fields?.requestId])).toEqual([
      ["request_failed", requestId],
      ["request_refused", requestId],
    ]);
  });
});
