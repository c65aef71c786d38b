import { describe, expect, test } from "bun:test";
import { answered, answerOf, leave, openApp, surveying, type TestLookup } from "../kit/open_app.ts";
import { tables } from "../kit/scenarios.ts";

/** The first address is known; all others need a survey. */
const oneKnown: TestLookup = async (request, signal, admissions) => {
  const { address } = request;
  if (address.text !== "198.51.100.7") return surveying(request, signal, admissions);
  return answered(answerOf(address));
};

const oneBroken: TestLookup = async (request, signal, admissions) => {
  if (request.address.text === "198.51.100.8") throw new TypeError("secret");
  return oneKnown(request, signal, admissions);
};

tables("compare", { oneKnown, oneBroken, surveying });

describe("a comparison of many addresses", () => {
  test("takes twenty that have a report", async () => {
    const all = Array.from({ length: 20 }, (_, index) => `8.8.1.${index + 1}`);
    const testApp = openApp({ findKnown: async (address) => answerOf(address) });
    const response = await testApp.ask(`/compare?ips=${all.join(",")}`);
    expect(response.status).toBe(200);
    expect((await response.text()).match(/<tr(?: class="won")?><th scope="row">/g)).toHaveLength(20);
    expect(testApp.calls.map(({ address }) => address)).toEqual([...all]);
  });
});

describe("a comparison", () => {
  test("a client that disconnects aborts all its lookups", async () => {
    const { status } = await leave("/api/compare?ips=198.51.100.1,198.51.100.2");
    expect(status).toBe(499);
  });
});
