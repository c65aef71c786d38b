import { describe, expect, test } from "bun:test";
import type { Lookup } from "#lookup";
import { type AppOptions, answered, answerOf, assessmentOf, openApp } from "../kit/open_app.ts";
import { tables } from "../kit/scenarios.ts";

const HEADERS = { "content-type": "application/json", "sec-fetch-site": "same-origin" };
type TestApp = ReturnType<typeof openApp>;

interface Voter {
  readonly agent?: string;
  readonly pass?: false;
  /** The Cookie header; a new pass without one. */
  readonly cookie?: { readonly cookie: string };
}

function rate(testApp: TestApp, body: unknown, voter: Voter = {}): Promise<Response> {
  const { agent = "Browser/1", pass } = voter;
  const cookie = pass === false ? {} : (voter.cookie ?? testApp.newPass());
  return testApp.ask("/api/feedback?lang=en", {
    method: "POST",
    headers: { ...HEADERS, ...cookie, "user-agent": agent },
    body: JSON.stringify(body),
  });
}

function open(options: AppOptions = {}): TestApp {
  const testApp = openApp({ limits: { lookups: 1000 }, ...options });
  testApp.from("192.0.2.77");
  return testApp;
}

/** 192.0.2.0/24 and its like are special-purpose space, where nobody votes: these are the tests' public addresses. */
const OWN = "8.8.4.77";
const OWN_IPV6 = "2606:4700:1:2::77";
const DAY_MS = 86_400_000;

tables("feedback");

describe("a rating", () => {
  test("of the client's own address is stored and shown from the third day, averaged to two decimals", async () => {
    const testApp = open();
    testApp.from(OWN);
    const answers: unknown[] = [];
    for (const rating of [5, 4, 4]) {
      const response = await rate(testApp, { scenario: "ai", rating });
      expect(response.status).toBe(200);
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(response.headers.get("access-control-allow-origin")).toBeNull();
      answers.push(await response.json());
      testApp.clock.advance(DAY_MS);
    }
    expect(answers).toEqual([
      { feedback: {} },
      { feedback: {} },
      { feedback: { ai: { count: 3, average: 4.33 } } },
    ]);
    expect(await testApp.store.ratings.read(OWN)).toEqual([{ scenario: "ai", count: 3, sum: 13 }]);
  });

  test("replaces an earlier one of the same visitor on the same day, and is added on the next day", async () => {
    const testApp = open();
    testApp.from(OWN);
    for (const rating of [1, 2, 5])
      expect((await rate(testApp, { scenario: "ai", rating })).status).toBe(200);
    expect(await testApp.store.ratings.read(OWN)).toEqual([{ scenario: "ai", count: 1, sum: 5 }]);
    testApp.clock.advance(DAY_MS);
    await rate(testApp, { scenario: "ai", rating: 3 });
    await rate(testApp, { scenario: "email", rating: 2 });
    const votes = await testApp.store.ratings.read(OWN);
    expect(votes.toSorted((one, other) => one.scenario.localeCompare(other.scenario))).toEqual([
      { scenario: "ai", count: 2, sum: 8 },
      { scenario: "email", count: 1, sum: 2 },
    ]);
  });

  test.each([OWN, OWN_IPV6])(
    "of %s from 40 browsers of one client, each with its own pass, is one vote and not shown",
    async (own) => {
      const testApp = open();
      testApp.from(own);
      for (let browser = 1; browser <= 40; browser++) {
        const agent = `Browser/${browser}`;
        const response = await rate(testApp, { scenario: "ai", rating: browser < 40 ? 5 : 2 }, { agent });
        expect(response.status).toBe(200);
        expect(await response.json()).toEqual({ feedback: {} });
      }
      expect(await testApp.store.ratings.read(own)).toEqual([{ scenario: "ai", count: 1, sum: 2 }]);
    },
  );

  test("with a pass of another client counts once, for the client that sends it", async () => {
    const testApp = open();
    const [earned, other] = [testApp.newPass(), testApp.newPass()];
    const votes = [
      { from: OWN, cookie: earned, rating: 5 },
      { from: "8.8.4.78", cookie: earned, rating: 1 },
      { from: OWN, cookie: other, rating: 4 },
      { from: "8.8.4.78", cookie: other, rating: 2 },
    ];
    for (const { from, cookie, rating } of votes) {
      testApp.from(from);
      expect((await rate(testApp, { scenario: "ai", rating }, { cookie })).status).toBe(200);
    }
    expect(await testApp.store.ratings.read(OWN)).toEqual([{ scenario: "ai", count: 1, sum: 4 }]);
    expect(await testApp.store.ratings.read("8.8.4.78")).toEqual([{ scenario: "ai", count: 1, sum: 2 }]);
  });

  test("from several addresses of one /64 belongs to the address that sent it", async () => {
    const testApp = open();
    const addresses = [1, 2, 3].map((host) => `2606:4700:1:2::${host}`);
    for (const address of addresses) {
      testApp.from(address);
      const response = await rate(testApp, { scenario: "ai", rating: 5 });
      expect(await response.json()).toEqual({ feedback: {} });
    }
    for (const address of addresses)
      expect(await testApp.store.ratings.read(address)).toEqual([{ scenario: "ai", count: 1, sum: 5 }]);
  });

  test("needs a pass, and is refused from special-purpose space", async () => {
    const testApp = open();
    const bogon = await rate(testApp, { scenario: "ai", rating: 5 });
    expect(bogon.status).toBe(400);
    expect(await bogon.json()).toMatchObject({ code: "invalid_ip" });
    testApp.from(OWN);
    const refused = await rate(testApp, { scenario: "ai", rating: 5 }, { pass: false });
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({
      code: "forbidden",
      error: "Rating an address requires human verification.",
      reportUrl: `https://limpid.test/en/ip/${OWN}`,
    });
    expect(await testApp.store.ratings.read(OWN)).toEqual([]);
  });
});

describe("a report", () => {
  test("shows changed votes at once, in every format", async () => {
    let votes: Awaited<ReturnType<TestApp["store"]["ratings"]["read"]>> = [];
    const assessment = assessmentOf("198.51.100.7");
    const lookup: Lookup = async ({ address }) =>
      answered(answerOf(address, {}, { tier: "cache", assessment, votes }));
    const testApp = openApp({ lookup });
    const read = async () => (await testApp.ask("/ip/198.51.100.7.json")).json();
    expect(await read()).not.toHaveProperty("feedback");
    votes = [
      { scenario: "email", count: 2, sum: 10 },
      { scenario: "ai", count: 3, sum: 10 },
      { scenario: "retired", count: 9, sum: 9 },
    ];
    expect(await read()).toMatchObject({ feedback: { ai: { count: 3, average: 3.33 } } });
    expect((await read()) as { feedback: object }).toHaveProperty("feedback", {
      ai: { count: 3, average: 3.33 },
    });
    expect(await (await testApp.ask("/en/ip/198.51.100.7")).text()).toContain('"feedback":{"ai"');
  });

  test("has the rating form only on the page of the client's own address", async () => {
    const testApp = openApp({ limits: { lookups: 100 } });
    const page = async (from: string) => {
      testApp.from(from);
      const response = await testApp.ask(`/en/ip/${OWN}`);
      const text = await response.text();
      return {
        form: text.includes('id="feedback-form"'),
        policy: response.headers.get("content-security-policy"),
      };
    };
    for (let again = 0; again < 2; again++) {
      const own = await page(OWN);
      expect(own.form).toBe(true);
      expect(own.policy).toContain("script-src 'self'; connect-src 'self'; worker-src 'self'");
      expect((await page("8.8.4.78")).form).toBe(false);
    }
  });
});
