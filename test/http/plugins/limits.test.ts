import { describe, expect, test } from "bun:test";
import { answered, answerOf, openApp, surveying } from "../kit/open_app.ts";

const KNOWN = "/api/lookup?ip=198.51.100.7";

describe("the limit of lookups", () => {
  test("admits the 30th and refuses the 31st until the first is a minute old", async () => {
    const testApp = openApp();
    for (let taken = 1; taken <= 30; taken++) {
      const response = await testApp.ask(KNOWN);
      expect(response.status).toBe(200);
      expect(response.headers.get("ratelimit")).toStartWith(`"lookup";r=${30 - taken};t=`);
      testApp.clock.advance(100);
    }
    const refused = await testApp.ask(KNOWN);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("ratelimit")).toBe('"lookup";r=0;t=57');
    expect(refused.headers.get("retry-after")).toBe("57");
    expect(await refused.json()).toMatchObject({ code: "rate_limited" });
    expect(testApp.calls).toHaveLength(30);

    testApp.clock.advance(56_999);
    expect((await testApp.ask(KNOWN)).status).toBe(429);
    testApp.clock.advance(1);
    expect((await testApp.ask(KNOWN)).status).toBe(200);
    expect((await testApp.ask(KNOWN)).status).toBe(429);
  });

  test("counts all formats, languages and methods together", async () => {
    const testApp = openApp({ limits: { lookups: 5 } });
    const targets = [KNOWN, "/ip/198.51.100.7.json", "/en/ip/198.51.100.7.txt", "/en/ip/198.51.100.7"];
    for (const target of targets) expect((await testApp.ask(target)).status).toBe(200);
    expect((await testApp.ask(KNOWN, { method: "HEAD" })).status).toBe(200);
    for (const target of targets) expect((await testApp.ask(target)).status).toBe(429);
    expect((await testApp.ask(KNOWN, { method: "HEAD" })).status).toBe(429);
    expect((await testApp.ask(KNOWN, { method: "OPTIONS" })).status).toBe(204);
    expect((await testApp.ask("/api/myip")).status).toBe(200);
  });

  test("counts a malformed request and a 304", async () => {
    const testApp = openApp({ limits: { lookups: 4 } });
    expect((await testApp.ask("/api/lookup?ip=nonsense")).status).toBe(400);
    expect((await testApp.ask("/ip/198.51.100.7.json?lang=fr")).status).toBe(400);
    expect((await testApp.ask(KNOWN)).status).toBe(200);
    expect((await testApp.ask(KNOWN, { headers: { "if-none-match": "*" } })).status).toBe(304);
    expect((await testApp.ask("/api/lookup?ip=nonsense")).status).toBe(429);
  });

  test("does not count a refused refresh", async () => {
    const testApp = openApp({ limits: { lookups: 1 } });
    for (let asked = 0; asked < 5; asked++)
      expect((await testApp.ask("/api/lookup?ip=8.8.4.77&refresh=1")).status).toBe(403);
    expect((await testApp.ask(KNOWN)).status).toBe(200);
  });

  test("counts each client separately, by IPv4 address and IPv6 /64", async () => {
    const testApp = openApp({ limits: { lookups: 1 } });
    testApp.from("2001:db8:0:1::1");
    expect((await testApp.ask(KNOWN)).status).toBe(200);
    testApp.from("2001:db8:0:1:ffff::2");
    expect((await testApp.ask(KNOWN)).status).toBe(429);
    testApp.from("2001:db8:0:2::1");
    expect((await testApp.ask(KNOWN)).status).toBe(200);
    testApp.from("203.0.113.1");
    expect((await testApp.ask(KNOWN)).status).toBe(200);
  });

  test("cannot be avoided with invented forwarded addresses", async () => {
    const testApp = openApp({ limits: { lookups: 1 } });
    expect((await testApp.ask(KNOWN, { headers: { "x-forwarded-for": "198.51.100.1" } })).status).toBe(200);
    expect((await testApp.ask(KNOWN, { headers: { "x-forwarded-for": "198.51.100.2" } })).status).toBe(429);
  });

  test("admits exactly its number of simultaneous requests", async () => {
    const waiting: (() => void)[] = [];
    const testApp = openApp({
      lookup: async ({ address }) => {
        await new Promise<void>((resolve) => waiting.push(resolve));
        return answered(answerOf(address));
      },
    });
    const answers = Array.from({ length: 100 }, () => testApp.ask(KNOWN));
    while (waiting.length < 30) await Promise.resolve();
    for (const resolve of waiting) resolve();
    const statuses = (await Promise.all(answers)).map((answer) => answer.status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(30);
    expect(statuses.filter((status) => status === 429)).toHaveLength(70);
  });
});

describe("the limit of new addresses", () => {
  test("admits ten surveys a minute, and a refusal costs no lookup", async () => {
    const testApp = openApp({ lookup: surveying });
    const headers = testApp.newPass();
    for (let host = 1; host <= 10; host++) {
      const response = await testApp.ask(`/api/lookup?ip=198.51.100.${host}`, { headers });
      expect(response.status).toBe(200);
      expect(response.headers.get("ratelimit-policy")).toBe('"lookup";q=30;w=60, "new-ip";q=10;w=60');
      expect(response.headers.get("ratelimit")).toBe(
        `"lookup";r=${30 - host};t=60, "new-ip";r=${10 - host};t=60`,
      );
    }
    testApp.clock.advance(1500);
    for (let again = 0; again < 40; again++) {
      const refused = await testApp.ask("/en/ip/198.51.100.11.json", { headers });
      expect(refused.status).toBe(429);
      expect(refused.headers.get("retry-after")).toBe("59");
      expect(refused.headers.get("ratelimit")).toBe('"lookup";r=20;t=59, "new-ip";r=0;t=59');
      expect(await refused.json()).toMatchObject({
        code: "rate_limited",
        error: expect.stringContaining("10"),
      });
    }
    testApp.clock.advance(58_500);
    expect((await testApp.ask("/ip/198.51.100.11.json", { headers })).status).toBe(200);
  });

  test("does not count known addresses", async () => {
    const testApp = openApp({ limits: { fresh: 1 } });
    for (let asked = 0; asked < 5; asked++) {
      const response = await testApp.ask(KNOWN);
      expect(response.status).toBe(200);
      expect(response.headers.get("ratelimit-policy")).toBe('"lookup";q=30;w=60');
    }
  });
});

describe("x-open-budget-remaining", () => {
  test("is the rest of the site's daily total, if that is smaller than the client's own", async () => {
    const testApp = openApp({ lookup: surveying, limits: { openDailyTotal: 2 } });
    const left: (string | null)[] = [];
    for (let client = 1; client <= 3; client++) {
      testApp.from(`203.0.113.${client}`);
      const response = await testApp.ask(`/api/lookup?ip=198.51.100.${client}`);
      expect(response.status).toBe(client < 3 ? 200 : 403);
      left.push(response.headers.get("x-open-budget-remaining"));
      expect(response.headers.get("ratelimit")).toContain(`"open-day";r=${left.at(-1)};`);
    }
    expect(left).toEqual(["1", "0", "0"]);
    const known = await openApp({ limits: { openDailyTotal: 0 } }).ask(KNOWN);
    expect(known.headers.get("x-open-budget-remaining")).toBe("0");
  });
});

describe("exempt clients", () => {
  test("have no limits, may refresh, and get no limit headers", async () => {
    const testApp = openApp({
      lookup: surveying,
      limits: { lookups: 1, fresh: 1 },
      exempt: ["203.0.113.0/28"],
    });
    for (let asked = 0; asked < 5; asked++) {
      const response = await testApp.ask(`${KNOWN}&refresh=1`);
      expect(response.status).toBe(200);
      expect(response.headers.get("ratelimit")).toBeNull();
    }
    expect(testApp.calls[0]).toEqual({ address: "198.51.100.7", refresh: true });
    testApp.from("203.0.113.200");
    expect((await testApp.ask("/api/lookup?ip=8.8.4.77&refresh=1")).status).toBe(403);
  });

  test("are recognized by the client address behind the proxy, not by the proxy", async () => {
    const testApp = openApp({
      trustedProxies: ["203.0.113.9/32"],
      exempt: ["203.0.113.9/32"],
      limits: { lookups: 1 },
    });
    const headers = { "x-forwarded-for": "198.51.100.1" };
    expect((await testApp.ask(KNOWN, { headers })).status).toBe(200);
    expect((await testApp.ask(KNOWN, { headers })).status).toBe(429);
  });
});
