import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createClock } from "#kit";
import type { Source } from "#sources";
import {
  breakDns,
  breakHttp,
  createMemory,
  type FaultSetup,
  LIVE,
  OVER_DNS,
  OVER_HTTP,
  openFaultSetup,
} from "./fault_setup.ts";

/** The failures before the breaker opens, and how soon after its recovery a source must be asked again. */
const MOST_FAILURES = 20;
const RECOVERED_MS = 10_000;
const STEP_MS = 500;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const WAIT_MS = 1_800_000;

let at: FaultSetup;
beforeAll(async () => {
  at = await openFaultSetup();
});
afterAll(() => at.close());

/** Each with its own upstreams, so that the answers do not mix. */
const FAILURES: readonly (readonly [
  name: string,
  breakIt: (source: Source, isIll: () => boolean) => void,
])[] = [
  ["answers 500", (source, isIll) => playHttp(source, isIll, { status: 500 })],
  ["resets the connection", (source, isIll) => playHttp(source, isIll, { fault: "reset" })],
  ["sends nonsense", (source, isIll) => playHttp(source, isIll, { json: [] })],
  ["sends without end", (source, isIll) => playHttp(source, isIll, { fault: "endless", chunked: true })],
  ["says SERVFAIL", (source, isIll) => playDns(source, isIll, "SERVFAIL")],
  ["says REFUSED", (source, isIll) => playDns(source, isIll, "REFUSED")],
  ["refuses this resolver", (source, isIll) => playDns(source, isIll, ["127.255.255.254"])],
  ["answers outside 127.0.0.0/8", (source, isIll) => playDns(source, isIll, ["198.51.100.1"])],
];

function playHttp(
  source: Source,
  isIll: () => boolean,
  reply: Parameters<typeof breakHttp>[2] | object,
): void {
  for (const host of source.hosts ?? []) {
    const well = at.wellHttp.get(host);
    if (well !== undefined) at.gateway.on(host, /^/, () => (isIll() ? reply : well));
  }
}

/** The self-test of a list stays as it is: what it remembers is another memory than the breaker's. */
function playDns(source: Source, isIll: () => boolean, reply: Parameters<typeof breakDns>[2]): void {
  const well = at.wellDns.get(source.id) ?? [];
  breakDns(at, source, () => (isIll() && typeof reply !== "function" ? reply : well), true);
}

function asked(source: Source): number {
  const overHttp = (source.hosts ?? []).reduce((sum, host) => sum + at.gateway.callsTo(host).length, 0);
  return source.hosts === undefined
    ? at.dns.calls.filter(({ name }) => name.startsWith("7.113.0.203.")).length
    : overHttp;
}

describe("the breaker", () => {
  const pairs = FAILURES.flatMap(([name, breakIt]) => {
    const isDns = /SERVFAIL|REFUSED|resolver|outside/.test(name);
    const sources = isDns ? OVER_DNS.filter(({ zone }) => zone !== undefined) : OVER_HTTP;
    return sources.map((source) => [source.id, name, source, breakIt] as const);
  });

  test.each(pairs)(
    "of %s that %s opens within twenty failures and closes within 10 s of health",
    async (_, __, source, breakIt) => {
      let isIll = true;
      breakIt(source, () => isIll);
      const clock = createClock();
      const memory = createMemory(clock.now);
      let failures = 0;
      for (;;) {
        const [run] = await at.survey([source], memory);
        if (run?.state === "skipped") {
          expect(run.skipped).toBe("paused");
          break;
        }
        expect(run).toMatchObject({ state: "failed" });
        failures += 1;
        expect(failures).toBeLessThanOrEqual(MOST_FAILURES);
      }
      at.gateway.forget();
      at.dns.forget();
      await at.survey([source], memory);
      expect(asked(source)).toBe(0);
      isIll = false;
      let waitedMs = 0;
      for (;;) {
        const [run] = await at.survey([source], memory);
        if (run?.state === "answered") break;
        clock.advance(STEP_MS);
        waitedMs += STEP_MS;
        expect(waitedMs).toBeLessThanOrEqual(RECOVERED_MS);
      }
      expect(memory.breaker.states()).toEqual([]);
    },
  );

  test("closes within 10 s of health on the real clock too, under constant queries", async () => {
    const [source] = OVER_HTTP.filter(({ id }) => id === "internetdb");
    if (source === undefined) throw new Error("Cannot find a source to break");
    let isIll = true;
    playHttp(source, () => isIll, { status: 503 });
    const memory = createMemory();
    const states: string[] = [];
    while (!states.includes("skipped")) states.push((await at.survey([source], memory))[0]?.state ?? "");
    expect(states.length).toBeLessThanOrEqual(MOST_FAILURES + 1);
    // The fault is longer than a pause, so that a probe fails too.
    for (const endsAt = performance.now() + 3_500; performance.now() < endsAt; await Bun.sleep(50)) {
      expect((await at.survey([source], memory))[0]?.state).not.toBe("answered");
    }
    isIll = false;
    const healthyAt = performance.now();
    while ((await at.survey([source], memory))[0]?.state !== "answered") await Bun.sleep(50);
    expect(performance.now() - healthyAt).toBeLessThanOrEqual(RECOVERED_MS);
  });
});

describe("Retry-After", () => {
  const STATUSES = [400, 401, 402, 403, 404, 422, 429, 500, 503];
  const HOSTED = LIVE.filter(({ hosts }) => hosts !== undefined);

  test.each(HOSTED.map((source) => [source.id, source] as const))(
    "by %s is obeyed under every status, with a body that can be read and without",
    async (_, source) => {
      for (const status of STATUSES) {
        for (const body of [{ json: { message: "limit exceeded", error: "limit", status: "denied" } }, {}]) {
          const retryAfter = { "retry-after": String(WAIT_MS / 1_000) };
          breakHttp(at, source.hosts ?? [], () => ({ status, ...body, headers: retryAfter }));
          const clock = createClock();
          const memory = createMemory(clock.now);
          const [run] = await at.survey([source], memory);
          // RFC 7480 §5.3: a registry's 404 is an answer, even without a body.
          if (run?.state === "empty" && source.id === "rdap" && status === 404) continue;
          const about = [source.id, status, Object.keys(body).length];
          expect([...about, run?.state]).toEqual([...about, "failed"]);
          const untilMs = memory.breaker.states()[0]?.untilMs ?? 0;
          expect([...about, untilMs - clock.now() >= WAIT_MS]).toEqual([...about, true]);
          expect(untilMs - clock.now()).toBeLessThanOrEqual(DAY_MS);
          clock.advance(WAIT_MS - 1);
          expect((await at.survey([source], memory))[0]?.skipped).toBe("told_to_wait");
        }
      }
    },
  );

  test.each([
    // Computed when it is read, because the earlier tests take time.
    ["a date", () => new Date(Date.now() + 600_000).toUTCString(), 590_000, 600_000],
    ["a date that is past", "Sun, 06 Nov 1994 08:49:37 GMT", 1_000, 1_000],
    ["a date of long ago's form", "Sunday, 06-Nov-94 08:49:37 GMT", 1_000, 1_000],
    ["a date in eight thousand years", "Fri, 31 Dec 9999 23:59:59 GMT", HOUR_MS, HOUR_MS],
    ["no time", "0", 1_000, 1_000],
    ["a number past all numbers", "9".repeat(60), HOUR_MS, HOUR_MS],
    ["less than nothing", "-5", 60_000, 60_000],
    ["a word", "soon", 60_000, 60_000],
    ["two numbers", "1, 2", 60_000, 60_000],
  ])("that is %s is bounded", async (_, retryAfter, leastMs, mostMs) => {
    const [source] = OVER_HTTP.filter(({ id }) => id === "internetdb");
    if (source === undefined) throw new Error("Cannot find a source to break");
    const told = typeof retryAfter === "string" ? retryAfter : retryAfter();
    breakHttp(at, source.hosts ?? [], () => ({ status: 429, headers: { "retry-after": told } }));
    const clock = createClock();
    const memory = createMemory(clock.now);
    await at.survey([source], memory);
    const pauseMs = (memory.breaker.states()[0]?.untilMs ?? 0) - clock.now();
    expect(pauseMs).toBeGreaterThanOrEqual(leastMs);
    expect(pauseMs).toBeLessThanOrEqual(mostMs);
  });
});
