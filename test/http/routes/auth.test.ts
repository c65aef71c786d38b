import { describe, expect, test } from "bun:test";
import type { Answer } from "#lookup";
import type { Assessment } from "#report";
import { type AppOptions, answerOf, assessmentOf, openApp, surveying } from "../kit/open_app.ts";
import { table } from "../kit/scenarios.ts";

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

table("/auth", [
  {
    name: "lets a visitor pass, with the verdict in headers",
    options: inMemory(),
    request: { target: "/auth?min=70&deny=tor,proxy,vpn", headers },
    expect: {
      status: 204,
      body: "",
      headers: {
        "x-ip-verdict": "pass",
        "x-ip-source": "memory",
        "x-ip-purity": "85",
        "x-ip-level": "clean",
        "x-ip-confidence": "medium",
        "x-ip-type": "business",
        "x-ip-flags": "hosting",
        "x-ip-error": null,
        "cache-control": "no-store",
        "access-control-allow-origin": null,
        ratelimit: null,
        "x-open-budget-remaining": null,
      },
    },
  },
  {
    name: "denies a kind of address",
    options: inMemory(vpn),
    request: { target: "/auth?deny=tor,vpn&allow=hosting", headers },
    expect: {
      status: 403,
      body: "DENY VPN\n",
      headers: { "x-ip-verdict": "deny vpn", "x-ip-flags": "vpn,hosting", "cache-control": "no-store" },
    },
  },
  {
    name: "denies a low purity",
    options: inMemory(vpn),
    request: { target: "/auth?min=41", headers },
    expect: { status: 403, body: "DENY MIN\n", headers: { "x-ip-verdict": "deny min", "x-ip-purity": "40" } },
  },
  {
    name: "lets an allowed kind pass whatever its purity",
    options: inMemory({ purity: 3 }),
    request: { target: "/auth?min=70&allow=hosting,crawler", headers },
    expect: { status: 204, headers: { "x-ip-verdict": "pass", "x-ip-purity": "3" } },
  },
  {
    name: "lets an allowed crawler pass although its kind is denied",
    options: inMemory(crawler),
    request: { target: "/auth?min=70&deny=proxy&allow=crawler", headers },
    expect: { status: 204, headers: { "x-ip-verdict": "pass", "x-ip-flags": "proxy,hosting,crawler" } },
  },
  {
    name: "only adds headers without a policy",
    options: inMemory(vpn),
    request: { target: "/auth", headers },
    expect: { status: 204, headers: { "x-ip-verdict": "pass", "x-ip-purity": "40" } },
  },
  {
    name: "judges the right-most visitor that a trusted proxy names, and no hop that the visitor invented",
    options: { ...inMemory(), findKnownSync: ({ text }) => answerAbout(text === VISITOR ? vpn : {}) },
    request: { target: "/auth?deny=vpn", headers: { "x-forwarded-for": `192.0.2.1, ${VISITOR}, ${PROXY}` } },
    expect: { status: 403, headers: { "x-ip-verdict": "deny vpn" } },
  },
  {
    name: "knows nothing if no live source answered, and is open by default",
    options: inMemory({ purity: 100 }, 0),
    request: { target: "/auth?min=70", headers },
    expect: { status: 204, headers: { "x-ip-verdict": "unknown" } },
  },
  {
    name: "is closed on unknown if requested",
    options: inMemory({ purity: 100 }, 0),
    request: { target: "/auth?min=70&unknown=deny", headers },
    expect: { status: 403, body: "DENY UNKNOWN\n", headers: { "x-ip-verdict": "unknown" } },
  },
  {
    name: "refuses to close on unknown without anything to prove",
    options: inMemory(vpn),
    request: { target: "/auth?unknown=deny&allow=hosting&lang=en", headers },
    expect: {
      status: 403,
      body: /needs `deny` or `min`/,
      headers: { "x-ip-error": "invalid_parameter unknown", "x-ip-verdict": null },
    },
  },
  {
    name: "answers from the database",
    options: { trustedProxies, findKnown: async () => ({ ...answerAbout(vpn), tier: "store" }) },
    request: { target: "/auth?deny=vpn", headers },
    expect: { status: 403, headers: { "x-ip-source": "database" } },
  },
  {
    name: "has no purity without tables, and says so",
    options: { trustedProxies, mirror: {} },
    request: { target: "/auth?min=70", headers },
    expect: {
      status: 204,
      headers: { "x-ip-verdict": "unknown", "x-ip-source": "none", "x-ip-purity": null },
    },
  },
  {
    name: "answers HEAD",
    options: inMemory(vpn),
    request: { target: "/auth?deny=vpn", method: "HEAD", headers },
    expect: { status: 403, body: "", headers: { "x-ip-verdict": "deny vpn" } },
  },
]);

table("/auth judges nobody and denies", [
  {
    name: "without a trusted proxy",
    options: inMemory(),
    request: { target: "/auth?lang=en", headers: {} },
    expect: {
      status: 403,
      headers: { "x-ip-error": "forbidden", "x-ip-verdict": null, "cache-control": "no-store" },
      body: /^forbidden: No trusted proxy named the visitor in X-Forwarded-For\.\s+Set\s+LIMPID_TRUSTED_PROXIES/,
    },
  },
  {
    name: "a peer that is not trusted, whatever it claims",
    options: { ...inMemory(), peer: "192.0.2.99" },
    request: { target: "/auth", headers },
    expect: { status: 403, headers: { "x-ip-error": "forbidden" } },
  },
  {
    name: "a header without an address",
    options: inMemory(),
    request: { target: "/auth", headers: { "x-forwarded-for": "unknown" } },
    expect: { status: 403, headers: { "x-ip-error": "forbidden" }, body: /没有受信任的代理/ },
  },
  ...[
    ["deny=vpm", "deny", /"vpm"[\s\S]*Allowed: proxy, vpn, tor,/],
    ["deny=", "deny", /parameter deny is invalid/],
    ["deny=vpn,", "deny", /parameter deny is invalid/],
    ["deny=VPN", "deny", /parameter deny is invalid/],
    ["allow=hosting,home", "allow", /parameter allow is\s+invalid/],
    ["allow=vpn&deny=tor,vpn", "allow", /cannot be allowed and denied/],
    ["min=101", "min", /parameter min is invalid[\s\S]*0-100/],
    ["min=7.5", "min", /parameter min is invalid/],
    ["unknown=open", "unknown", /Allowed: allow, deny\./],
    ["min=1&min=2", "min", /min is invalid or given\s+more than\s+once/],
  ].map(([query, parameter, body]) => ({
    name: `for ?${query}`,
    options: inMemory(),
    request: { target: `/auth?${query}&lang=en`, headers },
    expect: {
      status: 403,
      headers: { "x-ip-error": `invalid_parameter ${parameter}`, "x-ip-purity": null },
      body: body as RegExp,
    },
  })),
]);

describe("/auth about an unknown visitor", () => {
  const tables = (change: Partial<Assessment> = {}): AppOptions => {
    const { purity, band, confidence, usage, flags } = { ...assessmentOf(VISITOR), ...change };
    return { trustedProxies, tableFacts: { purity, band, confidence, usage, flags } };
  };

  test("answers from the tables while a survey runs, which it starts once a minute", async () => {
    const survey = Promise.withResolvers<never>();
    const testApp = openApp({ ...tables(vpn), lookup: () => survey.promise });
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
    testApp.clock.advance(60_000);
    await ask("/auth?min=30");
    await Bun.sleep(1);
    expect(testApp.calls.length).toBe(2);
  });

  test("starts at most 8 surveys at once, and one in 200 ms", async () => {
    const testApp = openApp({ ...tables(), lookup: () => new Promise(() => {}) });
    for (let n = 1; n <= 20; n += 1) {
      if (n % 2 === 1) testApp.clock.advance(200);
      const response = await testApp.ask("/auth?min=1", { headers: { "x-forwarded-for": `8.8.5.${n}` } });
      expect(response.status).toBe(204);
      await Bun.sleep(1);
      expect(testApp.calls.length).toBe(Math.min(8, Math.ceil(n / 2)));
    }
  });

  test("spends the allowance of the visitor for the survey, and no lookup", async () => {
    const testApp = openApp({ ...tables(), lookup: surveying, limits: { openPerDay: 1, lookups: 1 } });
    for (let times = 0; times < 5; times += 1)
      expect((await testApp.ask("/auth?min=1", { headers })).status).toBe(204);
    await Bun.sleep(20);
    const own = await testApp.ask("/ip/me.json", { headers });
    expect(own.status).toBe(403);
  });

  test("starts no survey with `survey=0`", async () => {
    const testApp = openApp(tables());
    const response = await testApp.ask("/auth?min=1&survey=0", { headers });
    expect([response.status, response.headers.get("x-ip-source")]).toEqual([204, "tables"]);
    await Bun.sleep(1);
    expect(testApp.calls).toEqual([]);
    expect((await testApp.ask("/auth?survey=1", { headers })).status).toBe(403);
  });

  test("does not wait for a slow database, and survives a broken one", async () => {
    for (const findKnown of [() => new Promise<never>(() => {}), () => Promise.reject(new Error("away"))]) {
      const testApp = openApp({ ...tables(), findKnown });
      const response = await testApp.ask("/auth?deny=tor&unknown=deny", { headers });
      expect(response.status).toBe(403);
      expect(response.headers.get("x-ip-source")).toBe("tables");
    }
  });

  test("proves with the tables alone if the service queries no live source", async () => {
    const testApp = openApp({ ...tables(), live: false });
    const response = await testApp.ask("/auth?min=85&deny=tor&unknown=deny", { headers });
    expect([response.status, response.headers.get("x-ip-verdict")]).toEqual([204, "pass"]);
  });

  test("surveys no private address, and knows nothing of its purity", async () => {
    const bogon = { flags: { ...assessmentOf(VISITOR).flags, isBogon: true, isHosting: false }, purity: 50 };
    const testApp = openApp(tables(bogon));
    const ask = async (target: string) =>
      (await testApp.ask(target, { headers: { "x-forwarded-for": "10.1.2.3" } })).headers.get("x-ip-verdict");
    expect(await ask("/auth?min=70")).toBe("unknown");
    expect(await ask("/auth?deny=bogon")).toBe("deny bogon");
    expect(await ask("/auth?min=70&allow=bogon")).toBe("pass");
    expect(testApp.calls).toEqual([]);
  });
});
