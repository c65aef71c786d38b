import { beforeEach, describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import * as v from "valibot";
import { MIGRATIONS, type RunningService, runLimpid, type Sqld, setUp, startSqld } from "#kit";
import { ReportSchema } from "#report";
import { openStore, type Store } from "#store";
import SHAPES from "../fixtures/mirror_paths.json";
import { makeReport } from "../store/make_report.ts";

const PERIOD_SECONDS = 1;
const KILLS = Bun.env.PROOF === "full" ? 20 : 10;
/** Two periods, and extra time for a busy machine. */
const SOON_MS = 15_000;
const PRIMARY_URL = "https://limpid.example";

const setup = setUp("each");
let sqld: Sqld;
let folder: string;
let mirrors: RunningService[];

beforeEach(async () => {
  folder = setup.makeFolder();
  mirrors = [];
  sqld = setup.keep(await startSqld());
});

/** The full service on the server. */
function startPrimary(env: Record<string, string> = {}): Promise<RunningService> {
  return setup.start({ LIMPID_DATABASE_URL: sqld.url, ...env });
}

async function startMirror(env: Record<string, string> = {}): Promise<RunningService> {
  const mirror = await setup.start(
    {
      LIMPID_MIRROR_OF: sqld.url,
      LIMPID_SYNC_SECONDS: String(PERIOD_SECONDS),
      LIMPID_PRIMARY_URL: PRIMARY_URL,
      LIMPID_EXEMPT_CLIENTS: "127.0.0.0/8",
      ...env,
    },
    { dataDirectory: folder },
  );
  mirrors.push(mirror);
  return mirror;
}

/** Writes what a service writes, without the service. */
async function openPrimary(): Promise<Store> {
  return setup.keep(await openStore({ url: sqld.url, migrations: MIGRATIONS }));
}

function addressOf(n: number): string {
  return `8.9.${n >> 8}.${n & 255}`;
}

async function save(store: Store, from: number, to: number): Promise<void> {
  for (let n = from; n < to; n += 1) {
    await store.save(
      makeReport(addressOf(n), 1_790_000_000_000 + n),
      JSON.stringify({ n, x: randomBytes(6000).toString("base64") }),
    );
  }
}

async function until(isSo: () => Promise<boolean>, what: string, withinMs = SOON_MS): Promise<void> {
  const end = performance.now() + withinMs;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`not in time: ${what}: ${mirrors.at(-1)?.log()}`);
    await Bun.sleep(20);
  }
}

async function statusOf(service: RunningService, path: string): Promise<number> {
  const response = await fetch(service.url + path);
  await response.arrayBuffer();
  return response.status;
}

const holds = async (service: RunningService, n: number) =>
  (await statusOf(service, `/api/lookup?ip=${addressOf(n)}`)) === 200;

interface Readiness {
  readonly ready: boolean;
  readonly checks: {
    readonly replica: { readonly ok: boolean; readonly lagSeconds?: number; readonly frame?: number };
  };
}

async function readinessOf(service: RunningService): Promise<Readiness> {
  return (await (await fetch(`${service.url}/readyz`)).json()) as Readiness;
}

const isCurrent = async (service: RunningService) => (await readinessOf(service)).checks.replica.ok;

/** Requests known addresses without a pause, two at a time, until it is stopped. */
function startLoad(service: RunningService, known: number) {
  const times: number[] = [];
  const wrong: string[] = [];
  let isStopped = false;
  async function ask(seed: number): Promise<void> {
    for (let n = seed; !isStopped; n += 7) {
      const ip = addressOf(n % known);
      const start = performance.now();
      try {
        const response = await fetch(`${service.url}/api/lookup?ip=${ip}&lang=en`);
        const body = (await response.json()) as { ip?: string };
        times.push(performance.now() - start);
        if (response.status !== 200 || body.ip !== ip)
          wrong.push(`${ip} ${response.status} ${JSON.stringify(body)}`);
      } catch (error) {
        wrong.push(`${ip} ${String(error)}`);
      }
      // A pause, so that the load measures the mirror and not itself.
      await Bun.sleep(1);
    }
  }
  const asking = [ask(0), ask(3)];
  return {
    async stop() {
      isStopped = true;
      await Promise.all(asking);
      const sorted = times.toSorted((a, b) => a - b);
      const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
      return { count: times.length, wrong, p50: at(0.5), p99: at(0.99), worst: at(1) };
    },
  };
}

async function measure(service: RunningService, known: number, work: () => Promise<unknown>) {
  const load = startLoad(service, known);
  await work();
  return load.stop();
}

describe("a mirror", () => {
  test("serves in all shapes what the primary serves, asks nobody and writes nothing", async () => {
    const first = await startPrimary();
    const known = ["8.8.4.4", "2001:4860:4860::8888"];
    for (const ip of known) expect(await statusOf(first, `/api/lookup?ip=${ip}`)).toBe(200);
    const asked = setup.upstreams.queryCount();
    // A mirror that also has the reports of the database.
    const primary = await startPrimary({ LIMPID_CACHE_ENTRIES: "1", LIMPID_EXEMPT_CLIENTS: "127.0.0.0/8" });
    const mirror = await startMirror();
    for (const ip of known)
      await until(async () => (await statusOf(mirror, `/api/lookup?ip=${ip}`)) === 200, ip);

    // A mirror has no tables, so its page shows no neighbours.
    const settle = (text: string, service: RunningService) =>
      text
        .replaceAll(service.url, "ORIGIN")
        .replace(/<section[^>]*class="[^"]*neighbours[\s\S]*?<\/section>\n/, "");
    for (const ip of known) {
      for (const shape of SHAPES) {
        const path = shape.replace("IP", ip);
        // No longer in memory, so that the answer comes from the database.
        for (const other of known) if (other !== ip) await statusOf(primary, `/ip/${other}.json`);
        const [ours, theirs] = await Promise.all([fetch(mirror.url + path), fetch(primary.url + path)]);
        expect([path, ours.status, ours.headers.get("content-type")]).toEqual([
          path,
          theirs.status,
          theirs.headers.get("content-type"),
        ]);
        expect(settle(await ours.text(), mirror)).toBe(settle(await theirs.text(), primary));
        const head = await fetch(mirror.url + path, { method: "HEAD" });
        expect([path, head.status]).toEqual([path, theirs.status]);
        const etag = ours.headers.get("etag");
        if (etag === null) continue;
        expect((await fetch(mirror.url + path, { headers: { "if-none-match": etag } })).status).toBe(304);
      }
    }
    const report = v.parse(ReportSchema, await (await fetch(`${mirror.url}/api/lookup?ip=8.8.4.4`)).json());
    expect(report.source).toBe("store");
    expect(report.reportUrl).toStartWith(mirror.url);

    const bogon = await (await fetch(`${mirror.url}/api/lookup?ip=192.0.2.1`)).json();
    expect(bogon).toMatchObject({ flags: { isBogon: true }, risk: { purity: 50 } });
    expect(setup.upstreams.queryCount()).toBe(asked);
    const { ready, checks } = await readinessOf(mirror);
    expect(ready).toBe(true);
    expect(checks.replica).toEqual({ ok: true, lagSeconds: expect.any(Number), frame: expect.any(Number) });
  });

  test("leads to the primary with everything else", async () => {
    await save(await openPrimary(), 1, 2);
    const mirror = await startMirror();
    await until(() => holds(mirror, 1), "the report");
    const json = { "content-type": "application/json", "sec-fetch-site": "same-origin" };
    const post = (body: object) => ({ method: "POST", headers: json, body: JSON.stringify(body) });
    const wanted: [string, RequestInit, string][] = [
      ["/api/lookup?ip=8.8.8.8", {}, "/ip/8.8.8.8"],
      ["/api/lookup?ip=8.8.8.8&lang=en", {}, "/en/ip/8.8.8.8"],
      ["/en/ip/8.8.8.8.json", {}, "/en/ip/8.8.8.8"],
      ["/api/lookup?ip=2001:4860:4860::8888&lang=en", {}, "/en/ip/2001:4860:4860::8888"],
      [`/api/lookup?ip=${addressOf(1)}&refresh=1&lang=en`, {}, `/en/ip/${addressOf(1)}`],
      ["/api/progress?ip=8.8.8.8&lang=en", {}, "/en/ip/8.8.8.8"],
      ["/api/challenge?ip=8.8.8.8&action=lookup&lang=en", {}, "/en"],
      ["/api/verify?lang=en", post({ ip: "8.8.8.8", action: "lookup", payload: "x" }), "/en"],
      ["/api/feedback", post({ scenario: "ai", rating: 5 }), "/"],
    ];
    for (const [path, init, place] of wanted) {
      const response = await fetch(mirror.url + path, init);
      expect([path, response.status]).toEqual([path, 404]);
      expect(await response.json()).toEqual({
        error: expect.any(String),
        code: "not_in_mirror",
        hint: expect.stringContaining("reportUrl"),
        reportUrl: PRIMARY_URL + place,
      });
      expect(response.headers.get("cache-control")).toBe("no-store");
    }
    const page = await (await fetch(`${mirror.url}/en/ip/8.8.8.8`)).text();
    expect(page).toContain(`href="${PRIMARY_URL}/en/ip/8.8.8.8"`);
    expect(await (await fetch(`${mirror.url}/en/ip/8.8.8.8.txt`)).text()).toContain(
      `${PRIMARY_URL}/en/ip/8.8.8.8`,
    );
    expect(await statusOf(mirror, "/api/lookup?ip=nonsense")).toBe(400);
    expect(setup.upstreams.queryCount()).toBe(0);
  });

  test("starts while there is no primary, and does not say that an address is missing", async () => {
    await sqld.kill();
    const mirror = await startMirror({ LIMPID_PRIMARY_URL: "" });
    const response = await fetch(`${mirror.url}/api/lookup?ip=8.8.8.8&lang=en`);
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("5");
    expect(await response.json()).toMatchObject({ code: "overloaded" });
    const history = await fetch(`${mirror.url}/api/history?ip=8.8.8.8&lang=en`);
    expect([history.status, history.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(await history.json()).toMatchObject({ code: "overloaded" });
    expect(mirror.log()).not.toContain("history_unreadable");
    expect(await statusOf(mirror, "/readyz")).toBe(503);
    expect(await readinessOf(mirror)).toEqual({ ready: false, checks: { replica: { ok: false } } });
    expect(await statusOf(mirror, "/healthz")).toBe(200);
    await sqld.restart();
    await save(await openPrimary(), 1, 3);
    await until(() => holds(mirror, 2), "the reports");
    expect(await statusOf(mirror, "/readyz")).toBe(200);
    expect(await statusOf(mirror, "/api/history?ip=8.8.8.8")).toBe(200);
  });

  test("is only served: other commands refuse", async () => {
    const { code, err } = await runLimpid(["lookup", "8.8.8.8"], {
      ...setup.upstreams.env,
      LIMPID_DATA_DIR: folder,
      LIMPID_MIRROR_OF: sqld.url,
    });
    expect(code).toBe(78);
    expect(err).toContain("LIMPID_MIRROR_OF");
  });
});

/** What happens to the primary, and how it recovers. */
const FAULTS: Record<string, { begin: () => Promise<void>; end: () => Promise<void> }> = {
  stopped: { begin: async () => sqld.pause(), end: async () => sqld.resume() },
  "killed and restarted": { begin: () => sqld.kill(), end: () => sqld.restart() },
  "stopped, then killed and restarted": {
    async begin() {
      sqld.pause();
      await Bun.sleep(1500);
      await sqld.kill();
    },
    end: () => sqld.restart(),
  },
};

describe("a mirror under load", () => {
  test.each(Object.keys(FAULTS))("answers as ever while the primary is %s, and catches up", async (kind) => {
    const known = 300;
    const store = await openPrimary();
    await save(store, 0, known);
    const mirror = await startMirror();
    await until(() => holds(mirror, known - 1), "the reports");
    await measure(mirror, known, () => Bun.sleep(500));
    const idle = await measure(mirror, known, () => Bun.sleep(1500));

    const broken = await measure(mirror, known, async () => {
      await FAULTS[kind]?.begin();
      await until(async () => !(await isCurrent(mirror)), "being behind");
      await Bun.sleep(1000);
      await FAULTS[kind]?.end();
    });
    await save(store, known, known + 20);
    const start = performance.now();
    await until(() => holds(mirror, known + 19), "the later reports");
    const caughtUpMs = performance.now() - start;
    await until(() => isCurrent(mirror), "being current");
    if (Bun.env.SHOW === "1") console.log(kind, { idle, broken, caughtUpMs });
    expect(idle.wrong).toEqual([]);
    expect(broken.wrong).toEqual([]);
    expect(broken.count).toBeGreaterThan(300);
    expect(broken.p99).toBeLessThan(idle.p99 + 25);
    expect(broken.worst).toBeLessThan(1000);
  });

  test("starts and serves after every kill -9, in the middle of catching up", async () => {
    const known = 200;
    const store = await openPrimary();
    await save(store, 0, known);
    let mirror = await startMirror();
    await until(() => holds(mirror, known - 1), "the reports");
    let written = known;
    let isStopped = false;
    const writing = (async () => {
      while (!isStopped) {
        await save(store, written, written + 1);
        written += 1;
      }
    })();
    for (let round = 0; round < KILLS; round += 1) {
      const load = startLoad(mirror, known);
      // At a random moment of the second between two syncs.
      await Bun.sleep(100 + ((round * 97) % 1000));
      const { wrong } = await load.stop();
      expect([round, wrong]).toEqual([round, []]);
      await mirror.stop("SIGKILL");
      mirror = await startMirror();
      expect([round, await holds(mirror, round), await holds(mirror, known - 1)]).toEqual([
        round,
        true,
        true,
      ]);
    }
    isStopped = true;
    await writing;
    await until(() => holds(mirror, written - 1), "the last report");
    for (let n = 0; n < written; n += 1) expect([n, await holds(mirror, n)]).toEqual([n, true]);
    expect(mirror.log()).not.toContain("replica_damaged");
  });

  test("keeps its memory while the primary comes and goes", async () => {
    const known = 100;
    await save(await openPrimary(), 0, known);
    const mirror = await startMirror();
    await until(() => holds(mirror, known - 1), "the reports");
    const residentMb = () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${mirror.process.pid}/status`, "utf8"))?.[1]) / 1024;
    await measure(mirror, known, () => Bun.sleep(2000));
    const before = residentMb();
    for (let round = 0; round < 4; round += 1) {
      const { wrong } = await measure(mirror, known, async () => {
        await sqld.kill();
        await Bun.sleep(1500);
        await sqld.restart();
        await until(() => isCurrent(mirror), "being current");
      });
      expect(wrong).toEqual([]);
    }
    if (Bun.env.SHOW === "1") console.log({ before, after: residentMb() });
    expect(residentMb()).toBeLessThan(before + 60);
  });
});
