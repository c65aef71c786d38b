import { beforeEach, describe, expect, test } from "bun:test";
import { MIGRATIONS, type RunningService, type Sqld, setUp, startSqld } from "#kit";
import { openStore } from "#store";

let delayMs = 0;
const setup = setUp("each", { delayMs: () => delayMs });
let sqld: Sqld;
let asked = 0;

beforeEach(async () => {
  delayMs = 0;
  sqld = setup.keep(await startSqld());
});

/** One process of several: it has its own folder, and shares the database and the secret. */
async function start(env: Record<string, string> = {}): Promise<RunningService> {
  return setup.start({
    LIMPID_DATABASE_URL: sqld.url,
    LIMPID_SECRET: "a-secret-that-the-whole-fleet-has",
    LIMPID_TRUSTED_PROXIES: "127.0.0.1/32",
    ...env,
  });
}

async function startFleet(
  env: Record<string, string> = {},
): Promise<readonly [RunningService, RunningService]> {
  return await Promise.all([start(env), start(env)]);
}

/** An address that was never requested. */
function nextAddress(): string {
  asked += 1;
  return `8.9.${asked >> 8}.${asked & 255}`;
}

interface Answer {
  readonly status: number;
  readonly code: string | undefined;
  readonly source: string | undefined;
  readonly left: string | null;
  readonly retryAfter: string | null;
}

/** Sends a request through the proxy for a client; the client's own forged address is on the left of the header. */
async function lookUp(
  service: RunningService | undefined,
  client: string,
  ip = nextAddress(),
): Promise<Answer> {
  const response = await fetch(`${service?.url}/api/lookup?ip=${ip}&lang=en`, {
    headers: { "x-forwarded-for": `203.0.113.${asked & 255}, ${client}` },
  });
  const body = (await response.json()) as { code?: string; source?: string };
  return {
    status: response.status,
    code: body.code,
    source: body.source,
    left: response.headers.get("x-open-budget-remaining"),
    retryAfter: response.headers.get("retry-after"),
  };
}

function countBy(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, code } of answers) {
    const name = code === undefined ? String(status) : `${status} ${code}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

describe("two processes on one libSQL server", () => {
  /** What a fleet admits: settings, the clients of requests at once, how often each answer comes, and what comes next. */
  interface Fire {
    readonly name: string;
    readonly env?: Record<string, string>;
    readonly clients: readonly string[];
    readonly counts: Readonly<Record<string, number>>;
    readonly next?: Readonly<Record<string, number>>;
  }
  const clientsOf = (count: number, nameOf: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => nameOf(n));
  const each = (n: number) => `198.51.100.${n + 1}`;
  test.each<Fire>([
    {
      name: "a client its five a day, then ask both for the check",
      clients: clientsOf(20, () => "198.51.100.7"),
      counts: { "200": 5, "403 verification_required": 15 },
      next: { "198.51.100.7": 403, "198.51.100.8": 200 },
    },
    {
      name: "a /64 as one client, and neighbours apart",
      clients: clientsOf(10, (n) => `2001:db8:0:7::${n + 1}`),
      counts: { "200": 5, "403 verification_required": 5 },
      next: { "2001:db8:0:8::1": 200 },
    },
    {
      name: "fifteen a minute of forty clients, and tell the others when to come back",
      clients: clientsOf(40, each),
      counts: { "200": 15, "429 open_rate_limited": 25 },
    },
    {
      name: "the day's total of all clients",
      env: { LIMPID_OPEN_DAILY_TOTAL: "7" },
      clients: clientsOf(14, each),
      counts: { "200": 7, "403 verification_required": 7 },
    },
  ])("admit exactly under parallel fire: $name", async ({ env, clients, counts, next = {} }) => {
    const fleet = await startFleet(env);
    const answers = await Promise.all(clients.map((client, n) => lookUp(fleet[n % 2], client)));
    expect(countBy(answers)).toEqual(counts);
    for (const { left, retryAfter } of answers.filter(({ status }) => status === 429)) {
      expect(Number(retryAfter)).toBeWithin(46, 61);
      expect(left).toBe("5");
    }
    for (const service of fleet)
      for (const [client, status] of Object.entries(next)) {
        const answer = await lookUp(service, client);
        expect(answer).toMatchObject(status === 403 ? { status, left: "0" } : { status });
      }
  });

  test("serve what the other has saved from the store, at no cost and without a question upstream", async () => {
    const [first, second] = await startFleet();
    const ip = nextAddress();
    expect(await lookUp(first, "198.51.100.7", ip)).toMatchObject({
      status: 200,
      source: "fresh",
      left: "4",
    });
    const questions = setup.upstreams.queryCount();
    for (const client of ["198.51.100.7", "198.51.100.8"]) {
      const left = client === "198.51.100.7" ? "4" : "5";
      expect(await lookUp(second, client, ip)).toMatchObject({ status: 200, left });
    }
    expect(await lookUp(second, "198.51.100.9", ip)).toMatchObject({ source: "cache" });
    expect(setup.upstreams.queryCount()).toBe(questions);
    const third = await start();
    expect(await lookUp(third, "198.51.100.9", ip)).toMatchObject({ status: 200, source: "store" });
    expect(setup.upstreams.queryCount()).toBe(questions);
  });

  test("tell within the deadline that the server stands still", async () => {
    const [first] = await startFleet();
    sqld.pause();
    const startedAt = performance.now();
    const ready = await fetch(`${first.url}/readyz`);
    expect(performance.now() - startedAt).toBeLessThan(4000);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({ ready: false, checks: { database: { ok: false } } });
    sqld.resume();
  });

  test("say at the start that a secret of their own is no fleet's", async () => {
    const alone = await start({ LIMPID_SECRET: "" });
    expect(alone.log()).toContain("secret_not_shared");
    const shared = await start();
    expect(shared.log()).not.toContain("secret_not_shared");
  });

  // A server that gets all these writes at once stops forever.
  test("survey for dozens of visitors at once, and the server bears all they write", async () => {
    // Twice as many as two processes survey at once; half of them wait.
    const [visitors, addresses] = [48, 300];
    delayMs = 20;
    const fleet = await startFleet({
      LIMPID_NEW_PER_MINUTE: "100000",
      LIMPID_OPEN_PER_MINUTE: "100000",
      LIMPID_OPEN_DAILY_TOTAL: "100000",
      LIMPID_LOOKUPS_PER_MINUTE: "100000",
    });
    const outcomes: Record<string, number> = {};
    const addressOf = (n: number) => `8.20.${n >> 8}.${n & 255}`;
    let next = 0;
    async function visit(visitor: number): Promise<void> {
      while (next < addresses) {
        const n = next++;
        const { status, code, source } = await lookUp(
          fleet[visitor % 2],
          `198.51.${visitor}.${n & 255}`,
          addressOf(n),
        );
        const outcome = `${status} ${code ?? source}`;
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      }
    }
    await Promise.all(Array.from({ length: visitors }, (_, visitor) => visit(visitor)));
    expect(outcomes).toEqual({ "200 fresh": addresses });
    for (const service of fleet) expect(service.log()).not.toMatch(/store_un|no answer within/);
    const store = await openStore({ url: sqld.url, migrations: MIGRATIONS });
    for (let n = 0; n < addresses; n += 1) expect((await store.find(addressOf(n)))?.address).toBeDefined();
    await store.close();
  }, 60_000);
});
