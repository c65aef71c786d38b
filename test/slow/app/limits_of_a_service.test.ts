import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { locatePaths, type Server, startServer } from "#app";
import { readConfig } from "#config";
import { type Clock, createClock, createTemporaryFolder, startUpstreams, type TestUpstreams } from "#kit";
import { SOURCES, upstreamHosts } from "#sources";

/** The whole service in this process: real database, real limits, real sources on loopback, and a clock that is told. */
let upstreams: TestUpstreams;
let folder: string;
let clock: Clock;
let server: Server;
const logs: string[] = [];

async function start(env: Record<string, string> = {}): Promise<void> {
  const config = readConfig(
    {
      ...upstreams.env,
      LIMPID_PORT: "0",
      LIMPID_FEEDS: "0",
      LIMPID_DATA_DIR: folder,
      LIMPID_EXEMPT_CLIENTS: "",
      LIMPID_TRUSTED_PROXIES: "127.0.0.1",
      ...env,
    },
    { sources: SOURCES.map(({ id, secret }) => ({ id, keyed: secret !== undefined })), readSecret: () => "" },
  );
  server = await startServer(config, {
    paths: locatePaths(join(import.meta.dir, "../../../src")),
    version: "0.0.0",
    now: clock.now,
    log: (_level, event) => logs.push(event),
  });
}

beforeEach(async () => {
  upstreams = await startUpstreams();
  folder = createTemporaryFolder("limpid-app-");
  clock = createClock();
  logs.length = 0;
  await start();
});
afterEach(async () => {
  await server.stop();
  await upstreams.close();
});

interface Step {
  readonly ask: string;
  /** Behind the proxy on loopback; what stands before it in X-Forwarded-For is the client's own invention. */
  readonly from?: string;
  readonly claims?: string;
  readonly expect: {
    readonly status: number;
    readonly left: number;
    readonly source?: "fresh" | "cache" | "store";
    readonly code?: string;
    /** Whether anybody outside is asked. */
    readonly asks: boolean;
  };
}

async function play(steps: readonly Step[]): Promise<void> {
  for (const { ask, from = "203.0.113.9", claims, expect: wanted } of steps) {
    upstreams.forget();
    const forwarded = claims === undefined ? from : `${claims}, ${from}`;
    const response = await fetch(`${server.url}/api/lookup?lang=en&ip=${ask}`, {
      headers: { "x-forwarded-for": forwarded },
    });
    const body = (await response.json()) as { source?: string; code?: string };
    expect({
      status: response.status,
      left: Number(response.headers.get("x-open-budget-remaining")),
      ...(wanted.source === undefined ? {} : { source: body.source }),
      ...(wanted.code === undefined ? {} : { code: body.code }),
      asks: upstreams.queryCount() > 0,
    }).toEqual(wanted as never);
  }
}

const fresh = (ask: string, left: number): Step => ({
  ask,
  expect: { status: 200, left, source: "fresh", asks: true },
});

describe("the limits of a service", () => {
  test("is spent by surveys alone, and a restart changes nothing", async () => {
    await play([
      { ask: "nonsense", expect: { status: 400, left: 5, code: "invalid_ip", asks: false } },
      { ask: "192.168.0.1", expect: { status: 200, left: 5, asks: false } },
      fresh("8.8.4.77", 4),
      { ask: "8.8.4.77", expect: { status: 200, left: 4, source: "cache", asks: false } },
      { ask: "::ffff:8.8.4.77", expect: { status: 200, left: 4, source: "cache", asks: false } },
      {
        ask: "8.8.4.77&refresh=1",
        expect: { status: 403, left: 4, code: "verification_required", asks: false },
      },
      { ask: "8.8.4.77&refresh=2", expect: { status: 400, left: 4, code: "invalid_parameter", asks: false } },
    ]);
    await server.stop();
    await start();
    await play([
      { ask: "8.8.4.77", expect: { status: 200, left: 4, source: "store", asks: false } },
      {
        ask: "8.8.4.77",
        from: "203.0.113.10",
        expect: { status: 200, left: 5, source: "cache", asks: false },
      },
      fresh("8.8.4.78", 3),
      fresh("8.8.4.79", 2),
      fresh("8.8.4.80", 1),
      fresh("8.8.4.81", 0),
      { ask: "8.8.4.82", expect: { status: 403, left: 0, code: "verification_required", asks: false } },
      {
        ask: "8.8.4.82",
        claims: "198.51.100.1",
        expect: { status: 403, left: 0, code: "verification_required", asks: false },
      },
      { ask: "8.8.4.81", expect: { status: 200, left: 0, source: "cache", asks: false } },
      {
        ask: "8.8.4.82",
        from: "203.0.113.10",
        expect: { status: 200, left: 4, source: "fresh", asks: true },
      },
      { ask: "8.8.4.82", expect: { status: 200, left: 0, source: "cache", asks: false } },
    ]);
    clock.advance(12 * 3_600_000 - 1);
    await play([
      { ask: "8.8.4.83", expect: { status: 403, left: 0, code: "verification_required", asks: false } },
    ]);
    clock.advance(1);
    await play([fresh("8.8.4.83", 4)]);
  });

  test("one survey of many who ask at once is one's own cost", async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, host) =>
        fetch(`${server.url}/ip/8.8.4.90.json`, { headers: { "x-forwarded-for": `203.0.113.${host}` } }),
      ),
    );
    const left = answers.map((response) => response.headers.get("x-open-budget-remaining")).toSorted();
    expect(left).toEqual(["4", ...Array.from({ length: 19 }, () => "5")]);
    expect(upstreams.gateway.callsTo("proxycheck.io")).toHaveLength(1);
  });

  test("nobody pays for a survey that nobody live answered", async () => {
    for (const host of upstreamHosts(SOURCES)) upstreams.gateway.on(host, /./, { status: 500 });
    for (const type of ["A", "AAAA", "TXT", "PTR"] as const) upstreams.dns.on(/./, type, "SERVFAIL");
    await play([{ ask: "8.8.4.91", expect: { status: 200, left: 5, source: "fresh", asks: true } }]);
  });

  test("sixteen new addresses of sixteen clients are one too many for a minute", async () => {
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, host) =>
        fetch(`${server.url}/ip/8.8.5.${host}.json`, { headers: { "x-forwarded-for": `203.0.113.${host}` } }),
      ),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(1);
    expect(refused[0]?.status).toBe(429);
    expect(refused[0]?.headers.get("retry-after")).toBe("60");
    expect(refused[0]?.headers.get("x-open-budget-remaining")).toBe("5");
    expect(await refused[0]?.json()).toMatchObject({ code: "open_rate_limited" });
  });
});
