import { beforeEach, describe, expect, test } from "bun:test";
import { FEEDS, TABLE_FEEDS } from "#feeds";
import { type GatewayServer, runLimpid, setUp } from "#kit";
import type { Report } from "#report";

const setup = setUp("each");
let gateway: GatewayServer;
let folder: string;

beforeEach(() => {
  ({ gateway } = setup.upstreams);
  folder = setup.makeFolder();
});

describe("limpid feeds as a process", () => {
  test("shows every real feed for an empty folder", async () => {
    const { code, out } = await runLimpid(["feeds", "status", "--json"], { LIMPID_DATA_DIR: folder });
    expect(code).toBe(0);
    expect(JSON.parse(out).feeds.map(({ id }: { id: string }) => id)).toEqual(
      [...TABLE_FEEDS, ...FEEDS].map(({ id }) => id),
    );
  });
});

describe("a service with lists in its data folder", () => {
  test("uses them without a network, and reports their age", async () => {
    const attackers = Array.from({ length: 1_500 }, (_, i) => `9.9.${i >> 8}.${i & 255}\n`).join("");
    gateway.on("cinsscore.com", "/list/ci-badguys.txt", { text: attackers });
    const env = { LIMPID_UPSTREAM_GATEWAY: gateway.url, LIMPID_DATA_DIR: folder };
    expect(await runLimpid(["feeds", "update", "cins"], env)).toMatchObject({ code: 0 });
    const asked = gateway.calls.length;
    const service = await setup.start({ LIMPID_LIVE: "0" }, { dataDirectory: folder });
    const read = async (ip: string) => {
      const answer = await fetch(`${service.url}/api/lookup?ip=${ip}&lang=en`);
      const report = (await answer.json()) as Report;
      return {
        listed: report.blocklists.find(({ zone }) => zone === "cins")?.listed,
        source: report.sources.find(({ name }) => name === "CINS Army"),
      };
    };
    const source = { ok: true, detail: expect.stringContaining(new Date().toISOString().slice(0, 7)) };
    expect(await read("9.9.5.200")).toMatchObject({ listed: true, source });
    expect(await read("9.9.200.200")).toMatchObject({ listed: false, source });
    expect(gateway.calls).toHaveLength(asked);
  });
});

describe("a service that keeps its lists up to date", () => {
  test("works without a network, and stops at once", async () => {
    await gateway.close();
    const service = await setup.start({ LIMPID_LIVE: "0", LIMPID_FEEDS: "1" });
    expect((await fetch(`${service.url}/api/lookup?ip=9.9.5.200`)).status).toBe(200);
    const startedAt = performance.now();
    expect(await service.stop()).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    expect(service.log()).not.toContain('"level":"error"');
  });
});
