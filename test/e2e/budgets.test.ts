import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { type RunningService, startService, startUpstreams, type TestUpstreams } from "#kit";
import { type Report, ReportSchema } from "#report";

let upstreams: TestUpstreams;
let folder: string;
const running: RunningService[] = [];

beforeEach(async () => {
  upstreams = await startUpstreams();
  folder = mkdtempSync(join(tmpdir(), "limpid-budgets-"));
  upstreams.gateway.on("api.greynoise.io", /./, (call) => ({
    status: 404,
    json: { ip: call.path.split("/").at(-1), noise: false, riot: false, message: "IP not observed" },
  }));
});
afterEach(async () => {
  for (const service of running.splice(0)) await service.close();
  await upstreams.close();
  rmSync(folder, { recursive: true, force: true });
});

async function start(env: Record<string, string> = {}): Promise<RunningService> {
  const service = await startService({ env: { ...upstreams.env, ...env }, dataDirectory: folder });
  running.push(service);
  return service;
}

async function lookUp(service: RunningService, ip: string, rest = ""): Promise<Report> {
  const response = await fetch(`${service.url}/api/lookup?ip=${ip}&lang=en${rest}`);
  expect(response.status).toBe(200);
  return v.parse(ReportSchema, await response.json());
}

function stateOf(report: Report, name: string) {
  return report.sources.find((source) => source.name === name) ?? expect.unreachable(name);
}

describe("limpid serve, with quotas to save", () => {
  test("spends a day's budget once, over restarts and kill -9 and in two processes at once", async () => {
    const env = { LIMPID_PROXYCHECK_DAILY: "4", LIMPID_GREYNOISE_DAILY: "1" };
    const first = await start(env);
    const second = await start(env);
    await Promise.all([lookUp(first, "8.8.4.91"), lookUp(second, "8.8.4.92")]);
    await first.stop("SIGKILL");
    const third = await start(env);
    const last = [
      await lookUp(third, "8.8.4.93"),
      await lookUp(second, "8.8.4.94"),
      await lookUp(third, "8.8.4.95"),
    ];
    expect(upstreams.gateway.callsTo("proxycheck.io")).toHaveLength(4);
    expect(upstreams.gateway.callsTo("api.greynoise.io")).toHaveLength(1);
    expect(last.map((report) => stateOf(report, "proxycheck.io").skipped)).toEqual([
      undefined,
      undefined,
      "today's query budget is used up",
    ]);
  });
});
