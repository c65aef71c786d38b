import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import {
  type RunningService,
  type Sqld,
  startService,
  startSqld,
  startUpstreams,
  type TestUpstreams,
} from "#kit";
import { openStore } from "#store";

/** Twice as many as two processes survey at once; half of them wait. */
const VISITORS = 48;
const ADDRESSES = 300;

let upstreams: TestUpstreams;
let sqld: Sqld;
let services: readonly RunningService[];

beforeAll(async () => {
  upstreams = await startUpstreams({ delayMs: () => 20 });
  sqld = await startSqld();
  const env = {
    ...upstreams.env,
    LIMPID_DATABASE_URL: sqld.url,
    LIMPID_SECRET: "one-secret-of-the-whole-fleet",
    LIMPID_TRUSTED_PROXIES: "127.0.0.1/32",
    LIMPID_NEW_PER_MINUTE: "100000",
    LIMPID_OPEN_PER_MINUTE: "100000",
    LIMPID_OPEN_DAILY_TOTAL: "100000",
    LIMPID_LOOKUPS_PER_MINUTE: "100000",
  };
  services = await Promise.all([0, 1].map(() => startService({ env })));
});

afterAll(async () => {
  for (const service of services ?? []) await service.close();
  await sqld?.close();
  await upstreams?.close();
});

describe("two full processes on one libSQL server", () => {
  // A server that gets all these writes at once stops forever.
  test("survey for dozens of visitors at once, and the server bears all they write", async () => {
    const outcomes: Record<string, number> = {};
    let asked = 0;
    async function visit(visitor: number): Promise<void> {
      while (asked < ADDRESSES) {
        const n = asked;
        asked += 1;
        const url = `${services[visitor % 2]?.url}/api/lookup?ip=8.20.${n >> 8}.${n & 255}&lang=en`;
        const response = await fetch(url, { headers: { "x-forwarded-for": `198.51.${visitor}.${n & 255}` } });
        const { source, code } = (await response.json()) as { source?: string; code?: string };
        const outcome = `${response.status} ${code ?? source}`;
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      }
    }
    await Promise.all(Array.from({ length: VISITORS }, (_, visitor) => visit(visitor)));
    expect(outcomes).toEqual({ "200 fresh": ADDRESSES });
    for (const service of services) expect(service.log()).not.toMatch(/store_un|no answer within/);
    const store = await openStore({ url: sqld.url, migrations: join(import.meta.dir, "../../drizzle") });
    for (let n = 0; n < ADDRESSES; n += 1) {
      expect((await store.find(`8.20.${n >> 8}.${n & 255}`))?.address).toBeDefined();
    }
    await store.close();
  }, 60_000);
});
