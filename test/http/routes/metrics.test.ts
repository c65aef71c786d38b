import { describe, expect, test } from "bun:test";
import { watchRequests } from "#app";
import { createApp } from "#http";
import { EXPOSITION_TYPE } from "#metrics";
import { parseExposition, readValue } from "../../metrics/parse_exposition.ts";
import { createTestMetrics } from "../../metrics/test_metrics.ts";
import { conform } from "../kit/conform.ts";
import { type AppOptions, document, openApp } from "../kit/open_app.ts";
import { tables } from "../kit/scenarios.ts";

const metrics: NonNullable<AppOptions["metrics"]> = {
  contentType: EXPOSITION_TYPE,
  write: async () => "a 1\n",
};
const withToken = { ...metrics, token: "a-token-of-32-characters-exactly" };

tables("metrics", { metrics, withToken });

function open(options: AppOptions & { readonly isDetailed?: boolean } = {}) {
  const testApp = openApp({ peer: "127.0.0.1", ...options });
  const routes = new Set(["unmatched"]);
  const metrics = createTestMetrics({
    routes,
    shapes: ["json", "text", "page"],
    sources: ["a"],
    feeds: ["b"],
    tables: ["c"],
    now: testApp.clock.now,
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
    metrics: { contentType: EXPOSITION_TYPE, write: metrics.write },
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
