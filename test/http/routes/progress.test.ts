import { describe, expect, test } from "bun:test";
import type { LookupResult, SurveyEvent } from "#lookup";
import { answered, answerOf, leave, openApp, surveying, type TestLookup } from "../kit/open_app.ts";
import { tables } from "../kit/scenarios.ts";

const TARGET = "/api/progress?ip=198.51.100.7&lang=en";

const SOURCES = [
  { id: "a", name: "Source A" },
  { id: "b", name: "Source B" },
] as const;

function resultOf(text: string): LookupResult {
  return answered(answerOf({ text }, {}, { tier: "fresh" }));
}

/** A lookup that the test controls: it waits for the test's next step. */
function openLed() {
  let tell: ((event: SurveyEvent) => void) | undefined;
  const end = Promise.withResolvers<LookupResult>();
  const asked = Promise.withResolvers<void>();
  const signals: AbortSignal[] = [];
  const lookup: TestLookup = async ({ client, watch }, signal, admissions) => {
    signals.push(signal);
    const admission = await admissions.request({ client, kind: "new-ip" });
    if (!admission.admitted) return { kind: "refused", refusal: admission.refusal, limits: admission.limits };
    watch?.({ kind: "admitted", limits: admission.limits });
    tell = watch;
    asked.resolve();
    return end.promise;
  };
  /** The response that the request gets when the survey waits. */
  async function waitInQueue(response: Response | Promise<Response>): Promise<Response> {
    await asked.promise;
    tell?.({ kind: "queued" });
    return response;
  }
  return { lookup, end, waitInQueue, signals, tell: (event: SurveyEvent) => tell?.(event) };
}

interface Event {
  readonly name: string;
  readonly data: unknown;
}

/** Parses a stream of server-sent events. A comment becomes an event `:`. */
function readEvents(text: string): Event[] {
  return text
    .split("\n\n")
    .filter((block) => block !== "")
    .map((block) => {
      if (block.startsWith(":")) return { name: ":", data: undefined };
      const [, name = "", data = ""] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
      return { name, data: JSON.parse(data) };
    });
}

const overloaded: TestLookup = async () => ({ kind: "overloaded", retryAfterMs: 3000, limits: [] });

tables("progress", { surveying, overloaded });

describe("/api/progress", () => {
  test("sends events in order, counts the sources, and ends with the report", async () => {
    const led = openLed();
    const testApp = openApp({ lookup: led.lookup });
    const response = await led.waitInQueue(testApp.ask(TARGET));
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("x-accel-buffering")).toBe("no");
    expect(response.headers.get("x-open-budget-remaining")).toBe("4");
    expect(response.headers.get("ratelimit-policy")).toContain('"open-day";q=5;w=86400');
    led.tell({ kind: "started", sources: SOURCES });
    led.tell({ kind: "source", id: "b", name: "Source B", state: "failed", ms: 12 });
    led.tell({ kind: "source", id: "a", name: "Source A\nevent: report", state: "answered", ms: 30 });
    led.end.resolve(resultOf("198.51.100.7"));
    expect(readEvents(await response.text())).toEqual([
      { name: "queued", data: {} },
      { name: "started", data: { total: 2, sources: [...SOURCES] } },
      { name: "source", data: { id: "b", name: "Source B", state: "failed", ms: 12, done: 1, total: 2 } },
      {
        name: "source",
        data: { id: "a", name: "Source A\nevent: report", state: "answered", ms: 30, done: 2, total: 2 },
      },
      { name: "report", data: { url: "https://limpid.test/en/ip/198.51.100.7" } },
    ]);
  });

  test("ends with a later refusal or an internal error without details as the last event", async () => {
    for (const [result, code] of [
      [Promise.resolve<LookupResult>({ kind: "overloaded", retryAfterMs: 3000, limits: [] }), "overloaded"],
      [Promise.reject<LookupResult>(new Error("secret")), "internal"],
    ] as const) {
      result.catch(() => {});
      const led = openLed();
      const testApp = openApp({ lookup: led.lookup });
      const response = await led.waitInQueue(testApp.ask(TARGET));
      led.end.resolve(result);
      const text = await response.text();
      expect(readEvents(text).at(-1)).toMatchObject({ name: "problem", data: { code } });
      expect(text).not.toContain("secret");
    }
  });

  test("sends a comment every ten seconds until it ends", async () => {
    const beats = new Set<() => void>();
    const every = (ms: number, then: () => void) => {
      expect(ms).toBe(10_000);
      beats.add(then);
      return () => void beats.delete(then);
    };
    const led = openLed();
    const testApp = openApp({ lookup: led.lookup, every });
    const response = await led.waitInQueue(testApp.ask(TARGET));
    for (const beat of beats) beat();
    expect(beats.size).toBe(1);
    led.end.resolve(resultOf("198.51.100.7"));
    expect(readEvents(await response.text()).map(({ name }) => name)).toEqual(["queued", ":", "report"]);
    expect(beats.size).toBe(0);
  });

  test("when cancelled aborts the signal of its lookup", async () => {
    const led = openLed();
    const testApp = openApp({ lookup: led.lookup });
    const request = new Request(`http://localhost${TARGET}`);
    const response = await led.waitInQueue(testApp.app.handle(request));
    expect(led.signals[0]?.aborted).toBe(false);
    await response.body?.cancel();
    expect(led.signals[0]?.aborted).toBe(true);
    led.tell({ kind: "started", sources: SOURCES });
    led.end.resolve(resultOf("198.51.100.7"));
    expect(testApp.logs).toEqual([]);
  });

  test("of a client that disconnects before it reads the stream ends: lookup, heartbeat and place", async () => {
    const beats = new Set<() => void>();
    const led = openLed();
    const testApp = openApp({
      lookup: led.lookup,
      every: (_ms, then) => {
        beats.add(then);
        return () => void beats.delete(then);
      },
    });
    const leaving = new AbortController();
    const request = new Request(`http://localhost${TARGET}`, { signal: leaving.signal });
    const response = await led.waitInQueue(testApp.app.handle(request));
    expect(beats.size).toBe(1);
    // Nobody reads or cancels the body; only the signal of the request shows the disconnect.
    leaving.abort();
    expect(led.signals[0]?.aborted).toBe(true);
    expect(beats.size).toBe(0);
    led.end.resolve(resultOf("198.51.100.7"));
    expect(readEvents(await response.text())).toEqual([{ name: "queued", data: {} }]);
    expect(testApp.logs).toEqual([]);
  });

  test("of a client that disconnects before the first event ends, and is no error", async () => {
    expect((await leave(TARGET)).status).toBe(499);
  });

  test("of a client that is already disconnected starts no lookup and costs nothing", async () => {
    const testApp = openApp();
    const request = new Request(`http://localhost${TARGET}`, { signal: AbortSignal.abort() });
    const response = (await testApp.app.handle(request)) as Response;
    expect(response.status).toBe(499);
    expect(testApp.calls).toEqual([]);
    expect((await testApp.ask(TARGET)).headers.get("ratelimit")).toStartWith('"lookup";r=29;');
  });

  test("has at most 256 open streams, and a closed stream frees its place", async () => {
    const led: ReturnType<typeof openLed>[] = [];
    const testApp = openApp({
      limits: { lookups: 1000, fresh: 1000, openPerDay: 1000, openPerMinute: 1000, openDailyTotal: 1000 },
      lookup: (...asked) => {
        const own = openLed();
        led.push(own);
        return own.lookup(...asked);
      },
    });
    const watch = async (): Promise<Response> => {
      const asking = testApp.app.handle(new Request(`http://localhost${TARGET}`)) as Promise<Response>;
      return led.at(-1)?.waitInQueue(asking) ?? asking;
    };
    const open: Response[] = [];
    for (let watcher = 0; watcher < 256; watcher++) open.push(await watch());
    const refused = await testApp.ask(TARGET);
    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).toBe("5");
    expect(await refused.json()).toMatchObject({ code: "overloaded" });
    expect(led).toHaveLength(256);
    await open[7]?.body?.cancel();
    expect((await watch()).status).toBe(200);
    expect((await testApp.ask(TARGET)).status).toBe(503);
    for (const own of led) own.end.resolve(resultOf("198.51.100.7"));
    for (const response of open) if (!response.bodyUsed) await response.text();
    expect((await watch()).status).toBe(200);
  });

  test("HEAD has the same head, no events, and holds no place", async () => {
    const testApp = openApp({ limits: { lookups: 1000 } });
    for (let again = 0; again < 300; again++) {
      const head = await testApp.ask(TARGET, { method: "HEAD" });
      expect(head.status).toBe(200);
      expect(head.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
      expect(await head.text()).toBe("");
    }
  });
});
