import { describe, expect, test } from "bun:test";
import type { Challenge } from "altcha-lib";
import { type AppOptions, openApp, surveying } from "../kit/open_app.ts";
import { tables } from "../kit/scenarios.ts";
import { solveCheck } from "../kit/solve_check.ts";

const IP = "198.51.100.7";
const OURS = { "content-type": "application/json", "sec-fetch-site": "same-origin" };
type TestApp = ReturnType<typeof openApp>;

async function getChallenge(testApp: TestApp, ip = IP, action = "lookup"): Promise<Challenge> {
  const response = await testApp.ask(`/api/challenge?ip=${ip}&action=${action}`);
  expect(response.status).toBe(200);
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("access-control-allow-origin")).toBeNull();
  return (await response.json()) as Challenge;
}

function verify(
  testApp: TestApp,
  body: unknown,
  headers: Record<string, string> = OURS,
  query = "?lang=en",
): Promise<Response> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return testApp.ask(`/api/verify${query}`, { method: "POST", headers, body: text });
}

/** The Cookie header that a browser would send on. */
function cookieOf(response: Response): { readonly cookie: string } {
  return { cookie: response.headers.get("set-cookie")?.split(";")[0] ?? "" };
}

const unavailable: AppOptions["verification"] = { verify: async () => "unavailable" };
const turnstile: AppOptions["verification"] = { createChallenge: async () => undefined };

tables("verify", { unavailable, turnstile, large: `"${"x".repeat(16_383)}"` });

describe("the human check", () => {
  test("gives a pass for half an hour of new addresses and refreshes to this browser only", async () => {
    const testApp = openApp({ lookup: surveying, limits: { openPerDay: 0 } });
    expect((await testApp.ask(`/ip/${IP}`)).status).toBe(403);
    const payload = await solveCheck(await getChallenge(testApp));
    const verified = await verify(testApp, { ip: IP, action: "lookup", payload });
    expect(verified.status).toBe(200);
    expect(await verified.json()).toEqual({ verified: true, expiresAt: "2026-01-15T12:30:00.000Z" });
    expect(verified.headers.get("set-cookie")).toMatch(
      /^limpid_pass=[\w.-]+; HttpOnly; SameSite=Lax; Path=\/; Max-Age=1800; Secure$/,
    );
    expect(verified.headers.get("cache-control")).toBe("no-store");

    const headers = cookieOf(verified);
    expect((await testApp.ask(`/ip/${IP}`, { headers })).status).toBe(200);
    expect((await testApp.ask(`/ip/${IP}.json?refresh=1`, { headers })).status).toBe(200);
    expect((await testApp.ask(`/ip/${IP}.json?refresh=1`)).status).toBe(403);
    testApp.clock.advance(30 * 60_000 - 1);
    expect((await testApp.ask("/ip/198.51.100.8", { headers })).status).toBe(200);
    testApp.clock.advance(1);
    expect((await testApp.ask("/ip/198.51.100.9", { headers })).status).toBe(403);
  });

  test("sets the cookie without Secure over plain HTTP, where browsers would drop it", async () => {
    const testApp = openApp({ baseUrl: "http://127.0.0.1:8080" });
    const payload = await solveCheck(await getChallenge(testApp));
    const verified = await verify(testApp, { ip: IP, action: "lookup", payload });
    expect(verified.headers.get("set-cookie")).not.toContain("Secure");
  });

  test("accepts a solution once, for its address and action, within ten minutes", async () => {
    const testApp = openApp();
    const challenge = await getChallenge(testApp);
    const payload = await solveCheck(challenge);
    const reasons: unknown[] = [];
    const refused = async (body: unknown) => {
      const response = await verify(testApp, body);
      expect(response.status).toBe(403);
      expect(response.headers.get("set-cookie")).toBeNull();
      const problem = (await response.json()) as { code: string; error: string; reportUrl: string };
      expect(problem.code).toBe("forbidden");
      reasons.push(problem.error);
    };
    await refused({ ip: "198.51.100.8", action: "lookup", payload });
    await refused({ ip: IP, action: "refresh", payload });
    await refused({ ip: IP, action: "lookup", payload: "bm90aGluZw==" });
    expect((await verify(testApp, { ip: IP, action: "lookup", payload })).status).toBe(200);
    await refused({ ip: IP, action: "lookup", payload });
    const late = await solveCheck(await getChallenge(testApp));
    testApp.clock.advance(10 * 60_000 + 1000);
    await refused({ ip: IP, action: "lookup", payload: late });
    const notPassed = "The human verification failed.";
    expect(reasons).toEqual([
      notPassed,
      notPassed,
      notPassed,
      "This human verification was already used.",
      "The human verification has expired.",
    ]);
  });

  test("costs a lookup at each step", async () => {
    const testApp = openApp({ limits: { lookups: 2 } });
    const payload = await solveCheck(await getChallenge(testApp));
    expect((await verify(testApp, { ip: IP, action: "lookup", payload })).status).toBe(200);
    const refused = await verify(testApp, { ip: IP, action: "lookup", payload });
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("60");
    expect((await testApp.ask(`/api/challenge?ip=${IP}&action=lookup`)).status).toBe(429);
  });
});

describe("a POST body", () => {
  test("in chunks is limited by its real size, not by Content-Length", async () => {
    const testApp = openApp();
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        controller.enqueue(new Uint8Array(1000).fill(32));
      },
    });
    const response = await testApp.ask("/api/verify", { method: "POST", headers: OURS, body: endless });
    expect(response.status).toBe(413);
    expect(sent).toBeLessThan(30);
  });
});

describe("a pass", () => {
  test.each([
    ["of another secret", (value: string) => `${value.slice(0, -3)}AAA`],
    [
      "with a later end",
      (value: string) => value.replace(/\.(\d{13})\./, (_, end) => `.${Number(end) + 1}.`),
    ],
    ["with another id", (value: string) => value.replace(/v1\.../, "v1.zz")],
    ["cut off", (value: string) => value.slice(0, 20)],
    ["that is empty", () => ""],
    ["that is very long", (value: string) => value.repeat(200)],
  ])("%s is none", async (_what, forge) => {
    const testApp = openApp({ lookup: surveying, limits: { openPerDay: 0 } });
    const value = testApp.newPass().cookie.slice("limpid_pass=".length);
    const headers = { cookie: `limpid_pass=${forge(value)}` };
    expect((await testApp.ask(`/ip/${IP}.json`, { headers })).status).toBe(403);
    expect(
      (await testApp.ask(`/ip/${IP}.json`, { headers: { cookie: `a=b; limpid_pass=${value}` } })).status,
    ).toBe(200);
  });
});
