import { describe, expect, test } from "bun:test";
import { readUsed } from "#kit";
import type { Lookup } from "#lookup";
import SCENARIOS from "../../fixtures/http/allowance.json";
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
  readonly isKnown?: true;
  readonly steps: readonly Step[];
}

const json = (host: number) => `/api/lookup?ip=198.51.100.${host}&lang=en`;

async function play({ options = {}, isKnown, steps }: Scenario): Promise<void> {
  const testApp = openApp({ lookup: isKnown === true ? known : surveying, ...options });
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

/** Every address is in the database. */
const known: Lookup = async ({ address }) => answered(answerOf(address));

describe.each(Object.entries(SCENARIOS as object as Readonly<Record<string, readonly Scenario[]>>))(
  "%s",
  (_, scenarios) => {
    test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))("%s", (_, scenario) =>
      play(scenario),
    );
  },
);

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
