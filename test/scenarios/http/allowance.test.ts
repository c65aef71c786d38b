import { describe, expect, test } from "bun:test";
import { readUsed } from "#kit";
import type { Lookup } from "#lookup";
import { type AppOptions, answered, answerOf, openApp, surveying } from "../../http/kit/open_app.ts";

const LEFT = "x-open-budget-remaining";

interface Step {
  readonly target: string;
  readonly method?: string;
  readonly pass?: true;
  readonly from?: string;
  /** Milliseconds to wait before the request. */
  readonly wait?: number;
  readonly expect: {
    readonly status: number;
    readonly code?: string;
    /** The expected header x-open-budget-remaining. */
    readonly left: number;
    readonly policies?: string;
    readonly retryAfter?: number;
  };
}

interface Scenario {
  readonly name: string;
  readonly options?: AppOptions;
  readonly steps: readonly Step[];
}

const json = (host: number) => `/api/lookup?ip=198.51.100.${host}&lang=en`;

async function play({ options = {}, steps }: Scenario): Promise<void> {
  const testApp = openApp({ lookup: surveying, ...options });
  const pass = testApp.newPass();
  for (const [at, step] of steps.entries()) {
    if (step.from !== undefined) testApp.from(step.from);
    if (step.wait !== undefined) testApp.clock.advance(step.wait);
    const headers = step.pass === true ? pass : {};
    const response = await testApp.ask(step.target, { method: step.method ?? "GET", headers });
    const asked = `step ${at + 1}, ${step.target}`;
    expect(response.status, asked).toBe(step.expect.status);
    expect(response.headers.get(LEFT), asked).toBe(String(step.expect.left));
    if (step.expect.policies !== undefined)
      expect(response.headers.get("ratelimit-policy"), asked).toBe(step.expect.policies);
    if (step.expect.retryAfter !== undefined)
      expect(response.headers.get("retry-after"), asked).toBe(String(step.expect.retryAfter));
    if (step.expect.code !== undefined)
      expect(await response.json(), asked).toMatchObject({ code: step.expect.code });
  }
}

function table(title: string, scenarios: readonly Scenario[]): void {
  describe(title, () => {
    for (const scenario of scenarios) test(scenario.name, () => play(scenario));
  });
}

const OPEN = '"lookup";q=30;w=60, "new-ip";q=10;w=60, "open-minute";q=15;w=60, "open-day";q=5;w=86400';

/** Every address is in the database. */
const known: Lookup = async ({ address }) => answered(answerOf(address));

/** Uses up the five open lookups of a client. */
const five: readonly Step[] = [1, 2, 3, 4, 5].map((host) => ({
  target: json(host),
  expect: { status: 200, left: 5 - host, policies: OPEN },
}));

table("the open allowance of a client", [
  {
    name: "admits the 5th of a day and refuses every later one at no cost",
    steps: [
      ...five,
      ...Array.from({ length: 40 }, () => ({
        target: json(6),
        expect: { status: 403, code: "verification_required", left: 0 },
      })),
    ],
  },
  {
    name: "is shared by all formats, languages and methods",
    steps: [
      { target: "/ip/198.51.100.1", expect: { status: 200, left: 4 } },
      { target: "/en/ip/198.51.100.2.json", expect: { status: 200, left: 3 } },
      { target: "/ip/198.51.100.3.txt", expect: { status: 200, left: 2 } },
      { target: "/en/ip/198.51.100.4.txt", method: "HEAD", expect: { status: 200, left: 1 } },
      { target: json(5), method: "HEAD", expect: { status: 200, left: 0 } },
      { target: "/ip/198.51.100.6", expect: { status: 403, left: 0 } },
      { target: "/en/ip/198.51.100.6", method: "HEAD", expect: { status: 403, left: 0 } },
      { target: "/ip/198.51.100.6.json", expect: { status: 403, left: 0 } },
      { target: "/en/ip/198.51.100.6.txt", expect: { status: 403, left: 0 } },
      { target: "/ip/198.51.100.6.txt", method: "HEAD", expect: { status: 403, left: 0 } },
    ],
  },
  {
    name: "does not count invalid input or a refused refresh",
    steps: [
      { target: "/api/lookup?ip=nonsense", expect: { status: 400, code: "invalid_ip", left: 5 } },
      { target: `${json(1)}&refresh=2`, expect: { status: 400, code: "invalid_parameter", left: 5 } },
      { target: `${json(1)}&refresh=1`, expect: { status: 403, code: "verification_required", left: 5 } },
      { target: json(1), expect: { status: 200, left: 4 } },
    ],
  },
  {
    name: "does not count answers from the database, memory or the special-purpose tables",
    options: { lookup: known },
    steps: [1, 2, 3, 4, 5, 6, 7].map((host) => ({
      target: json(host),
      expect: { status: 200, left: 5, policies: '"lookup";q=30;w=60' },
    })),
  },
  {
    name: "does not apply to a verified visitor, and does not count its lookups",
    steps: [
      ...[1, 2, 3, 4, 5, 6].map((host) => ({
        target: json(host),
        pass: true as const,
        expect: { status: 200, left: 5, policies: '"lookup";q=30;w=60, "new-ip";q=10;w=60' },
      })),
      { target: json(7), expect: { status: 200, left: 4 } },
    ],
  },
  {
    name: "is separate for each IPv6 /64",
    steps: [
      ...five.map((step) => ({ ...step, from: `2001:db8:0:1::${step.expect.left}` })),
      { target: json(6), from: "2001:db8:0:1:ffff::1", expect: { status: 403, left: 0 } },
      { target: json(6), from: "2001:db8:0:2::1", expect: { status: 200, left: 4 } },
    ],
  },
  {
    name: "restarts at midnight UTC, and the limit of a minute does not",
    options: { startMs: Date.UTC(2026, 0, 15, 23, 59, 50), limits: { fresh: 6 } },
    steps: [
      ...five.map(({ target, expect: { status, left } }) => ({ target, expect: { status, left } })),
      { target: json(6), wait: 9_999, expect: { status: 403, left: 0 } },
      { target: json(6), wait: 1, expect: { status: 200, left: 4 } },
      { target: json(7), expect: { status: 429, code: "rate_limited", left: 4, retryAfter: 50 } },
      { target: json(7), wait: 50_000, expect: { status: 200, left: 3 } },
    ],
  },
  {
    name: "may be zero",
    options: { limits: { openPerDay: 0 } },
    steps: [
      { target: json(1), expect: { status: 403, code: "verification_required", left: 0 } },
      { target: json(1), pass: true, expect: { status: 200, left: 0 } },
    ],
  },
]);

table("the limits of all clients together", [
  {
    name: "admit 15 a minute and refuse the 16th until the first is a minute old",
    steps: [
      ...Array.from({ length: 15 }, (_, at) => ({
        target: json(at),
        from: `203.0.113.${at % 3}`,
        wait: at === 0 ? 0 : 100,
        expect: { status: 200, left: 4 - Math.floor(at / 3) },
      })),
      {
        target: json(99),
        from: "203.0.113.99",
        wait: 600,
        expect: { status: 429, code: "open_rate_limited", left: 5, retryAfter: 58 },
      },
      {
        target: json(99),
        wait: 57_999,
        expect: { status: 429, code: "open_rate_limited", left: 5, retryAfter: 1 },
      },
      { target: json(99), wait: 1, expect: { status: 200, left: 4 } },
    ],
  },
  {
    name: "show the page of the check after the total of a day, and admit verified visitors",
    options: { limits: { openDailyTotal: 2 } },
    steps: [
      { target: json(1), from: "203.0.113.1", expect: { status: 200, left: 1 } },
      { target: json(2), from: "203.0.113.2", expect: { status: 200, left: 0 } },
      {
        target: json(3),
        from: "203.0.113.3",
        expect: { status: 403, code: "verification_required", left: 0 },
      },
      { target: json(3), pass: true, expect: { status: 200, left: 0 } },
    ],
  },
]);

const REFRESH = '"lookup";q=30;w=60, "refresh";q=5;w=60';

table("a refresh", [
  {
    name: "needs a pass, and the 6th of a minute must wait",
    steps: [
      { target: `${json(1)}&refresh=1`, expect: { status: 403, code: "verification_required", left: 5 } },
      ...Array.from({ length: 5 }, () => ({
        target: `${json(1)}&refresh=1`,
        pass: true as const,
        wait: 100,
        expect: { status: 200, left: 5, policies: REFRESH },
      })),
      {
        target: `${json(1)}&refresh=1`,
        pass: true,
        wait: 100,
        expect: { status: 429, code: "rate_limited", left: 5, retryAfter: 60 },
      },
    ],
  },
]);

describe("refusals", () => {
  test("name the used-up limit and the next step in both languages", async () => {
    const testApp = openApp({ lookup: surveying, limits: { openPerDay: 2 } });
    for (const host of [1, 3]) await testApp.ask(json(host));
    const english = await (await testApp.ask(json(2))).json();
    expect(english).toEqual({
      error: "Your daily allowance of 2 lookups of new addresses is used up; human verification is required.",
      code: "verification_required",
      hint: expect.stringContaining("Open reportUrl in a browser and complete the verification once"),
      reportUrl: "https://limpid.test/en/ip/198.51.100.2",
    });
    const chinese = await (await testApp.ask("/ip/198.51.100.2.json")).json();
    expect(chinese).toMatchObject({
      error: expect.stringContaining("人机验证"),
      hint: expect.stringContaining("reportUrl"),
      reportUrl: "https://limpid.test/ip/198.51.100.2",
    });
  });

  test("show the page of the check to a browser", async () => {
    const testApp = openApp({ lookup: surveying, limits: { openPerDay: 0 } });
    for (const [target, language] of [
      ["/ip/198.51.100.2", "zh"],
      ["/en/ip/198.51.100.2", "en"],
    ] as const) {
      const response = await testApp.ask(target);
      expect(response.status).toBe(403);
      expect(response.headers.get("content-security-policy")).toContain("script-src 'self';");
      expect(await response.text()).toContain(
        `data-ip="198.51.100.2" data-action="lookup" data-language="${language}" data-report-path="${target}" data-kind="altcha"`,
      );
    }
  });

  test("with Turnstile allow its scripts only on its page", async () => {
    const verification: NonNullable<AppOptions["verification"]> = {
      kind: "turnstile",
      describeWidget: () => ({ kind: "turnstile", siteKey: "0x4AAA", token: "signed" }),
    };
    const testApp = openApp({ lookup: surveying, limits: { openPerDay: 1 }, verification });
    const report = await testApp.ask("/ip/198.51.100.1");
    expect(report.headers.get("content-security-policy")).not.toContain("cloudflare");
    const check = await testApp.ask("/ip/198.51.100.2");
    expect(check.headers.get("content-security-policy")).toMatch(
      /script-src 'self' https:\/\/challenges\.cloudflare\.com; connect-src 'self'; frame-src https:\/\/challenges\.cloudflare\.com$/,
    );
    expect(await check.text()).toContain('data-site-key="0x4AAA" data-token="signed"');
  });
});

/** Waits for the refund, which follows the answer: until then the database counts the lookup. */
async function waitForRefund(testApp: ReturnType<typeof openApp>): Promise<void> {
  const isCounted = async () => (await readUsed(testApp.store, testApp.clock.now())) > 0;
  while (await isCounted()) await new Promise((resolve) => setImmediate(resolve));
}

describe("a survey without an answer of a live source", () => {
  test("is refunded, and its answer shows the refund", async () => {
    const testApp = openApp({
      async lookup({ address, client }, _signal, admissions) {
        const admission = await admissions.request({ client, kind: "new-ip" });
        if (!admission.admitted)
          return { kind: "refused", refusal: admission.refusal, limits: admission.limits };
        return answered(answerOf(address, {}, { tier: "fresh" }), admissions.refund(admission));
      },
    });
    for (let host = 1; host <= 10; host++) {
      const response = await testApp.ask(json(host));
      expect(response.status).toBe(200);
      expect(response.headers.get(LEFT)).toBe("5");
      expect(response.headers.get("ratelimit-policy")).toBe('"lookup";q=30;w=60, "new-ip";q=10;w=60');
      await waitForRefund(testApp);
    }
    expect((await testApp.ask(json(11))).status).toBe(429);
  });
});
