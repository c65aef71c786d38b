import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mergeEvidence, type Observation, type SourceRun } from "#evidence";
import { createClock, type DnsServer, openUpstreamClient, readAddress, startDnsServer } from "#kit";
import { type SurveyEvent, type SurveyOptions, surveyAddress } from "#lookup";
import type { Source } from "#sources";
import { createDailyBudget, type UpstreamClient } from "#upstream";
import { openTables } from "../sources/open_tables.ts";
import { createPorts, OPEN_SETTINGS } from "../sources/replay.ts";

const ADDRESS = readAddress("81.2.69.10");
const TOR: Observation = { flags: { isTor: true }, authority: ["isTor"] };
const QUIET: Observation = { flags: { isVpn: false } };

let dns: DnsServer;
let upstreamClient: UpstreamClient;
const tables = openTables({});

beforeAll(async () => {
  dns = await startDnsServer();
  dns.on("alive.example.com", "A", ["127.0.0.2"]);
  upstreamClient = openUpstreamClient({ dnsServers: [dns.address] });
  await upstreamClient
    .openSession(new AbortController().signal)
    .a("alive.example.com", new AbortController().signal);
});
afterAll(async () => {
  tables.close();
  upstreamClient.close();
  await dns.close();
});

/** Sources that record when they are queried, with a budget of ten queries each. */
function arrange() {
  const asked: string[] = [];
  const clock = createClock();
  const budget = createDailyBudget({ now: clock.now, limits: () => 10 });
  const source = (id: string, said: Observation | (() => Promise<Observation>), rest: Partial<Source> = {}) =>
    ({
      id,
      name: id,
      kind: "free",
      family: id,
      matters: ["anonymity"],
      weight: 1,
      versions: [4, 6],
      timeoutMs: 5000,
      hosts: ["api.example.com"],
      ask: async (_, { upstream }) => {
        // Without a request, the runner refunds the query, so this source sends one.
        void upstream
          .http({ url: "https://nowhere.example/", as: "json" }, AbortSignal.abort())
          .catch(() => undefined);
        asked.push(id);
        const observation = typeof said === "function" ? await said() : said;
        asked.push(`${id} ended`);
        return observation;
      },
      read: (answer) => answer as Observation,
      ...rest,
    }) satisfies Source;
  const survey = async (sources: readonly Source[], rest: Partial<SurveyOptions> = {}) => {
    const { upstream: _, ...ports } = createPorts({
      upstream: upstreamClient.openSession(new AbortController().signal),
      datasets: tables.datasets,
      now: clock.now,
    });
    const done = await surveyAddress(ADDRESS, {
      sources,
      openSession: (signal) => upstreamClient.openSession(signal),
      ports: { ...ports, budget },
      deadlineMs: 5000,
      ...rest,
    });
    return { ...done, of: (id: string) => done.runs.find((run) => run.id === id) ?? expect.unreachable() };
  };
  return { asked, budget, source, survey };
}

const SCARCE = { scarce: true } as const;

describe("surveyAddress()", () => {
  test("skips a scarce source when the others settle the address, without less confidence", async () => {
    const { asked, budget, source, survey } = arrange();
    const done = await survey([source("scarce", QUIET, SCARCE), source("free", TOR)]);
    expect(done.of("scarce")).toMatchObject({ state: "skipped", skipped: "settled", ms: 0 });
    expect(asked).toEqual(["free", "free ended"]);
    expect(await budget.remaining("scarce")).toBe(10);
    const { coverage } = mergeEvidence(done);
    expect(coverage).toMatchObject({ expectedWeight: 1, answeredWeight: 1, unanswered: [] });
  });

  test("queries a scarce source when the address is not settled, after all others have ended", async () => {
    const { asked, budget, source, survey } = arrange();
    const slow = () => Bun.sleep(30).then(() => QUIET);
    const done = await survey([source("scarce", TOR, SCARCE), source("slow", slow), source("free", QUIET)]);
    expect(asked).toEqual(["slow", "free", "free ended", "slow ended", "scarce", "scarce ended"]);
    expect(done.runs.map((run) => [run.id, run.state])).toEqual([
      ["scarce", "answered"],
      ["slow", "answered"],
      ["free", "answered"],
    ]);
    expect(await budget.remaining("scarce")).toBe(9);
  });

  test("queries all sources at once with `askAll`, settled or not", async () => {
    const { asked, source, survey } = arrange();
    const slow = () => Bun.sleep(30).then(() => TOR);
    const done = await survey([source("slow", slow), source("scarce", QUIET, SCARCE)], { askAll: true });
    expect(done.of("scarce").state).toBe("answered");
    expect(asked).toEqual(["slow", "scarce", "scarce ended", "slow ended"]);
  });

  test("waits for a slow source only for its share of the deadline, and counts it as failed", async () => {
    const { asked, source, survey } = arrange();
    const never = () => new Promise<Observation>(() => {});
    const ordinary: Observation = { usage: "residential", flags: { isVpn: false } };
    const free = [source("a", ordinary), source("b", ordinary), source("never", never)];
    const done = await survey([...free, source("scarce", QUIET, SCARCE)], { deadlineMs: 1000 });
    expect(asked).toContain("scarce ended");
    expect(done.of("scarce").state).toBe("answered");
    expect(done.of("never")).toMatchObject({ state: "failed", error: "timeout" });
    const settled = await survey([...free.slice(0, 2), source("scarce", QUIET, SCARCE)]);
    expect(settled.of("scarce").skipped).toBe("settled");
  });

  test("settles an address when a slow source could not change the result", async () => {
    const { asked, source, survey } = arrange();
    const never = () => new Promise<Observation>(() => {});
    const sources = [source("free", TOR), source("never", never), source("scarce", QUIET, SCARCE)];
    expect((await survey(sources, { deadlineMs: 150 })).of("scarce").skipped).toBe("settled");
    expect(asked).not.toContain("scarce");
  });

  test("reports the operator's skip reasons before `settled`", async () => {
    const { source, survey } = arrange();
    const done = await survey([
      source("free", TOR),
      source("scarce", QUIET, { ...SCARCE, secret: "required" }),
    ]);
    expect(done.of("scarce").skipped).toBe("no_key");
  });

  test("reports all sources to a watcher, and then the end of each", async () => {
    const { source, survey } = arrange();
    const slow = () => Bun.sleep(30).then(() => TOR);
    const lost = () => Promise.reject(new Error("no such thing"));
    const seen: SurveyEvent[] = [];
    const done = await survey(
      [source("slow", slow), source("free", QUIET), source("lost", lost), source("scarce", QUIET, SCARCE)],
      { watch: (event) => seen.push(event) },
    );
    const sources = ["slow", "free", "lost", "scarce"].map((id) => ({ id, name: id }));
    expect(seen[0]).toEqual({ kind: "started", sources });
    expect(seen.slice(1).map((event) => (event.kind === "source" ? [event.id, event.state] : event))).toEqual(
      [
        ["free", "answered"],
        ["lost", "failed"],
        ["slow", "answered"],
        ["scarce", "skipped"],
      ],
    );
    for (const event of seen.slice(1)) {
      if (event.kind === "source") expect(event.ms).toBe(done.of(event.id).ms);
    }
  });

  test("does not wait for a scarce source that may not be queried", async () => {
    const { source, survey } = arrange();
    const { upstream: _, ...ports } = createPorts({
      upstream: upstreamClient.openSession(new AbortController().signal),
      datasets: tables.datasets,
      settings: { ...OPEN_SETTINGS, live: false },
    });
    const done = await survey([source("scarce", QUIET, SCARCE), source("table", TOR, { local: true })], {
      ports,
    });
    expect(done.runs.map((run: SourceRun) => run.skipped)).toEqual(["live_off", undefined]);
  });
});
