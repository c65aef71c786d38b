import { describe, expect, test } from "bun:test";
import type { Answer } from "#lookup";
import type { Assessment } from "#report";
import { type AppOptions, answerOf, assessmentOf, openApp, surveying } from "../kit/open_app.ts";
import { tables } from "../kit/scenarios.ts";

const PROXY = "203.0.113.9";
const VISITOR = "8.8.4.77";
const trustedProxies = [`${PROXY}/32`];
const headers = { "x-forwarded-for": VISITOR };

function answerAbout(change: Partial<Assessment> = {}, liveAnswers = 3): Answer {
  return answerOf({ text: VISITOR }, change, { tier: "cache", liveAnswers });
}

function inMemory(change: Partial<Assessment> = {}, heard = 3): AppOptions {
  return { trustedProxies, findKnownSync: () => answerAbout(change, heard) };
}

const vpn = {
  flags: { ...assessmentOf(VISITOR).flags, isVpn: true },
  purity: 40,
  band: "suspicious" as const,
};
const crawler = {
  flags: { ...assessmentOf(VISITOR).flags, isSearchEngineBot: true, isProxy: true },
  purity: 20,
};

const fromTables = (change: Partial<Assessment> = {}): AppOptions => {
  const { purity, band, confidence, usage, flags } = { ...assessmentOf(VISITOR), ...change };
  return { trustedProxies, tableFacts: { purity, band, confidence, usage, flags } };
};

tables("auth", {
  clean: inMemory(),
  vpn: inMemory(vpn),
  oneVpn: { trustedProxies, findKnownSync: ({ text }) => answerAbout(text === VISITOR ? vpn : {}) },
  low: inMemory({ purity: 3 }),
  crawler: inMemory(crawler),
  silent: inMemory({ purity: 100 }, 0),
  stored: { trustedProxies, findKnown: async () => ({ ...answerAbout(vpn), tier: "store" }) },
  bare: { trustedProxies, mirror: {} },
  slow: { ...fromTables(), findKnown: () => new Promise<never>(() => {}) },
  away: { ...fromTables(), findKnown: () => Promise.reject(new Error("away")) },
  notLive: { ...fromTables(), live: false },
  untrusted: { ...inMemory(), peer: "192.0.2.99" },
} satisfies Record<string, AppOptions>);

describe("/auth about an unknown visitor", () => {
  test("answers from the tables while a survey runs, which it starts once a minute", async () => {
    const survey = Promise.withResolvers<never>();
    const testApp = openApp({ ...fromTables(vpn), lookup: () => survey.promise });
    const ask = (target: string) => testApp.ask(target, { headers });
    const denied = await ask("/auth?deny=vpn");
    expect(denied.status).toBe(403);
    expect(denied.headers.get("x-ip-source")).toBe("tables");
    const open = await ask("/auth?min=30");
    expect([open.status, open.headers.get("x-ip-verdict")]).toEqual([204, "unknown"]);
    expect((await ask("/auth?min=30&unknown=deny")).status).toBe(403);
    await Bun.sleep(1);
    expect(testApp.calls).toEqual([{ address: VISITOR, refresh: false }]);
    survey.reject(new Error("ended"));
    await Bun.sleep(1);
    // The second time, a clock that was ahead is set back.
    for (const [at, ms] of [60_000, -86_400_000].entries()) {
      testApp.clock.advance(ms);
      await ask("/auth?min=30");
      await Bun.sleep(1);
      expect(testApp.calls.length).toBe(2 + at);
    }
  });

  test("starts at most 8 surveys at once, and one in 200 ms", async () => {
    const testApp = openApp({ ...fromTables(), lookup: () => new Promise(() => {}) });
    for (let n = 1; n <= 20; n += 1) {
      if (n % 2 === 1) testApp.clock.advance(200);
      const response = await testApp.ask("/auth?min=1", { headers: { "x-forwarded-for": `8.8.5.${n}` } });
      expect(response.status).toBe(204);
      await Bun.sleep(1);
      expect(testApp.calls.length).toBe(Math.min(8, Math.ceil(n / 2)));
    }
  });

  test("spends the allowance of the visitor for the survey, and no lookup", async () => {
    const testApp = openApp({ ...fromTables(), lookup: surveying, limits: { openPerDay: 1, lookups: 1 } });
    for (let times = 0; times < 5; times += 1)
      expect((await testApp.ask("/auth?min=1", { headers })).status).toBe(204);
    await Bun.sleep(20);
    const own = await testApp.ask("/ip/me.json", { headers });
    expect(own.status).toBe(403);
  });

  test("starts no survey with `survey=0`", async () => {
    const testApp = openApp(fromTables());
    const response = await testApp.ask("/auth?min=1&survey=0", { headers });
    expect([response.status, response.headers.get("x-ip-source")]).toEqual([204, "tables"]);
    await Bun.sleep(1);
    expect(testApp.calls).toEqual([]);
    expect((await testApp.ask("/auth?survey=1", { headers })).status).toBe(403);
  });

  test("surveys no private address, and knows nothing of its purity", async () => {
    const bogon = { flags: { ...assessmentOf(VISITOR).flags, isBogon: true, isHosting: false }, purity: 50 };
    const testApp = openApp(fromTables(bogon));
    const ask = async (target: string) =>
      (await testApp.ask(target, { headers: { "x-forwarded-for": "10.1.2.3" } })).headers.get("x-ip-verdict");
    expect(await ask("/auth?min=70")).toBe("unknown");
    expect(await ask("/auth?deny=bogon")).toBe("deny bogon");
    expect(await ask("/auth?min=70&allow=bogon")).toBe("pass");
    expect(testApp.calls).toEqual([]);
  });
});
