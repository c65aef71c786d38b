import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { type RunningService, runLimpid, setUp } from "#kit";
import { type Report, ReportSchema } from "#report";
import { SOURCES, upstreamHosts } from "#sources";

const setup = setUp("each");

function start(
  env: Record<string, string> = {},
  dataDirectory = setup.makeFolder(),
): Promise<RunningService> {
  return setup.start(env, { dataDirectory });
}

async function lookUp(service: RunningService, ip: string, language = "&lang=en"): Promise<Report> {
  const response = await fetch(`${service.url}/api/lookup?ip=${ip}${language}`);
  expect(response.status).toBe(200);
  return v.parse(ReportSchema, await response.json());
}

describe("limpid serve", () => {
  test("answers a real address fresh, then from the cache, and after a restart from the store without asking anyone", async () => {
    const folder = setup.makeFolder();
    const env = { LIMPID_BASE_URL: "https://limpid.example" };
    const first = await start(env, folder);
    const fresh = await lookUp(first, "8.8.4.77");
    expect(fresh).toMatchObject({ ip: "8.8.4.77", version: 4, source: "fresh", stale: false });
    expect(fresh.asn?.asn).toBe(64500);
    expect(fresh.registry).toMatchObject({ netName: "EXAMPLE-NET" });
    expect(fresh.sources.filter((source) => !source.ok && source.skipped === undefined)).toEqual([]);
    // The lists are turned off, so a part of the data is missing.
    expect(fresh.risk.confidence).toBe("medium");
    expect(setup.upstreams.queryCount()).toBeGreaterThan(20);
    setup.upstreams.forget();
    expect(await lookUp(first, "8.8.4.77")).toEqual({ ...fresh, source: "cache" });
    expect(await first.stop()).toBe(0);
    const second = await start(env, folder);
    expect(await lookUp(second, "8.8.4.77")).toEqual({ ...fresh, source: "store" });
    expect(await lookUp(second, "8.8.4.77")).toEqual({ ...fresh, source: "cache" });
    expect(setup.upstreams.queryCount()).toBe(0);
  });

  test("asks each upstream once for a hundred first requests of one address", async () => {
    const service = await start();
    const answers = await Promise.all(Array.from({ length: 100 }, () => lookUp(service, "8.8.4.78")));
    expect(new Set(answers.map((report) => report.source))).toEqual(new Set(["fresh"]));
    const counts = new Map<string, number>();
    for (const call of setup.upstreams.gateway.calls) {
      const key = `${call.host}${call.path}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    for (const call of setup.upstreams.dns.calls) {
      const key = `${call.type} ${call.name}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    expect([...counts].filter(([, count]) => count !== 1)).toEqual([]);
    expect(counts.size).toBeGreaterThan(20);
  });

  test("answers within the survey's deadline plus 200 ms when every upstream hangs, and does not store it", async () => {
    for (const host of upstreamHosts(SOURCES)) setup.upstreams.gateway.on(host, /./, { fault: "hang" });
    for (const type of ["A", "AAAA", "TXT", "PTR"] as const) setup.upstreams.dns.on(/./, type, "SILENCE");
    const folder = setup.makeFolder();
    const service = await start({ LIMPID_SURVEY_MS: "1000" }, folder);
    await (await fetch(`${service.url}/healthz`)).text();
    const startedAt = performance.now();
    const report = await lookUp(service, "8.8.4.79");
    expect(performance.now() - startedAt).toBeLessThan(1200);
    const tables = new Set(SOURCES.filter((source) => source.local).map((source) => source.name));
    const heard = report.sources.filter((source) => source.ok).map((source) => source.name);
    expect(report.sources.filter((source) => !tables.has(source.name)).length).toBeGreaterThan(20);
    expect(heard.filter((name) => !tables.has(name))).toEqual([]);
    expect(report.risk.confidence).toBe("low");
    for (const source of report.sources.filter((one) => !one.ok)) {
      expect(source.error ?? source.skipped, source.name).toBeString();
    }
    expect(report.blocklists.every((list) => list.unavailable && !list.listed)).toBe(true);
    expect(report.asn?.asn).toBe(15169);
    await service.stop();
    const again = await start({ LIMPID_SURVEY_MS: "300" }, folder);
    expect((await lookUp(again, "8.8.4.79")).source).toBe("fresh");
  });

  test("answers what is in flight when it is told to stop, commits, and ends with 0", async () => {
    setup.upstreams.gateway.on("proxycheck.io", /./, { delayMs: 600, status: 500 });
    const folder = setup.makeFolder();
    const service = await start({}, folder);
    const waiting = lookUp(service, "8.8.4.81");
    while (setup.upstreams.gateway.callsTo("proxycheck.io").length === 0) await Bun.sleep(5);
    const code = service.stop();
    expect((await waiting).source).toBe("fresh");
    expect(await code).toBe(0);
    const again = await start({}, folder);
    expect((await lookUp(again, "8.8.4.81")).source).toBe("store");
  });
});

describe("limpid serve, with quotas to save", () => {
  test("spends a day's budget once, over restarts and kill -9 and in two processes at once", async () => {
    const { gateway } = setup.upstreams;
    gateway.on("api.greynoise.io", /./, (call) => ({
      status: 404,
      json: { ip: call.path.split("/").at(-1), noise: false, riot: false, message: "IP not observed" },
    }));
    const env = { LIMPID_PROXYCHECK_DAILY: "4", LIMPID_GREYNOISE_DAILY: "1" };
    const folder = setup.makeFolder();
    const [first, second] = [await start(env, folder), await start(env, folder)];
    await Promise.all([lookUp(first, "8.8.4.91"), lookUp(second, "8.8.4.92")]);
    await first.stop("SIGKILL");
    const third = await start(env, folder);
    const last = [
      await lookUp(third, "8.8.4.93"),
      await lookUp(second, "8.8.4.94"),
      await lookUp(third, "8.8.4.95"),
    ];
    expect(gateway.callsTo("proxycheck.io")).toHaveLength(4);
    expect(gateway.callsTo("api.greynoise.io")).toHaveLength(1);
    const states = last.map(({ sources }) => sources.find(({ name }) => name === "proxycheck.io"));
    expect(states.map((state) => state?.skipped)).toEqual([
      undefined,
      undefined,
      "today's query budget is used up",
    ]);
  });
});

describe("limpid", () => {
  test("names a broken database, ends with an error and leaves the file untouched", async () => {
    const folder = setup.makeFolder();
    const path = join(folder, "limpid.db");
    writeFileSync(path, "this is a letter, not a database\n".repeat(200));
    const before = createHash("sha256").update(readFileSync(path)).digest("hex");
    const { code, err, out } = await runLimpid(["serve"], { LIMPID_DATA_DIR: folder, LIMPID_PORT: "0" });
    expect(code).not.toBe(0);
    expect(err).toContain(path);
    expect(err.trim().split("\n")).toHaveLength(1);
    expect(out).toBe("");
    expect(createHash("sha256").update(readFileSync(path)).digest("hex")).toBe(before);
  });

  test("names a data directory that cannot be written in one line and ends with an error", async () => {
    const folder = setup.makeFolder();
    writeFileSync(join(folder, "file"), "");
    const { code, err } = await runLimpid(["serve"], {
      LIMPID_DATA_DIR: join(folder, "file/data"),
      LIMPID_PORT: "0",
    });
    expect(code).toBe(73);
    expect(err.trim().split("\n")).toHaveLength(1);
    expect(err).toContain(join(folder, "file/data"));
  });

  test("prints one report as text and as JSON, and refuses what is no address", async () => {
    const env = { ...setup.upstreams.env, LIMPID_DATA_DIR: setup.makeFolder() };
    const text = await runLimpid(["lookup", "8.8.4.82", "--lang", "en"], env);
    expect(text.code).toBe(0);
    expect(text.out).toContain("8.8.4.82");
    const json = await runLimpid(["lookup", "8.8.4.82", "--json", "--lang", "zh"], env);
    expect(v.parse(ReportSchema, JSON.parse(json.out))).toMatchObject({ ip: "8.8.4.82", source: "store" });
    const bad = await runLimpid(["lookup", "8.8.4"], env);
    expect(bad).toMatchObject({ code: 2, out: "" });
    expect(bad.err).toContain("8.8.4");
  });
});
