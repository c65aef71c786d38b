import { describe, expect, test } from "bun:test";
import { answered, answerOf, openApp, surveying, type TestLookup } from "../kit/open_app.ts";
import { tables } from "../kit/scenarios.ts";

/** The first address is known; all others need a survey. */
const oneKnown: TestLookup = async (request, signal, admissions) => {
  const { address } = request;
  if (address.text !== "198.51.100.7") return surveying(request, signal, admissions);
  return answered(answerOf(address));
};

/** Addresses that are no special-purpose ones. */
function listPublic(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `8.8.1.${index + 1}`);
}

const oneBroken: TestLookup = async (request, signal, admissions) => {
  if (request.address.text === "198.51.100.8") throw new TypeError("secret");
  return oneKnown(request, signal, admissions);
};

tables("compare", { oneKnown, oneBroken, surveying });

describe("a comparison of many addresses", () => {
  test("takes twenty that have a report", async () => {
    const all = listPublic(20);
    const testApp = openApp({
      findKnown: async (address) => answerOf(address),
    });
    const response = await testApp.ask(`/compare?ips=${all.join(",")}`);
    expect(response.status).toBe(200);
    expect((await response.text()).match(/<tr(?: class="won")?><th scope="row">/g)).toHaveLength(20);
    expect(testApp.calls.map(({ address }) => address)).toEqual([...all]);
  });

  test("looks up five that have none, and says so of the others", async () => {
    const all = listPublic(7);
    const testApp = openApp({ findKnown: async () => undefined });
    const response = await testApp.ask(`/en/compare?ips=${all.join(",")}`);
    expect(response.status).toBe(200);
    expect(testApp.calls.map(({ address }) => address)).toEqual(all.slice(0, 5));
    expect(await response.text()).toContain("one comparison looks up at most 5 new addresses");
  });
});

describe("a comparison's limits", () => {
  test("each address costs a lookup; addresses over the limit get a problem with the time to wait", async () => {
    const testApp = openApp({ limits: { lookups: 3 } });
    const target = "/api/compare?ips=198.51.100.1,198.51.100.2,198.51.100.3,198.51.100.4";
    const first = (await (await testApp.ask(target)).json()) as {
      reports: unknown[];
      problems: { problem: { code: string } }[];
    };
    expect(first.reports).toHaveLength(3);
    expect(first.problems.map(({ problem }) => problem.code)).toEqual(["rate_limited"]);
    const second = await testApp.ask(target);
    expect(second.status).toBe(429);
    expect(second.headers.get("retry-after")).toBe("60");
  });

  test("costs the same allowance as single lookups", async () => {
    const testApp = openApp({ lookup: surveying });
    const response = await testApp.ask("/api/compare?ips=198.51.100.1,198.51.100.2,198.51.100.3");
    expect(response.status).toBe(200);
    expect(response.headers.get("x-open-budget-remaining")).toBe("2");
    expect(response.headers.get("ratelimit-policy")).toBe(
      '"lookup";q=30;w=60, "new-ip";q=10;w=60, "open-minute";q=15;w=60, "open-day";q=5;w=86400',
    );
    expect(response.headers.get("ratelimit")).toMatch(/^"lookup";r=27;t=60, "new-ip";r=7;.*"open-day";r=2;/);
  });

  test("exempt clients get no limit headers", async () => {
    const testApp = openApp({ exempt: ["203.0.113.0/24"] });
    const response = await testApp.ask("/api/compare?ips=198.51.100.1,198.51.100.2");
    expect(response.headers.get("ratelimit")).toBeNull();
  });

  test("a client that disconnects aborts all its lookups", async () => {
    const testApp = openApp({
      lookup: (_request, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    });
    const leaving = new AbortController();
    const answer = testApp.app.handle(
      new Request("http://localhost/api/compare?ips=198.51.100.1,198.51.100.2", { signal: leaving.signal }),
    );
    leaving.abort();
    expect((await answer).status).toBe(499);
    expect(testApp.logs).toEqual([]);
  });
});
