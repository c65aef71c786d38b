import { describe, expect, test } from "bun:test";
import { readUsed } from "#kit";
import { type AppOptions, answered, answerOf, openApp, surveying } from "../../http/kit/open_app.ts";
import { tables } from "../../http/kit/scenarios.ts";

const turnstile: AppOptions["verification"] = {
  describeWidget: () => ({ kind: "turnstile", siteKey: "0x4AAA", token: "signed" }),
};

tables("allowance", { surveying, turnstile });

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
      const response = await testApp.ask(`/api/lookup?ip=198.51.100.${host}`);
      expect(response.status).toBe(200);
      expect(response.headers.get("x-open-budget-remaining")).toBe("5");
      expect(response.headers.get("ratelimit-policy")).toBe('"lookup";q=30;w=60, "new-ip";q=10;w=60');
      await waitForRefund(testApp);
    }
    expect((await testApp.ask("/api/lookup?ip=198.51.100.11")).status).toBe(429);
  });
});
