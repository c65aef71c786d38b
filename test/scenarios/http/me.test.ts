import { describe, expect, test } from "bun:test";
import type { Answer } from "#lookup";
import {
  type AppOptions,
  answered,
  answerOf,
  assessmentOf,
  openApp,
  openShared,
  surveying,
} from "../../http/kit/open_app.ts";
import { tables } from "../../http/kit/scenarios.ts";

const CALLER = "198.51.100.7";
const OTHER = "192.0.2.8";
const PROXY = "203.0.113.9";

/** Paths about the caller, with the path of the same answer about an address. */
const PATHS = [
  ["/ip/me", `/ip/${CALLER}`],
  ["/ip", `/ip/${CALLER}`],
  ["/ip/me.json", `/ip/${CALLER}.json`],
  ["/ip/me.txt", `/ip/${CALLER}.txt`],
  ["/ip/me.md", `/ip/${CALLER}.md`],
  ["/cli/me", `/cli/${CALLER}`],
  ["/cli", `/cli/${CALLER}`],
  ["/cli?format=line", `/cli/${CALLER}?format=line`],
  ["/gate/me", `/gate/${CALLER}`],
].flatMap(([own = "", named = ""]) => [[own, named] as const, [`/en${own}`, `/en${named}`] as const]);

const AS_CALLER: AppOptions = { peer: CALLER };
const CLOSED: AppOptions = { peer: CALLER, lookup: surveying, limits: { openPerDay: 0 } };
const HEADERS = ["content-type", "content-language", "etag", "ratelimit", "link"];

/** Memory holds every address, so that a URL that was answered before could skip the router. */
function inMemory(options: AppOptions = {}): AppOptions {
  const known = new Map<string, Answer>();
  return {
    peer: CALLER,
    findKnownSync(address) {
      const purity = address.text === OTHER ? 12 : 85;
      const answer = known.get(address.text) ?? answerOf(address, { purity }, { tier: "cache" });
      known.set(address.text, answer);
      return answer;
    },
    ...options,
  };
}

/** Two callers behind one trusted proxy. */
function askAs(testApp: ReturnType<typeof openApp>, caller: string, target: string, headers = {}) {
  return testApp.ask(target, { headers: { "x-forwarded-for": caller, ...headers } });
}

describe.each(PATHS)("%s", (own, named) => {
  test("is the same as the address of the caller", async () => {
    const read = async (target: string) => {
      const response = await openShared(AS_CALLER).ask(target);
      const headers = HEADERS.map((name) => response.headers.get(name));
      return { status: response.status, headers, body: await response.text() };
    };
    expect(await read(own)).toEqual(await read(named));
  });

  test("is about each caller, and no cache may give it to another one", async () => {
    const found: string[] = [];
    const options = inMemory({ peer: PROXY, trustedProxies: [`${PROXY}/32`] });
    const testApp = openApp({
      ...options,
      findKnownSync(address) {
        found.push(address.text);
        return options.findKnownSync?.(address);
      },
    });
    for (const caller of [CALLER, OTHER, CALLER, OTHER]) {
      const response = await askAs(testApp, caller, own);
      expect(response.headers.get("cache-control")).toMatch(/^(?:private, no-cache|no-store)$/);
      await response.text();
    }
    expect(found).toEqual([CALLER, OTHER, CALLER, OTHER]);
  });

  test("has the limits and the allowance of every lookup", async () => {
    const limited = openApp({ peer: CALLER, limits: { lookups: 1 } });
    expect((await limited.ask(own)).status).toBe(200);
    expect((await limited.ask(own)).status).toBe(429);
    const refused = await openShared(CLOSED).ask(own);
    expect(refused.status).toBe(403);
    expect(refused.headers.get("x-open-budget-remaining")).toBe("0");
  });
});

describe("a copy of the answer about another caller", () => {
  test("is not current for /ip/me.json by its tag", async () => {
    const testApp = openApp(inMemory({ peer: PROXY, trustedProxies: [`${PROXY}/32`] }));
    const first = await askAs(testApp, CALLER, "/ip/me.json");
    const tag = first.headers.get("etag") ?? "";
    expect((await askAs(testApp, OTHER, "/ip/me.json", { "if-none-match": tag })).status).toBe(200);
  });
});

test.each(["/ip/me.png", "/en/ip/me.png"])("%s is for the caller alone", async (target) => {
  const response = await openShared(AS_CALLER).ask(target);
  expect(response.status).toBe(200);
  expect(response.headers.get("cache-control")).toBe("private, no-cache");
  expect(response.headers.get("ratelimit")).toContain("r=29");
  const named = await openApp({ peer: CALLER }).ask(target.replace("me", CALLER));
  expect(named.headers.get("cache-control")).toBe("public, max-age=300");
  expect(await response.bytes()).toEqual(await named.bytes());
});

const bogonLookup: AppOptions["lookup"] = async ({ address }) => {
  const flags = { ...assessmentOf(address.text).flags, isBogon: true };
  return answered(answerOf(address, { flags }, { tier: "fresh", liveAnswers: 0 }));
};

const findKnown: AppOptions["findKnown"] = async (address) => answerOf(address);

tables("me", { bogon: bogonLookup, findKnown });
