import { Database } from "bun:sqlite";
import { beforeAll, describe, expect, test } from "bun:test";
import { type RunningService, setUp, setUpService } from "#kit";
import { SOURCES } from "#sources";
import { readSnapshotContents } from "../../../src/feeds/snapshot/prepare_snapshot.ts";
import EXACT from "../../fixtures/metrics/of_a_service.json";
import { type ParsedMetric, parseExposition, readValue } from "../../metrics/parse_exposition.ts";

/** A metric, the labels of one of its samples, and its value. */
type Exact = readonly [name: string, labels: Readonly<Record<string, string>>, value: number];

const TOKEN = "metrics-token-metrics-token";
const KEYS = {
  LIMPID_PROXYCHECK_KEY: "proxycheck-key-7c1",
  LIMPID_ABUSEIPDB_KEY: "abuseipdb-key-9d2",
  LIMPID_IPQUALITYSCORE_KEY: "ipqualityscore-key-4/+&",
  LIMPID_SECRET: "the secret of the site".replaceAll(" ", "-"),
};
const VISITORS = ["198.51.100.21", "2001:db8:77::5", "203.0.113.200"];
const ASKED = ["8.20.0.1", "8.20.0.2", "8.20.0.3", "2600:1:2:3::4"];
const COOKIE = "limpid_pass=stolen-cookie-value.signature";

const setup = setUp("all");
const service = setUpService(
  {
    ...KEYS,
    LIMPID_EXEMPT_CLIENTS: "",
    LIMPID_TRUSTED_PROXIES: "127.0.0.1",
    LIMPID_METRICS_TOKEN: TOKEN,
    LIMPID_OPEN_PER_DAY: "2",
    LIMPID_SURVEY_MS: "1500",
    LIMPID_LOG: "debug",
  },
  setup,
);
let metrics: ReadonlyMap<string, ParsedMetric>;
let text: string;

async function ask(path: string, init: RequestInit & { readonly visitor?: string } = {}): Promise<Response> {
  const { visitor = VISITORS[0] ?? "", headers, ...rest } = init;
  const response = await fetch(`${service.url}${path}`, {
    ...rest,
    headers: { "x-forwarded-for": visitor, cookie: COOKIE, ...Object.fromEntries(new Headers(headers)) },
  });
  await response.clone().arrayBuffer();
  return response;
}

async function scrape(): Promise<string> {
  const response = await fetch(`${service.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
  expect(response.status).toBe(200);
  return response.text();
}

/** The lines of the log of a process, each a JSON object. */
const readLog = (running: RunningService) =>
  running
    .log()
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

beforeAll(async () => {
  const { gateway, dns } = setup.upstreams;
  gateway.on("proxycheck.io", /./, { status: 500, text: "no" });
  gateway.on("api.stopforumspam.org", /./, { status: 429, text: "later" });
  gateway.on("stat.ripe.net", /./, { json: { nonsense: true } });
  gateway.on("iplocate.io", /./, { json: {}, delayMs: 5000 });
  dns.on(/(^|\.)drone\.abuse\.ch$|\.cbl\.abuseat\.org$|\.bl\.spamcop\.net$/, "A", "SERVFAIL");
  for (const ip of ["8.20.0.1", "8.20.0.2"]) expect((await ask(`/api/lookup?ip=${ip}`)).status).toBe(200);
  expect((await ask("/api/lookup?ip=8.20.0.3")).status).toBe(403);
  expect((await ask("/en/ip/8.20.0.1.txt")).status).toBe(200);
  expect((await ask("/ip/8.20.0.1", { headers: { accept: "text/html" } })).status).toBe(200);
  expect((await ask("/api/lookup?ip=2600:1:2:3::4&refresh=1")).status).toBe(403);
  expect((await ask("/api/lookup?ip=8.20.0.1%0a%7b%22level%22:%22error%22%7d")).status).toBe(400);
  const origin = { origin: service.url, "content-type": "application/json" };
  const solution = JSON.stringify({ ip: "8.20.0.3", action: "lookup", payload: "bm90aGluZw==" });
  expect((await ask("/api/verify", { method: "POST", headers: origin, body: solution })).status).toBe(403);
  expect(
    (await ask("/8.20.0.3/%E2%80%A8%1b[31m?key=abuseipdb-key-9d2", { visitor: VISITORS[1] ?? "" })).status,
  ).toBe(404);
  const hostile = {
    "user-agent": `"}\\u000a{"a":"${VISITORS[2]}`,
    "x-request-id": "mine",
    forwarded: "for=8.20.0.9",
  };
  expect((await ask("/healthz", { visitor: `${VISITORS[2]}, evil"}{`, headers: hostile })).status).toBe(200);
  text = await scrape();
  metrics = parseExposition(text);
}, 60_000);

describe("the metrics of a process with faulty upstreams", () => {
  const value = (name: string, labels?: Record<string, string>) => readValue(metrics, name, labels);

  test.each(Object.entries(EXACT as object as Readonly<Record<string, readonly Exact[]>>))(
    "%s",
    (_, rows) => {
      for (const [name, labels, wanted] of rows)
        expect(value(name, labels), `${name} ${JSON.stringify(labels)}`).toBe(wanted);
    },
  );

  test("count one outcome of every source in every survey", () => {
    for (const { id } of SOURCES) {
      const runs = metrics
        .get("limpid_source_runs_total")
        ?.samples.filter(({ labels }) => labels.source === id);
      expect(
        runs?.reduce((sum, one) => sum + one.value, 0),
        id,
      ).toBe(2);
    }
    const http = (outcome: string) =>
      value("limpid_upstream_questions_total", { transport: "http", outcome });
    expect(http("status")).toBeGreaterThanOrEqual(2);
    expect(http("answered")).toBeGreaterThan(5);
  });

  test("show what is left of the day, the zones, the tables and the lists", () => {
    expect(value("limpid_source_budget_limit", { source: "proxycheck" })).toBeGreaterThan(2);
    const zones = metrics.get("limpid_zone_state")?.samples ?? [];
    expect(
      zones.filter(({ labels, value: on }) => labels.state === "alive" && on === 1).length,
    ).toBeGreaterThan(10);
    expect(zones.length % 3).toBe(0);
    expect(zones.reduce((sum, one) => sum + one.value, 0)).toBe(zones.length / 3);
    expect(value("limpid_table_age_seconds", { table: "asn" })).toBeGreaterThan(0);
    const feeds = metrics.get("limpid_feed_ready")?.samples ?? [];
    expect(feeds.length).toBeGreaterThan(40);
    const shipped = value("limpid_feeds", { freshness: "snapshot" }) ?? 0;
    expect(shipped).toBe(readSnapshotContents().lists.length);
    expect(value("limpid_feeds", { freshness: "absent" })).toBe(feeds.length - shipped);
    expect(metrics.get("limpid_replica_lag_seconds")?.samples).toEqual([]);
  });

  test("show the process itself", async () => {
    expect(value("process_resident_memory_bytes")).toBeGreaterThan(20e6);
    expect(value("process_open_fds")).toBeGreaterThan(3);
    expect(value("process_cpu_seconds_total")).toBeGreaterThan(0);
    expect(Math.abs((value("process_start_time_seconds") ?? 0) - Date.now() / 1000)).toBeLessThan(120);
    expect(metrics.get("limpid_build_info")?.samples).toMatchObject([{ value: 1, labels: { role: "full" } }]);
    // The loop is looked at four times a second, and a young process may be scraped before the first look.
    const until = Date.now() + 5000;
    let looks = 0;
    while (looks === 0 && Date.now() < until) {
      looks = readValue(parseExposition(await scrape()), "limpid_event_loop_delay_seconds_count") ?? 0;
    }
    expect(looks).toBeGreaterThan(0);
  });

  test("have no label but from closed sets, and name nobody", () => {
    const ids = new Set(SOURCES.map(({ id }) => id));
    for (const [name, { help, samples }] of metrics) {
      expect(help, name).toMatch(/\w/);
      for (const { labels } of samples) {
        for (const [label, said] of Object.entries(labels)) {
          if (label === "source") expect(ids).toContain(said);
          if (label === "le" || label === "version") continue;
          expect(said, `${name} ${label}`).toMatch(/^(?:[a-z0-9_.-]*|(?:\/[a-z:._{}]*)+)$/);
        }
      }
    }
    for (const word of [...VISITORS, ...ASKED, ...Object.values(KEYS), TOKEN, "stolen"])
      expect(text).not.toContain(word);
  });

  test("are refused without the token, on this machine too", async () => {
    expect((await fetch(`${service.url}/metrics`)).status).toBe(401);
    const wrong = { authorization: `Bearer ${TOKEN}x` };
    expect((await fetch(`${service.url}/metrics`, { headers: wrong })).status).toBe(401);
  });

  test("tell of a database that is lost, and its log does not flood", async () => {
    const database = new Database(`${service.dataDirectory}/limpid.db`);
    database.run("ALTER TABLE reports RENAME TO elsewhere");
    database.close();
    for (let at = 0; at < 60; at += 1) await ask("/api/lookup?ip=8.20.0.3", { visitor: VISITORS[2] ?? "" });
    const lost = parseExposition(await scrape());
    expect(readValue(lost, "limpid_store_up")).toBe(0);
    expect(
      readValue(lost, "limpid_store_operations_total", { operation: "find", outcome: "failed" }),
    ).toBeGreaterThan(0);
    expect(
      readValue(lost, "limpid_http_requests_total", { route: "/api/lookup", shape: "json", status: "429" }),
    ).toBeGreaterThan(0);
  });
});

describe("its log", () => {
  test("names nobody and no address asked about, and gives away no key, token or cookie", async () => {
    await service.stop();
    const log = service.log();
    expect(log).toContain("request_answered");
    expect(log).toContain("request_refused");
    expect(log).toContain("store_unreadable");
    const words = [
      ...VISITORS,
      ...ASKED,
      "8.20.0",
      "127.0.0.1",
      "2600:1",
      "2001:db8",
      ...Object.values(KEYS),
    ];
    for (const word of [
      ...words,
      encodeURIComponent(KEYS.LIMPID_IPQUALITYSCORE_KEY),
      TOKEN,
      "stolen",
      "evil",
      "mine",
    ])
      expect(log).not.toContain(word);
    // Names of DNS lists are asked by the address turned round.
    expect(log).not.toMatch(/\d{1,3}\.0\.20\.8\b/);
  });

  test("is one JSON object a line, without a control character, with the request's name in every line about one", () => {
    const lines = service.log().trimEnd().split("\n");
    expect(lines.length).toBeGreaterThan(20);
    const ids = new Set<string>();
    for (const line of lines) {
      expect(line).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e]/u);
      const { time, level, event, requestId, client } = JSON.parse(line);
      expect(time).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      expect(level).toMatch(/^(?:debug|info|warn|error)$/);
      if (!event.startsWith("request_")) continue;
      expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
      expect(client).toMatch(/^[\w-]{22}$/);
      ids.add(requestId);
    }
    expect(ids.size).toBeGreaterThan(20);
  });

  test("holds refusals back and says how many", () => {
    const refused = readLog(service).filter(({ event }) => event === "request_refused").length;
    expect(refused).toBeLessThan(60);
  });
});

describe("other processes", () => {
  test("a mirror shows how it stands to its primary, and counts what it does not hold", async () => {
    const mirror = await setup.start({ LIMPID_MIRROR_OF: "http://127.0.0.1:9", LIMPID_LOG: "error" });
    await (await fetch(`${mirror.url}/api/lookup?ip=8.20.0.1`)).text();
    const shown = parseExposition(await (await fetch(`${mirror.url}/metrics`)).text());
    expect(shown.get("limpid_build_info")?.samples).toMatchObject([{ labels: { role: "mirror" } }]);
    expect(readValue(shown, "limpid_replica_state", { state: "starting" })).toBe(1);
    expect(readValue(shown, "limpid_replica_state", { state: "current" })).toBe(0);
    expect(readValue(shown, "limpid_answers_total", { result: "overloaded" })).toBe(1);
    expect(shown.get("limpid_surveys_running")?.samples).toEqual([]);
  });

  test("one that starts without a network tells of its lists in one line", async () => {
    const nowhere = "http://127.0.0.1:9";
    const offline = await setup.start({
      LIMPID_FEEDS: "1",
      LIMPID_UPSTREAM_GATEWAY: nowhere,
      LIMPID_LOG: "info",
    });
    let failed = 0;
    while (failed < 3) {
      await Bun.sleep(50);
      const shown = parseExposition(await (await fetch(`${offline.url}/metrics`)).text());
      const samples = shown.get("limpid_feed_refreshes_total")?.samples ?? [];
      failed = samples.reduce((sum, { labels, value }) => sum + (labels.outcome === "failed" ? value : 0), 0);
    }
    await offline.stop();
    const news = readLog(offline).filter(({ event }) => /^feeds?_failed$/.test(event));
    expect(news).toHaveLength(1);
    expect(news[0]).toMatchObject({ level: "warn", event: "feeds_failed" });
    expect(news[0].count).toBeGreaterThanOrEqual(3);
  }, 30_000);
});
