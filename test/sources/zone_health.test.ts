import { beforeEach, describe, expect, test } from "bun:test";
import { closeAfterEach, createClock, openFor, openUpstreamClient, startDnsServer } from "#kit";
import { createZoneHealth } from "#sources";

const POINTS = { listed: "2.0.0.127.bl.example.com", clear: "1.0.0.127.bl.example.com" };
const HOUR_MS = 3_600_000;

const dns = openFor("all", startDnsServer);
const client = openFor("all", () => openUpstreamClient({ dnsServers: [dns.address] }));
const closeLater = closeAfterEach();

beforeEach(() => {
  dns.forget();
  dns.on(POINTS.listed, "A", ["127.0.0.2"]);
  dns.on(POINTS.clear, "A", "NXDOMAIN");
});

function open() {
  const end = new AbortController();
  const clock = createClock();
  const session = client.openSession(end.signal);
  closeLater(() => session.close());
  const zones = createZoneHealth({ now: clock.now });
  return { end, clock, zones, ask: (by = zones) => by.test("z/4", POINTS, session, end.signal) };
}

describe("createZoneHealth", () => {
  test("keeps a zone alive for 12 hours if it lists its test point and not its clear point", async () => {
    const { clock, zones, ask } = open();
    expect(zones.recall("z/4")).toBeUndefined();
    expect((await ask()).state).toBe("alive");
    clock.advance(12 * HOUR_MS - 1);
    expect(zones.recall("z/4")?.state).toBe("alive");
    await ask();
    expect(dns.calls).toHaveLength(2);
    clock.advance(1);
    expect(zones.recall("z/4")).toBeUndefined();
  });

  test.each([
    ["lists the clear test point", POINTS.clear, ["127.0.0.2"], 24 * HOUR_MS],
    ["answers outside 127.0.0.0/8", /\.bl\.example\.com$/, ["198.51.100.1"], HOUR_MS / 12],
  ] as const)("retires a zone that %s, for a time", async (reason, name, records, keptMs) => {
    dns.on(name, "A", records);
    const { clock, zones, ask } = open();
    expect(await ask()).toEqual({ state: "retired", reason });
    clock.advance(keptMs - 1);
    expect(zones.recall("z/4")?.state).toBe("retired");
    clock.advance(1);
    expect(zones.recall("z/4")).toBeUndefined();
  });

  test.each([
    ["does not list its test point", POINTS.listed, "NXDOMAIN"],
    ["answer outside 127.0.0.0/8", POINTS.clear, ["198.51.100.1"]],
    ["answer outside 127.0.0.0/8", POINTS.listed, ["198.51.100.1"]],
    ["127.255.255.254: declines to answer", POINTS.listed, ["127.255.255.254"]],
    ["127.255.255.255: declines to answer", POINTS.clear, ["127.255.255.255"]],
  ] as const)(
    "marks a zone that fails with %p as unknown, and tests again after 5 minutes",
    async (reason, name, reply) => {
      dns.on(name, "A", reply);
      const { clock, zones, ask } = open();
      expect(await ask()).toEqual({ state: "unknown", reason });
      expect(zones.recall("z/4")?.state).toBe("unknown");
      clock.advance(5 * 60_000);
      dns.on(name, "A", name === POINTS.listed ? ["127.0.0.2"] : "NXDOMAIN");
      expect((await ask()).state).toBe("alive");
    },
  );

  test.each([
    ["SERVFAIL", POINTS.clear, "SERVFAIL"],
    ["REFUSED", POINTS.listed, "REFUSED"],
  ] as const)(
    "tests again 5 s after a test without an answer, and later each time: %s",
    async (reason, name, reply) => {
      dns.on(name, "A", reply);
      const { clock, zones, ask } = open();
      for (const keptMs of [5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000]) {
        expect(await ask()).toEqual({ state: "unknown", reason });
        clock.advance(keptMs - 1);
        expect(zones.recall("z/4")?.state).toBe("unknown");
        clock.advance(1);
        expect(zones.recall("z/4")).toBeUndefined();
      }
      dns.on(name, "A", name === POINTS.listed ? ["127.0.0.2"] : "NXDOMAIN");
      expect((await ask()).state).toBe("alive");
    },
  );

  test("tests once for all surveys that wait", async () => {
    const zones = createZoneHealth({ now: createClock().now });
    const surveys = Array.from({ length: 5 }, open);
    const verdicts = await Promise.all(surveys.map(({ ask }) => ask(zones)));
    expect(verdicts.map(({ state }) => state)).toEqual(Array.from({ length: 5 }, () => "alive"));
    expect(dns.calls).toHaveLength(2);
  });

  test("is tested again by a waiting survey when the testing survey ends, without its result", async () => {
    dns.on(POINTS.clear, "A", (_, turn) => (turn === 0 ? "SILENCE" : "NXDOMAIN"));
    const zones = createZoneHealth({ now: createClock().now });
    const first = open();
    const second = open();
    const cut = first.ask(zones);
    const waiting = second.ask(zones);
    while (dns.count(POINTS.clear) === 0) await Bun.sleep(1);
    first.end.abort();
    expect(await cut).toEqual({ state: "unknown", reason: "not tested in time" });
    expect((await waiting).state).toBe("alive");
    expect(zones.recall("z/4")?.state).toBe("alive");
  });

  test("remembers nothing of a test that got no slot in time", async () => {
    const narrow = openUpstreamClient({ dnsServers: [dns.address], poolSize: 1 });
    const end = new AbortController();
    const session = narrow.openSession(end.signal);
    dns.on("slow.example.com", "A", "SILENCE");
    const slow = session.a("slow.example.com", end.signal).catch(() => {});
    const zones = createZoneHealth({ now: createClock().now });
    expect(await zones.test("z/4", POINTS, session, AbortSignal.timeout(30))).toEqual({
      state: "unknown",
      reason: "not tested in time",
    });
    expect(zones.recall("z/4")).toBeUndefined();
    end.abort();
    await slow;
    narrow.close();
  });
});
