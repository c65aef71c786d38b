import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import * as v from "valibot";
import { type RunningService, startService, startUpstreams, type TestUpstreams } from "#kit";
import { type Report, ReportSchema } from "#report";

const ADDRESS = "8.8.4.90";

let upstreams: TestUpstreams;
const running: RunningService[] = [];

beforeEach(async () => {
  upstreams = await startUpstreams();
});
afterEach(async () => {
  for (const service of running.splice(0)) await service.close();
  await upstreams.close();
});

async function start(env: Record<string, string> = {}): Promise<RunningService> {
  const service = await startService({ env: { ...upstreams.env, ...env } });
  running.push(service);
  return service;
}

async function lookUp(service: RunningService, rest = ""): Promise<Report> {
  const response = await fetch(`${service.url}/api/lookup?ip=${ADDRESS}&lang=en${rest}`);
  expect(response.status).toBe(200);
  return v.parse(ReportSchema, await response.json());
}

/** From now on, proxycheck calls the address a VPN. */
function accuse(): void {
  upstreams.gateway.on("proxycheck.io", /./, () => ({
    json: {
      status: "ok",
      [ADDRESS]: {
        network: { asn: "AS64500", provider: "Example Net", organisation: "Example Net", type: "Business" },
        location: { country_code: "US" },
        detections: { proxy: true, vpn: true, compromised: false, tor: false, hosting: false, risk: 80 },
      },
    },
  }));
}

describe("limpid serve, when a source that accuses an address is lost", () => {
  test("keeps the purity on refresh when the daily budget of the source is used up", async () => {
    accuse();
    const service = await start({ LIMPID_PROXYCHECK_DAILY: "1" });
    const before = await lookUp(service);
    expect(before.flags.isVpn).toBe(true);
    const after = await lookUp(service, "&refresh=1");
    expect(after.queriedAt).not.toBe(before.queriedAt);
    // What the source said in favour of the address is not carried, so the purity can be lower.
    expect(after.risk.purity).toBeLessThanOrEqual(before.risk.purity);
    expect(after.risk.level).toBe(before.risk.level);
    expect(after.risk.confidence).not.toBe("high");
    expect(after.flags).toEqual(before.flags);
    const day = before.queriedAt.slice(0, 10);
    expect(after.sources.find(({ name }) => name === "proxycheck.io")).toMatchObject({
      ok: false,
      skipped: `today's query budget is used up; its finding of ${day} still counts`,
    });
  });

  test("does not let the gate pass when the only source that knows is down", async () => {
    accuse();
    const service = await start();
    const before = await lookUp(service);
    const min = before.risk.purity + 1;
    const gate = () => fetch(`${service.url}/gate/${ADDRESS}?min=${min}`);
    expect((await gate()).status).toBe(409);
    upstreams.gateway.on("proxycheck.io", /./, { status: 500, json: {} });
    const after = await lookUp(service, "&refresh=1");
    // What the source said in favour of the address is not carried, so the purity can be lower.
    expect(after.risk.purity).toBeLessThanOrEqual(before.risk.purity);
    expect(after.risk.level).toBe(before.risk.level);
    expect(after.risk.confidence).not.toBe("high");
    expect((await gate()).status).toBe(409);
    // The source is back and no longer says it.
    upstreams.gateway.on("proxycheck.io", /./, () => ({
      json: {
        status: "ok",
        [ADDRESS]: { network: { type: "Business" }, detections: { proxy: false, vpn: false, risk: 0 } },
      },
    }));
    const cleared = await lookUp(service, "&refresh=1");
    expect(cleared.flags.isVpn).toBe(false);
    expect(cleared.risk.purity).toBeGreaterThan(before.risk.purity);
    expect((await gate()).status).toBe(200);
  });
});
