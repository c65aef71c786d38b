import { describe, expect, test } from "bun:test";
import { CORRECTION_ID } from "#report";
import VALUES from "../fixtures/http/values.json";
import { type AppOptions, answered, answerOf, openApp, openShared } from "./kit/open_app.ts";
import { tables } from "./kit/scenarios.ts";

const overloaded: AppOptions = { lookup: async () => ({ kind: "overloaded", retryAfterMs: 1, limits: [] }) };
const notReady: AppOptions = {
  ready: async () => ({ ready: false, checks: { store: { ok: false, detail: "/secret/place" } } }),
};
const brokenReadiness: AppOptions = { ready: () => Promise.reject(new Error("secret")) };
tables("app", { overloaded, notReady, brokenReadiness });

describe("createApp(): failures", () => {
  test("a thrown error reveals only the request id", async () => {
    const testApp = openApp({
      lookup: async () => {
        throw new TypeError("secret at /var/lib/limpid/limpid.db");
      },
    });
    for (const target of [
      "/api/lookup?ip=198.51.100.7&lang=en",
      "/en/ip/198.51.100.7",
      "/en/ip/198.51.100.7.txt",
    ]) {
      const response = await testApp.ask(target);
      expect(response.status).toBe(500);
      const body = await response.text();
      expect(body).not.toMatch(/secret|TypeError|somebody|\bat (?:\/|\w+ \()/);
      expect(body).toContain(response.headers.get("x-request-id") ?? "?");
    }
    expect(testApp.logs).toHaveLength(3);
    expect(testApp.logs[0]).toMatchObject({
      level: "error",
      event: "request_failed",
      fields: { requestId: "request-1", message: "secret at /var/lib/limpid/limpid.db" },
    });
  });

  test("a change of readiness is logged once", async () => {
    let ready = false;
    const testApp = openApp({
      ready: async () => ({ ready, checks: { store: { ok: ready, detail: "why" } } }),
    });
    await testApp.ask("/readyz");
    await testApp.ask("/readyz");
    ready = true;
    await testApp.ask("/readyz");
    expect(testApp.logs.map(({ level, event }) => `${level} ${event}`)).toEqual([
      "warn not_ready",
      "info ready",
    ]);
  });

  test("a client that disconnects is not an error", async () => {
    const testApp = openApp({
      lookup: (_request, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    });
    const leaving = new AbortController();
    const answer = testApp.app.handle(
      new Request("http://localhost/api/lookup?ip=198.51.100.7", { signal: leaving.signal }),
    );
    leaving.abort();
    expect((await answer).status).toBe(499);
    expect(testApp.logs).toEqual([]);
  });

  test("a connection that is gone before its address is read is not an error", async () => {
    const { app, logs } = openApp({ peer: "" });
    const answer = await app.handle(new Request("http://localhost/api/myip"));
    expect([answer.status, logs]).toEqual([499, []]);
  });

  test("the Host header is never used", async () => {
    const testApp = openApp();
    const response = await testApp.app.handle(
      new Request("http://evil.test:9999/en/ip/198.51.100.7?refresh=1", {
        headers: { host: "evil.test", "x-forwarded-host": "evil.test" },
      }),
    );
    expect(await response.text()).not.toContain("evil.test");
    const report = await testApp.app.handle(new Request("http://evil.test:9999/en/ip/198.51.100.7"));
    expect(await report.text()).not.toContain("evil.test");
  });
});

describe("createApp(): representations", () => {
  const targets = VALUES.targets;

  test.each(targets)("HEAD %s is GET without a body", async (target) => {
    // Two apps, so that both requests have the same limits left.
    const [got, head] = [await openShared().ask(target), await openShared().ask(target, { method: "HEAD" })];
    expect(head.status).toBe(got.status);
    expect(head.headers.toJSON()).toEqual(got.headers.toJSON());
    expect(Number(head.headers.get("content-length"))).toBe((await got.arrayBuffer()).byteLength);
    expect((await head.arrayBuffer()).byteLength).toBe(0);
  });

  test.each([
    "/api/lookup?ip=198.51.100.7",
    "/en/ip/198.51.100.7",
    "/ip/198.51.100.7.txt",
    "/ip/198.51.100.7.md",
  ])("%s keeps the tag of its survey in memory and database", async (target) => {
    const tags = new Set<string | null>();
    const bodies = new Set<string>();
    for (const tier of ["fresh", "cache", "store"] as const) {
      const response = await openApp({ tier }).ask(target);
      tags.add(response.headers.get("etag"));
      bodies.add(await response.text());
    }
    expect(tags.size).toBe(1);
    expect([...tags][0]).toStartWith('W/"');
    expect(bodies.size).toBeGreaterThan(1);
  });

  test("a report is sent again, whatever its date, after a correction that changes no number", async () => {
    const [kept, changed] = ["our office", "our VPN"].map((detail) => ({
      sources: [
        { id: CORRECTION_ID, name: "operator", kind: "free", state: "answered", ms: 0, detail } as const,
      ],
    }));
    let answer = answerOf({ text: "198.51.100.7" }, kept);
    const testApp = openApp({ lookup: async () => answered(answer) });
    const ask = (headers: Record<string, string>) => testApp.ask("/ip/198.51.100.7.json", { headers });
    const tag = (await ask({})).headers.get("etag") ?? "";
    expect((await ask({ "if-none-match": tag })).status).toBe(304);
    answer = answerOf({ text: "198.51.100.7" }, changed);
    expect((await ask({ "if-none-match": tag })).status).toBe(200);
    expect((await ask({ "if-modified-since": "Fri, 01 Jan 2027 00:00:00 GMT" })).status).toBe(200);
  });

  test.each(targets)("%s is not sent again to a client that has it", async (target) => {
    const testApp = openApp();
    const first = await testApp.ask(target);
    const etag = first.headers.get("etag") ?? "none";
    for (const held of [etag, etag.replace("W/", ""), `"x", ${etag}`, "*"]) {
      const again = await testApp.ask(target, { headers: { "if-none-match": held } });
      expect(again.status).toBe(304);
      expect(await again.text()).toBe("");
      for (const name of ["etag", "cache-control", "vary", "link"]) {
        expect(again.headers.get(name)).toBe(first.headers.get(name));
      }
    }
    expect(
      (await testApp.ask(target, { headers: { "if-none-match": `"x", ${etag.slice(0, -2)}"` } })).status,
    ).toBe(200);
  });

  test("a report is compressed for a client that accepts it, with a different entity tag", async () => {
    const testApp = openApp();
    const plain = await testApp.ask("/api/lookup?ip=198.51.100.7");
    const packed = await testApp.ask("/api/lookup?ip=198.51.100.7", {
      headers: { "accept-encoding": "br, gzip;q=0.8" },
    });
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    expect(packed.headers.get("vary")).toBe("Accept-Encoding");
    expect(packed.headers.get("etag")).not.toBe(plain.headers.get("etag"));
    const bytes = await packed.bytes();
    expect(Number(packed.headers.get("content-length"))).toBe(bytes.length);
    expect(new TextDecoder().decode(Bun.gunzipSync(new Uint8Array(bytes)))).toBe(await plain.text());
    const held = { "accept-encoding": "gzip", "if-none-match": packed.headers.get("etag") ?? "none" };
    const again = await testApp.ask("/api/lookup?ip=198.51.100.7", { headers: held });
    expect(again.status).toBe(304);
    expect(again.headers.get("content-encoding")).toBeNull();
  });

  test("each language, tier and format of an address has a different body", async () => {
    const seen = new Set<string>();
    for (const tier of ["cache", "store"] as const) {
      const testApp = openApp({ tier });
      for (const target of [
        "/ip/198.51.100.7",
        "/en/ip/198.51.100.7",
        "/ip/198.51.100.7.json",
        "/en/ip/198.51.100.7.json",
      ]) {
        seen.add(await (await testApp.ask(target)).text());
      }
    }
    expect(seen.size).toBe(8);
  });
});
