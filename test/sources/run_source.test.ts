import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { DatasetError } from "#datasets";
import {
  countListeners,
  createClock,
  openFor,
  openUpstreamClient,
  readAddress,
  startDnsServer,
  startGateway,
} from "#kit";
import { createZoneHealth, type RunPorts, runSource, type Source, type SourceSettings } from "#sources";
import {
  createBreaker,
  createDailyBudget,
  type UpstreamClient,
  UpstreamError,
  type UpstreamSession,
} from "#upstream";
import { dnsblSource } from "../../src/sources/dns/dnsbl.ts";
import { openTables } from "./open_tables.ts";
import { createPorts, OPEN_SETTINGS } from "./replay.ts";

const ADDRESS = readAddress("203.0.113.7");
const ADDRESS6 = readAddress("2001:db8::7");
const NAME = "7.113.0.203.bl.example.com";

const gateway = openFor("all", startGateway);
const dns = openFor("all", startDnsServer);
const client = openFor("all", () => openClient(4));
let session: UpstreamSession;
let survey: AbortController;
const tables = openTables({});

afterAll(() => tables.close());
beforeEach(() => {
  gateway.forget();
  dns.forget();
  dns.on("2.0.0.127.bl.example.com", "A", ["127.0.0.2"]);
  dns.on("1.0.0.127.bl.example.com", "A", "NXDOMAIN");
  dns.on(NAME, "A", "NXDOMAIN");
  survey = new AbortController();
  session = client.openSession(survey.signal);
});
afterEach(() => session.close());

const zone = dnsblSource({
  id: "example_bl",
  label: "Example BL",
  family: "example",
  names: { 4: "bl.example.com" },
  weight: 1,
  codes: { "127.0.0.2": { name: "spam", meaning: "abuse" } },
  delistUrl: "https://example.com/",
});

/** A source whose answer is the HTTP answer. */
const http: Source = {
  id: "example",
  name: "Example",
  kind: "commercial",
  family: "example",
  matters: ["abuse"],
  weight: 2,
  versions: [4, 6],
  timeoutMs: 500,
  ask: (_, { upstream }, signal) => upstream.http({ url: "https://api.example.com/x", as: "json" }, signal),
  read: () => ({ abuse: { score: 5 } }),
};

function ports(parts: Partial<RunPorts> = {}): RunPorts {
  return { ...createPorts({ upstream: session, datasets: tables.datasets }), ...parts };
}

function settings(parts: Partial<SourceSettings>): SourceSettings {
  return { ...OPEN_SETTINGS, ...parts };
}

function openClient(poolSize: number): UpstreamClient {
  const servers = { gateway: gateway.url, dnsServers: [dns.address] };
  return openUpstreamClient({ hosts: ["api.example.com"], ...servers, poolSize });
}

/** Opens a session of its own client that sends one request at a time. */
function openNarrow() {
  const narrow = openClient(1);
  return { narrow, upstream: narrow.openSession(survey.signal) };
}

/** Ports with a breaker, on a clock of the test. */
function atOwnTime() {
  const clock = createClock();
  return { clock, chosen: ports({ breaker: createBreaker({ now: clock.now }), now: clock.now }) };
}

/** Asks a source about the address within the survey. */
function run(source: Source, parts: Partial<RunPorts> = {}) {
  return runSource(source, ADDRESS, ports(parts), survey.signal);
}

function asking(ask: Source["ask"], parts: Partial<Source> = {}): Source {
  return { ...http, ask, ...parts };
}

describe("runSource()", () => {
  test("has the metadata of the source and its observation", async () => {
    gateway.on("api.example.com", "/x", { json: {} });
    expect(await run(http)).toEqual({
      id: "example",
      name: "Example",
      kind: "commercial",
      family: "example",
      matters: ["abuse"],
      weight: 2,
      local: false,
      ms: 0,
      state: "answered",
      observation: { abuse: { score: 5 } },
    });
  });

  test.each([
    ["2026-01-01", { dataDate: "2026-01-01" }],
    ["2025-10-16", { dataDate: "2025-10-16" }],
    ["2025-10-14", { dataDate: "2025-10-14", ageing: true as const }],
    ["2027-01-14", { dataDate: "2027-01-14", ageing: true as const }],
    ["of late", { dataDate: "of late", ageing: true as const }],
  ])("marks a table of %s as ageing or not", async (dataDate, expected) => {
    const noon = createClock(Date.UTC(2026, 0, 15, 12));
    const table = asking(() => null, { local: true, freshDays: 92, read: () => ({ dataDate }) });
    const result = await run(table, { now: noon.now });
    expect(result.observation).toEqual(expected);
    const ageless = asking(() => null, { local: true, read: () => ({ dataDate }) });
    const other = await run(ageless, { now: noon.now });
    expect(other.observation).toEqual({ dataDate });
  });

  test("uses the given clock", async () => {
    const clock = createClock();
    const slow = asking(async () => clock.advance(321));
    expect((await run(slow, { now: clock.now })).ms).toBe(321);
  });

  test("is empty when the source has no record, or nothing is left after cleaning", async () => {
    const silent = asking(async () => null, { read: () => undefined });
    const blank = asking(async () => null, { read: () => ({ geo: { city: "\u202e" } }) });
    expect(await run(silent)).toMatchObject({ state: "empty" });
    expect(await run(blank)).toMatchObject({ state: "empty" });
  });

  test("cleans every text of a source", async () => {
    const dirty = asking(async () => null, { read: () => ({ asn: { name: `A\u202eB${"x".repeat(999)}` } }) });
    const { observation } = await run(dirty);
    expect(observation?.asn?.name).toBe(`AB${"x".repeat(198)}`);
    expect(Object.isFrozen(observation)).toBe(true);
  });
});

describe("runSource() skips", () => {
  const everything: Partial<Source> = {
    id: "example",
    versions: [4],
    secret: "required",
    noncommercial: true,
    needsContact: true,
    zone: { id: "example_zone", label: "Example" },
  };
  const { contact: _, ...anonymous } = OPEN_SETTINGS;
  const open = { ...anonymous, secrets: new Map<string, string>() };
  const keyed = { ...open, secrets: new Map([["example", "k"]]) };
  const strict = { ...keyed, allowNoncommercial: false };

  test.each([
    ["turned_off", { ...open, live: false, off: new Set(["example"]) }, ADDRESS6],
    ["turned_off", { ...open, live: false, off: new Set(["example_zone"]) }, ADDRESS6],
    ["version", { ...open, live: false }, ADDRESS6],
    ["no_key", { ...open, allowNoncommercial: false }, ADDRESS],
    ["no_key", { ...strict, secrets: new Map([["example", ""]]) }, ADDRESS],
    ["noncommercial", strict, ADDRESS],
    ["no_contact", { ...keyed, live: false }, ADDRESS],
    ["live_off", { ...OPEN_SETTINGS, secrets: keyed.secrets, live: false }, ADDRESS],
  ] as const)("for %s, before the reasons that come after it", async (skipped, chosen, address) => {
    const source = asking(async () => expect.unreachable(), everything);
    const result = await runSource(source, address, ports({ settings: chosen }), survey.signal);
    expect(result).toMatchObject({ state: "skipped", skipped, ms: 0 });
    expect(result).not.toHaveProperty("observation");
  });

  test("no table when live sources are off", async () => {
    const local = asking(() => null, { local: true });
    const result = await run(local, { settings: settings({ live: false }) });
    expect(result).toMatchObject({ state: "answered", local: true });
  });

  test("a source while the one that replaces it has its key and is not turned off", async () => {
    const source = asking(async () => null, { replacedBy: "better" });
    const secrets = new Map([["better", "k"]]);
    expect(await run(source, { settings: settings({ secrets }) })).toMatchObject({
      state: "skipped",
      skipped: "turned_off",
      detail: "better is asked instead",
    });
    for (const chosen of [{}, { secrets, off: new Set(["better"]) }]) {
      const result = await run(source, { settings: settings(chosen) });
      expect(result.state).toBe("answered");
    }
  });

  test("a scarce source when the free ones have decided, without a reservation, and asks it otherwise", async () => {
    const budget = createDailyBudget({ now: createClock().now, limits: () => 1 });
    const scarce = asking((_, { upstream }, signal) => upstream.a(NAME, signal), { scarce: true });
    const settled = ports({ budget, isConclusive: async () => true });
    expect(await run(scarce, settled)).toMatchObject({ state: "skipped", skipped: "settled" });
    expect(await budget.remaining("example")).toBe(1);
    const free = asking(async () => null);
    expect((await run(free, { isConclusive: async () => true })).state).toBe("answered");
    const undecided = ports({ budget, isConclusive: async () => false });
    expect((await run(scarce, undecided)).state).toBe("answered");
    expect(await budget.remaining("example")).toBe(0);
  });

  test("a source that is paused, and then one whose daily budget is used up", async () => {
    const clock = createClock();
    const breaker = createBreaker({ now: clock.now });
    const budget = createDailyBudget({ now: clock.now, limits: () => 1 });
    const answers = asking(async (_, { upstream }, signal) => upstream.a(NAME, signal));
    const chosen = ports({ breaker, budget, now: clock.now });
    expect((await run(answers, chosen)).state).toBe("answered");
    expect((await run(answers, chosen)).skipped).toBe("daily_budget");
    breaker.failed("example", new UpstreamError("quota", "HTTP 429", { retryAfterMs: 60_000 }));
    expect((await run(answers, chosen)).skipped).toBe("told_to_wait");
  });
});

describe("runSource() fails", () => {
  test("waits for the longer of the times in header and body", async () => {
    const waits: (number | undefined)[] = [];
    for (const ownMs of [undefined, 60_000, 600_000]) {
      gateway.on("api.example.com", "/x", { json: {}, headers: { "retry-after": "120" } });
      const clock = createClock();
      const breaker = createBreaker({ now: clock.now });
      const own = ownMs === undefined ? {} : { retryAfterMs: ownMs };
      const read = () => {
        throw new UpstreamError("quota", "quota used up", own);
      };
      expect(await run({ ...http, read }, { breaker })).toMatchObject({
        state: "failed",
        error: "quota",
        detail: "quota used up",
      });
      waits.push((breaker.states()[0]?.untilMs ?? 0) - clock.now());
    }
    expect(waits).toEqual([120_000, 120_000, 600_000]);
  });

  test.each(["timeout", "refused", "status", "shape", "quota", "unavailable", "too_large"] as const)(
    "with the error %s of the upstream",
    async (kind) => {
      for (const failing of [
        asking(() => Promise.reject(new UpstreamError(kind, "why"))),
        asking(async () => null, {
          read: () => {
            throw new UpstreamError(kind, "why");
          },
        }),
      ]) {
        const result = await run(failing);
        expect(result).toMatchObject({ state: "failed", error: kind, detail: "why" });
        expect(result).not.toHaveProperty("observation");
      }
    },
  );

  test("with `shape` for every other error, without its text", async () => {
    await fc.assert(
      fc.asyncProperty(fc.anything(), fc.boolean(), async (thrown, isSync) => {
        const failing = asking(
          isSync
            ? () => {
                throw thrown;
              }
            : () => Promise.reject(thrown),
        );
        const result = await run(failing);
        expect(result).toMatchObject({ state: "failed", error: "shape", detail: "unexpected answer" });
      }),
      { numRuns: 50 },
    );
    const reader = asking(async () => null, { read: (answer) => (answer as { x: { y: never } }).x.y });
    expect(await run(reader)).toMatchObject({ state: "failed", error: "shape" });
  });

  const broken = 'Cannot use table "/srv/lim pid/data/asn.table": not at /srv/data/x.csv or C:\\data\\y.csv';
  const throwing = (error: Error) => () => {
    throw error;
  };
  test.each<[string, Source, object]>([
    [
      "the name of a broken table but not its folder",
      asking(throwing(new DatasetError(broken)), { local: true }),
      { error: "unavailable", detail: 'Cannot use table "asn.table": not at x.csv or y.csv' },
    ],
    [
      "`shape` for a table that does not answer at once",
      asking(() => Promise.resolve({}), { local: true }),
      { error: "shape" },
    ],
    [
      "a clean and short detail",
      asking(throwing(new UpstreamError("status", `\u202eHTTP ${"9".repeat(500)}`))),
      { error: "status", detail: `HTTP ${"9".repeat(115)}` },
    ],
  ])("with %s", async (_, source, expected) => {
    expect(await run(source)).toMatchObject({ state: "failed", ...expected });
  });

  test("when the source takes too long, even one that ignores its signal", async () => {
    gateway.on("api.example.com", "/x", { fault: "hang" });
    const deaf = asking(() => new Promise(() => {}), { timeoutMs: 30 });
    for (const source of [{ ...http, timeoutMs: 30 }, deaf]) {
      expect(await run(source)).toMatchObject({
        state: "failed",
        error: "timeout",
        detail: "no answer in time",
      });
    }
  });

  test("when the survey ends first, with its own detail", async () => {
    gateway.on("api.example.com", "/x", { fault: "hang" });
    const deaf = asking(() => new Promise(() => {}));
    const runs = [http, deaf].map((source) => run(source));
    while (gateway.calls.length === 0) await Bun.sleep(1);
    survey.abort();
    const ended = { state: "failed", error: "timeout", detail: "survey deadline" };
    for (const result of await Promise.all(runs)) expect(result).toMatchObject(ended);
    const late = asking(async () => expect.unreachable());
    expect(await run(late)).toMatchObject(ended);
  });

  test("and leaves no listener on the survey's signal", async () => {
    const { signal, open } = countListeners();
    gateway.on("api.example.com", "/x", { status: 500, json: {} });
    for (const source of [http, zone, asking(() => Promise.reject(new Error("x")))]) {
      await runSource(source, ADDRESS, ports(), signal);
    }
    expect(open()).toBe(0);
  });
});

describe("runSource() accounts", () => {
  test("reports to the breaker: five failures pause, a success resets them", async () => {
    const { chosen } = atOwnTime();
    gateway.on("api.example.com", "/x", (_, turn) => (turn === 3 ? { json: {} } : { status: 500, json: {} }));
    const states: string[] = [];
    for (let turn = 0; turn < 10; turn++) {
      const { state, skipped } = await run(http, chosen);
      states.push(skipped ?? state);
    }
    expect(states).toEqual([
      ...Array.from({ length: 3 }, () => "failed"),
      "answered",
      ...Array.from({ length: 5 }, () => "failed"),
      "paused",
    ]);
    expect(gateway.calls).toHaveLength(9);
  });

  test("reports answers that cannot be read to the breaker", async () => {
    const { chosen } = atOwnTime();
    const garbled = asking(async () => null, {
      read: () => {
        throw new TypeError("x is not a function");
      },
    });
    for (let turn = 0; turn < 5; turn++) await run(garbled, chosen);
    expect((await run(garbled, chosen)).skipped).toBe("paused");
  });

  test("does not count the end of the survey as a failure of the source", async () => {
    const breaker = createBreaker({ now: createClock().now });
    gateway.on("api.example.com", "/x", { fault: "hang" });
    const deaf = asking(() => new Promise(() => {}), { id: "deaf" });
    const running = [http, deaf].map((source) => run(source, { breaker }));
    while (gateway.calls.length === 0) await Bun.sleep(1);
    survey.abort();
    await Promise.all(running);
    expect(breaker.states()).toEqual([]);
  });

  test("uses one request of the budget for every request that was sent", async () => {
    const budget = createDailyBudget({ now: createClock().now, limits: () => 10 });
    gateway.on("api.example.com", "/x", (_, turn) => (turn === 0 ? { json: {} } : { status: 500, json: {} }));
    await run(http, { budget });
    await run(http, { budget });
    expect(await budget.remaining("example")).toBe(8);
  });

  test("releases a request that was never sent", async () => {
    const budget = createDailyBudget({ now: createClock().now, limits: () => 10 });
    const unable = asking(() => Promise.reject(new UpstreamError("unavailable", "key is not a DNS label")));
    await run(unable, { budget });
    expect(await budget.remaining("example")).toBe(10);
  });

  test("does not delay the survey when counting is slow, and releases a late reservation", async () => {
    let released = 0;
    const counted = Promise.withResolvers<{ release(): void }>();
    const budget = {
      ...createDailyBudget({ now: Date.now, limits: () => 10 }),
      reserve: () => counted.promise,
    };
    const late = asking(async () => expect.unreachable());
    const running = run(late, { budget });
    await Bun.sleep(0);
    survey.abort();
    expect(await running).toMatchObject({ state: "failed", error: "timeout", detail: "survey deadline" });
    counted.resolve({ release: () => (released += 1) });
    await Bun.sleep(0);
    expect(released).toBe(1);
  });

  test("releases a request that got no slot in time, and does not count a failure", async () => {
    const { narrow, upstream } = openNarrow();
    gateway.on("api.example.com", "/x", { fault: "hang" });
    const clock = createClock();
    const breaker = createBreaker({ now: clock.now });
    const budget = createDailyBudget({ now: clock.now, limits: () => 10 });
    const chosen = ports({ upstream, breaker, budget });
    const first = run({ ...http, id: "first" }, chosen);
    const second = run({ ...http, id: "second" }, chosen);
    while (gateway.calls.length === 0) await Bun.sleep(1);
    survey.abort(new DOMException("Survey deadline", "TimeoutError"));
    expect(await second).toMatchObject({ state: "failed", error: "timeout", detail: "survey deadline" });
    await first;
    expect(await budget.remaining("second")).toBe(10);
    expect(await budget.remaining("first")).toBe(9);
    expect(breaker.states().map(({ id }) => id)).toEqual(["first"]);
    narrow.close();
  });
});

describe("runSource() among others", () => {
  const ask = (path: string): Source["ask"] => {
    return (_, { upstream }, signal) =>
      upstream.http({ url: `https://api.example.com${path}`, as: "json" }, signal);
  };

  test("starts the time limit at the first slot", async () => {
    gateway.on("api.example.com", "/hang", { fault: "hang" });
    gateway.on("api.example.com", "/x", { json: {} });
    const { narrow, upstream } = openNarrow();
    const chosen = ports({ upstream });
    const silent = run(asking(ask("/hang"), { id: "silent", timeoutMs: 600 }), chosen);
    const short = run(asking(ask("/x"), { id: "short", timeoutMs: 500 }), chosen);
    expect(await silent).toMatchObject({ state: "failed", detail: "no answer in time" });
    expect(await short).toMatchObject({ state: "answered" });
    const again = run(asking(ask("/hang"), { id: "silent", timeoutMs: 50 }), chosen);
    const late = run(asking(ask("/hang"), { id: "late", timeoutMs: 50 }), chosen);
    expect(await again).toMatchObject({ state: "failed", detail: "no answer in time" });
    expect(await late).toMatchObject({ state: "failed", detail: "no answer in time" });
    expect(gateway.calls).toHaveLength(4);
    narrow.close();
  });

  test("continues a source that has started before others start, and asks a failing source last", async () => {
    gateway.on("api.example.com", /./, async () => {
      await Bun.sleep(5);
      return { json: {} };
    });
    dns.on("2.0.0.127.bl.example.com", "A", ["127.0.0.2"]);
    dns.on("1.0.0.127.bl.example.com", "A", "NXDOMAIN");
    const { narrow, upstream } = openNarrow();
    const breaker = createBreaker({ now: Date.now });
    breaker.failed("doubted", new UpstreamError("timeout", "no answer in time"));
    const chosen = ports({ upstream, breaker });
    const twice = asking(
      async (address, at, signal) => {
        await ask("/twice/1")(address, at, signal);
        return ask("/twice/2")(address, at, signal);
      },
      { id: "twice", sequential: true },
    );
    const once = (id: string) => asking(ask(`/${id}`), { id });
    const sources = [once("first"), zone, once("doubted"), once("other"), once("more"), twice];
    await Promise.all(sources.map((source) => run(source, chosen)));
    const paths = gateway.calls.map(({ path }) => path);
    // The next waiter gets the slot before the answer is read; the source that has started gets the slot after it.
    expect(paths).toEqual(["/first", "/twice/1", "/other", "/twice/2", "/more", "/doubted"]);
    expect(dns.calls).toHaveLength(3);
    narrow.close();
  });
});

describe("runSource() of a zone", () => {
  test("asks and then tests the first time, and only asks after that", async () => {
    const zones = createZoneHealth({ now: createClock().now });
    const chosen = ports({ zones });
    let askedMeanwhile = 0;
    dns.on(NAME, "A", async () => {
      const before = dns.calls.length;
      await Bun.sleep(5);
      askedMeanwhile += dns.calls.length - before;
      return ["127.0.0.2"];
    });
    const result = await run(zone, chosen);
    expect(result).toMatchObject({ state: "answered", zone: { id: "example_bl", label: "Example BL" } });
    expect(result.observation?.listings?.[0]).toMatchObject({ listed: true, codes: ["spam"] });
    expect(dns.calls).toHaveLength(3);
    expect(askedMeanwhile).toBe(0);
    await run(zone, chosen);
    expect(dns.calls).toHaveLength(4);
  });

  test("does not ask a zone that is retired or not known to work", async () => {
    for (const [name, reply, expected] of [
      ["1.0.0.127.bl.example.com", ["127.0.0.2"], { state: "skipped", skipped: "zone_retired" }],
      ["2.0.0.127.bl.example.com", "NXDOMAIN", { state: "failed", error: "unavailable" }],
    ] as const) {
      dns.on("1.0.0.127.bl.example.com", "A", "NXDOMAIN");
      dns.on(name, "A", reply);
      const clock = createClock();
      const budget = createDailyBudget({ now: clock.now, limits: () => 10 });
      const chosen = ports({ zones: createZoneHealth({ now: clock.now }), budget });
      dns.forget();
      expect(await run(zone, chosen)).toMatchObject(expected);
      expect(dns.calls).toHaveLength(3);
      expect(await run(zone, chosen)).toMatchObject(expected);
      expect(dns.calls).toHaveLength(3);
      expect(await budget.remaining("example_bl")).toBe(9);
    }
  });

  test("remembers a zone without an answer as unknown, and asks it once", async () => {
    dns.on(/\.bl\.example\.com$/, "A", "SILENCE");
    const clock = createClock();
    const chosen = ports({ zones: createZoneHealth({ now: clock.now }) });
    const silent = { ...zone, timeoutMs: 50 };
    const lost = { state: "failed", error: "timeout", detail: "no answer in time" } as const;
    const untested = {
      state: "failed",
      error: "unavailable",
      detail: "self-test failed: no answer in time",
    } as const;
    expect(await run(silent, chosen)).toMatchObject(lost);
    expect(await run(silent, chosen)).toMatchObject(untested);
    expect(dns.calls).toHaveLength(1);
    clock.advance(5_000);
    expect(await run(silent, chosen)).toMatchObject(lost);
    clock.advance(9_999);
    expect(await run(silent, chosen)).toMatchObject(untested);
  });
});
