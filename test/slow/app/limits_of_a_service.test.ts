import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { locatePaths, type Server, startServer } from "#app";
import { readConfig } from "#config";
import { type Clock, createClock, createTemporaryFolder, startUpstreams, type TestUpstreams } from "#kit";
import { SOURCES, upstreamHosts } from "#sources";
import STEPS from "../../fixtures/app/limits_of_a_service.json";

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
    readonly source?: string;
    readonly code?: string;
    /** Whether anybody outside is asked. */
    readonly asks: boolean;
  };
}

async function play(when: keyof typeof STEPS): Promise<void> {
  const steps: readonly Step[] = STEPS[when];
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

/** Many clients ask at once, each for the address of its number. */
function askAtOnce(clients: number, addressOf: (host: number) => string): Promise<Response[]> {
  return Promise.all(
    Array.from({ length: clients }, (_, host) =>
      fetch(`${server.url}/ip/${addressOf(host)}.json`, {
        headers: { "x-forwarded-for": `203.0.113.${host}` },
      }),
    ),
  );
}

describe("the limits of a service", () => {
  test("is spent by surveys alone, and a restart changes nothing", async () => {
    await play("on the first day");
    await server.stop();
    await start();
    await play("after a restart");
    clock.advance(12 * 3_600_000 - 1);
    await play("just before midnight");
    clock.advance(1);
    await play("after midnight");
  });

  test("one survey of many who ask at once is one's own cost", async () => {
    const answers = await askAtOnce(20, () => "8.8.4.90");
    const left = answers.map((response) => response.headers.get("x-open-budget-remaining")).toSorted();
    expect(left).toEqual(["4", ...Array.from({ length: 19 }, () => "5")]);
    expect(upstreams.gateway.callsTo("proxycheck.io")).toHaveLength(1);
  });

  test("nobody pays for a survey that nobody live answered", async () => {
    for (const host of upstreamHosts(SOURCES)) upstreams.gateway.on(host, /./, { status: 500 });
    for (const type of ["A", "AAAA", "TXT", "PTR"] as const) upstreams.dns.on(/./, type, "SERVFAIL");
    await play("while nobody live answers");
  });

  test("sixteen new addresses of sixteen clients are one too many for a minute", async () => {
    const answers = await askAtOnce(16, (host) => `8.8.5.${host}`);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(1);
    expect(refused[0]?.status).toBe(429);
    expect(refused[0]?.headers.get("retry-after")).toBe("60");
    expect(refused[0]?.headers.get("x-open-budget-remaining")).toBe("5");
    expect(await refused[0]?.json()).toMatchObject({ code: "open_rate_limited" });
  });
});
