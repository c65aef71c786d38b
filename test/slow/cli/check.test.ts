import { beforeEach, describe, expect, test } from "bun:test";
import { runLimpid, setUp } from "#kit";
import { SOURCES } from "#sources";
import type { Check, CheckedSource } from "../../../src/cli/check.ts";

/** Whom the checks here are about; everybody else is turned off. */
const CHOSEN = [
  "special_purpose",
  "team_cymru",
  "rdap",
  "proxycheck",
  "tor_dnsel",
  "internetdb",
  "spamhaus_zen",
  "spamhaus_dqs",
  "dronebl",
  "spamcop",
];
const OTHERS = SOURCES.map((source) => source.id).filter((id) => !CHOSEN.includes(id));

const setup = setUp("each");
let folder: string;
beforeEach(() => {
  folder = setup.makeFolder();
});

function environment(off: readonly string[] = []): Record<string, string> {
  return {
    ...setup.upstreams.env,
    LIMPID_DATA_DIR: folder,
    LIMPID_SOURCES_OFF: [...OTHERS, ...off].join(","),
  };
}

async function check(env: Record<string, string> = {}, off: readonly string[] = []) {
  const run = await runLimpid(["check", "--json"], { ...environment(off), ...env });
  if (run.out === "") throw new Error(`Cannot check: ended with ${run.code}: ${run.err}`);
  const found = JSON.parse(run.out) as Check;
  return {
    code: run.code,
    found,
    of: (id: string) => found.sources.find((source) => source.id === id) ?? expect.unreachable(id),
  };
}

describe("limpid check", () => {
  test("finds every configured source ready, and ends with 0", async () => {
    const { code, found, of } = await check();
    expect(found.sources.map(({ id }) => id)).toEqual(SOURCES.map(({ id }) => id));
    const ready = found.sources.filter(({ state }) => state === "ready").map(({ id }) => id);
    expect(ready.sort()).toEqual(CHOSEN.filter((id) => id !== "spamhaus_dqs").sort());
    expect(found.ready).toBe(true);
    expect(code).toBe(0);
    expect(of("proxycheck")).toMatchObject({ kind: "source", state: "ready", left: 94 });
    expect(of("dronebl")).toMatchObject({ kind: "list", state: "ready" });
    expect(of("dronebl").left).toBeUndefined();
    expect(of("special_purpose")).toMatchObject({ kind: "table", state: "ready" });
    expect(of("spamhaus_dqs")).toMatchObject({ state: "no_key", reason: "no key configured" });
  });

  test("distinguishes dead zones, refusals, used up budgets and errors, and ends with 1", async () => {
    setup.upstreams.gateway.on("proxycheck.io", /./, {
      status: 429,
      json: { status: "denied", message: "limit" },
    });
    setup.upstreams.gateway.on("internetdb.shodan.io", /./, { status: 403, json: {} });
    setup.upstreams.gateway.on("rdap.arin.net", /./, { status: 500, json: {} });
    setup.upstreams.dns.on(/^1\.0\.0\.127\.dnsbl\.dronebl\.org$/, "A", ["127.0.0.2"]);
    setup.upstreams.dns.on(/\.zen\.spamhaus\.org$/, "A", ["127.255.255.254"]);
    setup.upstreams.dns.on(/^2\.0\.0\.127\.bl\.spamcop\.net$/, "A", "NXDOMAIN");
    setup.upstreams.dns.on(/\.dnsel\.torproject\.org$/, "A", "SERVFAIL");
    const { code, found, of } = await check();
    expect(of("dronebl")).toMatchObject({ state: "dead_zone" });
    expect(of("dronebl").reason).toContain("lists the clear test point");
    expect(of("spamhaus_zen")).toMatchObject({ state: "refused" });
    expect(of("spamhaus_zen").reason).toContain("127.255.255.254");
    expect(of("spamcop")).toMatchObject({ state: "dead_zone" });
    expect(of("proxycheck").state).toBe("no_quota");
    expect(of("internetdb").state).toBe("refused");
    expect(of("rdap").state).toBe("error");
    expect(of("tor_dnsel").state).toBe("error");
    for (const { state, reason } of found.sources) expect(reason === undefined).toBe(state === "ready");
    expect(found.ready).toBe(false);
    expect(code).toBe(1);
  });

  test("calls a resolver that denies every name no network, not a refusal", async () => {
    setup.upstreams.dns.on(/./, "A", "NXDOMAIN");
    setup.upstreams.dns.on(/./, "TXT", "NXDOMAIN");
    const { code, found, of } = await check({}, ["rdap", "proxycheck", "internetdb"]);
    expect(found.isOffline).toBe(true);
    for (const id of ["team_cymru", "dronebl", "spamcop"])
      expect(of(id)).toMatchObject({ state: "error", reason: "cannot resolve" });
    expect(of("special_purpose").state).toBe("ready");
    expect(code).toBe(1);
  });

  test("is ready when the sources that are not ready are turned off", async () => {
    setup.upstreams.gateway.on("proxycheck.io", /./, { status: 500 });
    const off = await check({ LIMPID_ALLOW_NONCOMMERCIAL: "0" }, ["proxycheck"]);
    expect(off.of("proxycheck")).toMatchObject({ state: "turned_off" });
    expect(off.of("spamhaus_zen")).toMatchObject({ state: "turned_off" });
    expect(off.code).toBe(0);
  });

  test("uses the daily budget that all processes share in the database", async () => {
    const env = { LIMPID_PROXYCHECK_DAILY: "2" };
    const lefts: CheckedSource[] = [];
    for (let turn = 0; turn < 3; turn += 1) lefts.push((await check(env)).of("proxycheck"));
    expect(lefts.map(({ state, left }) => [state, left])).toEqual([
      ["ready", 1],
      ["ready", 0],
      ["no_quota", 0],
    ]);
    expect(setup.upstreams.gateway.callsTo("proxycheck.io")).toHaveLength(2);
  });

  test("prints a table without colours where there is no terminal", async () => {
    const { out, code } = await runLimpid(["check"], environment());
    expect(code).toBe(0);
    expect(out).not.toContain("\u001b");
    expect(out).toMatch(/^ {2}proxycheck +proxycheck\.io +94 left, \d+ ms$/m);
    expect(out).toMatch(/\n\n9 ready, 1 no key, \d+ turned off\n$/);
  });
});
