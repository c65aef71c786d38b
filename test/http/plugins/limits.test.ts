import { describe, expect, test } from "bun:test";
import { answered, answerOf, openApp, surveying } from "../kit/open_app.ts";
import { tables } from "../kit/scenarios.ts";

const KNOWN = "/api/lookup?ip=198.51.100.7";

tables("limits", { surveying });

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
});
