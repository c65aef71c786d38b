import { describe, expect, test } from "bun:test";
import type { Assessment } from "#report";
import {
  type AppOptions,
  answered,
  answerOf,
  assessmentOf,
  openApp,
  surveying,
} from "../../http/kit/open_app.ts";
import { table, tables } from "../../http/kit/scenarios.ts";

const TEXT = "text/plain; charset=utf-8";
const SVG = "image/svg+xml; charset=utf-8";

const ABOUT = { text: "198.51.100.7" };

function optionsOf(change: Partial<Assessment>, liveAnswers = 3): AppOptions {
  return { lookup: async () => answered(answerOf(ABOUT, change, { liveAnswers })) };
}

tables("forms");

table("/gate/{ip}", [
  {
    name: "is UNKNOWN for special-purpose space, for any score",
    options: optionsOf({ purity: 50, flags: { ...assessmentOf("198.51.100.7").flags, isBogon: true } }, 0),
    request: "/gate/198.51.100.7?min=0",
    expect: { status: 503, headers: { "retry-after": null }, body: "UNKNOWN\n" },
    calls: ["198.51.100.7"],
  },
  {
    name: "keeps the status of a refusal",
    options: { lookup: surveying, limits: { openPerDay: 0 } },
    request: "/gate/198.51.100.7?status=200&lang=en",
    expect: {
      status: 403,
      headers: { "content-type": TEXT },
      body: /^verification_required: [\s\S]+\nhttps:\/\/limpid\.test\/en\/ip\/198\.51\.100\.7\n$/,
      not: /PASS|FAIL|UNKNOWN/,
    },
    calls: ["198.51.100.7"],
  },
  ...["-1", "101", "7.5", "", "1e1", "070"].map((min) => ({
    name: `takes no min=${min}`,
    request: `/gate/198.51.100.7?min=${min}&lang=en`,
    expect: { status: 400, body: /parameter min is invalid\. Allowed:\s0-100\./ },
  })),
]);

table("/badge/{ip}.svg", [
  {
    name: "shows the stored report, is cacheable, and has nothing about the client",
    options: { findKnown: async () => answerOf(ABOUT) },
    request: "/badge/198.51.100.7.svg?lang=en",
    expect: {
      status: 200,
      headers: {
        "content-type": SVG,
        "cache-control": "public, max-age=300",
        ratelimit: null,
        "x-open-budget-remaining": null,
        "content-security-policy": /default-src 'none'/,
      },
      body: /85 Clean/,
    },
  },
]);

const BACKED = { confidence: "high", coverage: 0.92 };
const UNKNOWN = { confidence: null, coverage: null };

table("/api/history", [
  {
    name: "lists earlier conclusions, newest first",
    options: {
      history: {
        history: async () => [
          { surveyedAt: 1_790_000_000_000, purity: 85, band: "clean", scoringVersion: 2, ...BACKED },
          { surveyedAt: 1_780_000_000_000, purity: 15, band: "risky", scoringVersion: 1, ...UNKNOWN },
        ],
      },
    },
    request: "/api/history?ip=[2001:DB8::1]",
    expect: {
      status: 200,
      headers: {
        "cache-control": "private, no-cache",
        ratelimit: '"lookup";r=29;t=60',
        "access-control-allow-origin": "*",
      },
      body: {
        ip: "2001:db8::1",
        entries: [
          { queriedAt: "2026-09-21T14:13:20.000Z", purity: 85, level: "clean", scoringVersion: 2, ...BACKED },
          {
            queriedAt: "2026-05-28T20:26:40.000Z",
            purity: 15,
            level: "risky",
            scoringVersion: 1,
            ...UNKNOWN,
          },
        ],
      },
    },
  },
  {
    name: "distinguishes a database that is down from an empty history",
    options: { history: { history: () => Promise.reject(new Error("Cannot read a history from database")) } },
    request: "/api/history?ip=198.51.100.7",
    expect: { status: 503, headers: { "retry-after": "5" }, body: { code: "overloaded" }, not: /database/ },
  },
  {
    name: "distinguishes a mirror without its first copy from an empty history",
    options: { mirror: {}, history: { history: async () => undefined } },
    request: "/api/history?ip=198.51.100.7",
    expect: { status: 503, headers: { "retry-after": "5" }, body: { code: "overloaded" } },
  },
]);

describe("limits and allowance", () => {
  const forms = [
    "/ip/ADDRESS.md",
    "/en/ip/ADDRESS.md",
    "/cli/ADDRESS",
    "/cli/ADDRESS?format=line",
    "/gate/ADDRESS",
    "/badge/ADDRESS.svg",
    "/api/history?ip=ADDRESS",
  ];

  test.each(forms)("%s costs one lookup, with any result", async (form) => {
    const testApp = openApp({ limits: { lookups: 2 } });
    expect((await testApp.ask(form.replace("ADDRESS", "nonsense"))).status).toBe(400);
    expect((await testApp.ask(form.replace("ADDRESS", "198.51.100.7"), { method: "HEAD" })).status).toBe(200);
    const refused = await testApp.ask(form.replace("ADDRESS", "198.51.100.7"));
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
    expect(refused.headers.get("ratelimit")).toStartWith('"lookup";r=0;');
  });

  test("formats that start surveys share one allowance; badge and history cost no allowance", async () => {
    const testApp = openApp({ lookup: surveying, limits: { openPerDay: 4 } });
    const asking = forms.slice(0, 5);
    for (const [index, form] of asking.entries()) {
      const response = await testApp.ask(form.replace("ADDRESS", `198.51.100.${index}`));
      expect(response.status, form).toBe(index < 4 ? 200 : 403);
      expect(response.headers.get("x-open-budget-remaining")).toBe(String(Math.max(0, 3 - index)));
    }
    for (const form of forms.slice(5))
      expect((await testApp.ask(form.replace("ADDRESS", "198.51.100.99"))).status).toBe(200);
    expect(testApp.calls).toHaveLength(5);
  });
});

describe("the history on a page", () => {
  const HISTORY = [
    { surveyedAt: Date.UTC(2026, 1, 3), purity: 85, band: "clean", scoringVersion: 2, ...BACKED },
    { surveyedAt: Date.UTC(2026, 0, 3), purity: 15, band: "risky", scoringVersion: 2, ...UNKNOWN },
  ];

  test("is read once for a cached page, and for no other format", async () => {
    let reads = 0;
    const testApp = openApp({
      history: {
        history: async () => {
          reads += 1;
          return HISTORY;
        },
      },
    });
    const [page, same] = await Promise.all([
      testApp.ask("/en/ip/198.51.100.7"),
      testApp.ask("/en/ip/198.51.100.7"),
    ]);
    expect(await page.text()).toContain("2026-01-03");
    expect(await same.text()).toContain("2026-01-03");
    expect(reads).toBe(1);
    await testApp.ask("/en/ip/198.51.100.7");
    for (const form of [".json", ".txt", ".md"]) await testApp.ask(`/en/ip/198.51.100.7${form}`);
    expect(reads).toBe(1);
  });

  test("is missing while it cannot be read, without a retry for a while, and then shown", async () => {
    let reads = 0;
    let isAway = true;
    const testApp = openApp({
      history: {
        history: async () => {
          reads += 1;
          if (isAway) throw new Error("away");
          return HISTORY;
        },
      },
    });
    const page = async () => await (await testApp.ask("/en/ip/198.51.100.7")).text();
    expect(await page()).not.toContain("2026-01-03");
    expect(await page()).not.toContain("2026-01-03");
    expect(reads).toBe(1);
    expect(testApp.logs.map(({ event }) => event)).toEqual(["history_unreadable"]);
    isAway = false;
    testApp.clock.advance(5000);
    expect(await page()).toContain("2026-01-03");
    expect(reads).toBe(2);
  });

  test("of special-purpose space is not read", async () => {
    const flags = { ...assessmentOf("198.51.100.7").flags, isBogon: true };
    const testApp = openApp({
      ...optionsOf({ flags }),
      history: { history: () => Promise.reject(new Error("asked")) },
    });
    expect((await testApp.ask("/en/ip/198.51.100.7")).status).toBe(200);
    expect(testApp.logs).toEqual([]);
  });
});
