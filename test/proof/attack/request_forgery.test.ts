import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { FEEDS, feedHosts, TABLE_FEEDS } from "#feeds";
import { runLimpid, setUp, setUpService, startUpstreams } from "#kit";
import { SOURCES, upstreamHosts } from "#sources";
import FORGERY from "../../fixtures/attacks/forgery.json";
import PLACES from "../../fixtures/attacks/places.json";
import { breakHttp, type FaultSetup, LIVE, OVER_HTTP, openFaultSetup } from "../faults/fault_setup.ts";
import { VICTIM } from "./victim.ts";
import { requestText, send } from "./wire.ts";

/** Every source that can be asked. */
const ALLOWED = new Set<string>([
  ...upstreamHosts(SOURCES),
  ...[...FEEDS, ...TABLE_FEEDS].flatMap(feedHosts),
]);

/** A name that only a hostile answer mentions. */
const INNER = "metadata.internal.test";

let contacts = 0;
const setup = setUp("all");
const victim = setUpService(VICTIM, setup);
const canary = Bun.listen({
  hostname: "127.0.0.1",
  port: 0,
  socket: {
    open(socket) {
      contacts++;
      socket.end("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}");
    },
    data() {},
  },
});

afterAll(() => canary.stop(true));

/** Where a request must never go. */
function listTargets(): string[] {
  return FORGERY.targets.map((target) => target.replace("INNER", INNER).replace("PORT", String(canary.port)));
}

describe("a looked-up address", () => {
  test.each(FORGERY.special)("%s is sent to no source", async (address) => {
    setup.upstreams.forget();
    for (const path of [
      `/ip/${address}.json`,
      `/api/lookup?ip=${encodeURIComponent(address)}&refresh=1`,
      `/cli/${address}`,
    ]) {
      const { statuses } = await send(victim, requestText(path));
      expect([200, 400]).toContain(statuses[0] ?? 0);
    }
    expect(setup.upstreams.queryCount()).toBe(0);
    expect(contacts).toBe(0);
  });

  test.each(FORGERY.texts)("%s is refused, and no source is asked", async (text) => {
    setup.upstreams.forget();
    for (const path of PLACES.askingWithText.map((place) => place.replaceAll("INPUT", () => text))) {
      const { statuses } = await send(victim, requestText(Buffer.from(path).toString("latin1")));
      expect([400, 404], path).toContain(statuses[0] ?? 0);
    }
    expect(setup.upstreams.queryCount()).toBe(0);
  });
});

describe("a source that answers with a redirect", () => {
  let faults: FaultSetup;
  beforeAll(async () => {
    faults = await openFaultSetup();
  });
  afterAll(() => faults.close());

  function expectOnlyAllowed(): void {
    expect(contacts).toBe(0);
    for (const { host, path } of faults.gateway.calls) {
      expect(ALLOWED, `${host}${path}`).toContain(host);
      expect(path).not.toMatch(/\.\.|@|\\|internal|169\.254|passwd/);
    }
    for (const { name } of faults.dns.calls)
      expect(name.toLowerCase()).not.toMatch(/internal|localhost|canary/);
  }

  test.each(listTargets())("%s is not followed", async (location) => {
    faults.gateway.forget();
    for (const status of [301, 302, 307]) {
      const headers = {
        location,
        refresh: `0;url=${location}`,
        link: `<${location}>; rel=preload`,
        "alt-svc": `h2="127.0.0.1:${canary.port}"`,
      };
      breakHttp(faults, [...faults.wellHttp.keys()], () => ({ status, headers }));
      const runs = await faults.survey(OVER_HTTP);
      for (const run of runs) expect(run.state, run.id).not.toBe("answered");
    }
    expect(faults.gateway.calls.length).toBeGreaterThan(30);
    expectOnlyAllowed();
  });

  test("the RDAP bootstrap file cannot add a registry", async () => {
    for (const base of listTargets()) {
      // Its list is cached for a day.
      const fresh = await openFaultSetup();
      try {
        const services = [
          [
            ["203.0.113.0/24", "0.0.0.0/0"],
            [base, `${base}registry/`],
          ],
        ];
        fresh.gateway.on("data.iana.org", /./, {
          json: { version: "1.0", publication: "2026-01-01T00:00:00Z", services },
        });
        const runs = await fresh.survey(LIVE.filter(({ id }) => id === "rdap"));
        expect(runs.map(({ state }) => state)).not.toContain("answered");
        expect(fresh.gateway.calls.map(({ host }) => host)).toEqual(["data.iana.org"]);
        expect(contacts).toBe(0);
      } finally {
        await fresh.close();
      }
    }
  });

  test("an RDAP registry cannot redirect to another host", async () => {
    breakHttp(faults, [...faults.wellHttp.keys()], (well) => well);
    for (const location of listTargets()) {
      faults.gateway.forget();
      const rdapHosts = [...faults.wellHttp.keys()].filter((host) => host.includes("rdap"));
      breakHttp(faults, rdapHosts, () => ({ status: 302, headers: { location } }));
      await faults.survey(LIVE.filter(({ id }) => id === "rdap"));
      expectOnlyAllowed();
    }
  });

  test("a reverse name is looked up only below the domains of search engines", async () => {
    const reverse = LIVE.filter(({ id }) => id === "reverse_dns");
    for (const name of FORGERY.reverseNames.map((one) => one.replace("INNER", INNER))) {
      faults.dns.forget();
      faults.dns.on(/in-addr\.arpa$/, "PTR", [name]);
      await faults.survey(reverse);
      expect(faults.dns.calls.length).toBeGreaterThan(0);
      expectOnlyAllowed();
    }
  });

  test("and not in a running process", async () => {
    const hostile = setup.keep(await startUpstreams());
    const service = await setup.start({ ...VICTIM, ...hostile.env });
    const [location = ""] = listTargets();
    for (const host of upstreamHosts(SOURCES))
      hostile.gateway.on(host, /./, { status: 302, headers: { location } });
    const answer = await fetch(`${service.url}/ip/8.8.8.8.json`);
    expect(answer.status).toBe(200);
    expect(hostile.gateway.calls.length).toBeGreaterThan(5);
    for (const { host } of hostile.gateway.calls) expect(ALLOWED).toContain(host);
    expect(contacts).toBe(0);
  });
});

describe("a downloaded list", () => {
  test("is not redirected to another host", async () => {
    const hostile = setup.keep(await startUpstreams());
    const targets = listTargets();
    for (const [index, host] of [...FEEDS, ...TABLE_FEEDS].flatMap(feedHosts).entries()) {
      const location = targets[index % targets.length] ?? "";
      hostile.gateway.on(host, /./, { status: 302, headers: { location } });
    }
    const { code } = await runLimpid(["feeds", "update"], {
      ...hostile.env,
      LIMPID_FEEDS: "1",
      LIMPID_DATA_DIR: setup.makeFolder(),
    });
    expect(code).not.toBe(0);
    expect(new Set(hostile.gateway.calls.map(({ host }) => host)).size).toBeGreaterThan(20);
    for (const { host } of hostile.gateway.calls) expect(ALLOWED).toContain(host);
    expect(contacts).toBe(0);
  });
});

test("the trap reports a connection", async () => {
  await fetch(`http://127.0.0.1:${canary.port}/`);
  expect(contacts).toBe(1);
});
