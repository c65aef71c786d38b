import { beforeEach, describe, expect, test } from "bun:test";
import { MIGRATIONS, type RunningService, readUsed, type Sqld, setUp, startSqld } from "#kit";
import { openStore, type Store } from "#store";

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

/** Sends requests of new clients until two in a row are counted in the database. */
async function countsTogether(service: RunningService, store: Store): Promise<boolean> {
  const total = () => readUsed(store, Date.now());
  let inARow = 0;
  for (let turn = 0; turn < 80 && inARow < 2; turn += 1) {
    const before = await total();
    await lookUp(service, `192.0.2.${(asked & 127) + 1}`);
    inARow = (await total()) > before ? inARow + 1 : 0;
    if (inARow === 0) await Bun.sleep(50);
  }
  return inARow === 2;
}

describe("two processes on one libSQL server", () => {
  test("start at the same moment on an empty server", async () => {
    const fleet = await startFleet();
    for (const service of fleet) expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  });

  test("grant a client its five a day exactly under parallel fire, then ask both for the check", async () => {
    const fleet = await startFleet();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => lookUp(fleet[n % 2], "198.51.100.7")),
    );
    expect(countBy(answers)).toEqual({ "200": 5, "403 verification_required": 15 });
    for (const service of fleet) {
      expect(await lookUp(service, "198.51.100.7")).toMatchObject({ status: 403, left: "0" });
      expect(await lookUp(service, "198.51.100.8")).toMatchObject({ status: 200 });
    }
  });

  test("count a /64 as one client, and neighbours apart", async () => {
    const fleet = await startFleet();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => lookUp(fleet[n % 2], `2001:db8:0:7::${n + 1}`)),
    );
    expect(countBy(answers)).toEqual({ "200": 5, "403 verification_required": 5 });
    expect((await lookUp(fleet[0], "2001:db8:0:8::1")).status).toBe(200);
  });

  test("admit fifteen a minute of forty clients at once, and tell the others when to come back", async () => {
    const fleet = await startFleet();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => lookUp(fleet[n % 2], `198.51.100.${n + 1}`)),
    );
    expect(countBy(answers)).toEqual({ "200": 15, "429 open_rate_limited": 25 });
    for (const { status, retryAfter, left } of answers) {
      if (status !== 429) continue;
      expect(Number(retryAfter)).toBeGreaterThan(45);
      expect(Number(retryAfter)).toBeLessThanOrEqual(60);
      expect(left).toBe("5");
    }
  });

  test("stop at the day's total of all clients", async () => {
    const fleet = await startFleet({ LIMPID_OPEN_DAILY_TOTAL: "7" });
    const answers = await Promise.all(
      Array.from({ length: 14 }, (_, n) => lookUp(fleet[n % 2], `198.51.100.${n + 1}`)),
    );
    expect(countBy(answers)).toEqual({ "200": 7, "403 verification_required": 7 });
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

  test("count on where they were when one is killed between the 5th and the 6th", async () => {
    const [first, second] = await startFleet();
    for (let n = 0; n < 5; n += 1) expect((await lookUp(first, "198.51.100.7")).status).toBe(200);
    await first.stop("SIGKILL");
    const questions = setup.upstreams.queryCount();
    expect(await lookUp(second, "198.51.100.7")).toMatchObject({ status: 403, left: "0" });
    const third = await start();
    expect(await lookUp(third, "198.51.100.7")).toMatchObject({ status: 403, code: "verification_required" });
    expect(setup.upstreams.queryCount()).toBe(questions);
  });

  test("answer while the server is away, and count together again when it is back", async () => {
    const fleet = await startFleet({ LIMPID_OPEN_PER_MINUTE: "1000" });
    for (const service of fleet) expect((await lookUp(service, "198.51.100.7")).status).toBe(200);
    await sqld.kill();
    for (const service of fleet) {
      expect((await lookUp(service, "198.51.100.8")).status).toBe(200);
      expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
      expect((await fetch(`${service.url}/readyz`)).status).toBe(503);
    }
    await sqld.restart();
    const store = await openStore({ url: sqld.url, migrations: MIGRATIONS });
    for (const service of fleet) expect(await countsTogether(service, store)).toBe(true);
    await store.close();
    for (const service of fleet) expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => lookUp(fleet[n % 2], "198.51.100.9")),
    );
    expect(countBy(answers)).toEqual({ "200": 5, "403 verification_required": 5 });
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
