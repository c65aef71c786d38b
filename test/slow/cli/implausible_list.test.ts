import { beforeEach, describe, expect, test } from "bun:test";
import { createTemporaryFolder, openFor, runLimpid, startGateway, startService } from "#kit";
import type { Report } from "#report";

const HOST = "raw.githubusercontent.com";
const PATH = "/X4BNet/lists_vpn/main/output/vpn";
/** What an operator's networks look like, and the same with every /8 and every IPv6 /16 in front of it. */
const GOOD = Array.from({ length: 4_000 }, (_, i) => `9.9.${i >> 8}.${i & 255}\n`).join("");
const EVERYBODY = Array.from({ length: 223 }, (_, i) => `${i + 1}.0.0.0/8\n`).join("") + GOOD;
const EVERYBODY6 = Array.from({ length: 4_096 }, (_, i) => `2${i.toString(16).padStart(3, "0")}::/16\n`).join(
  "",
);

const gateway = openFor("each", startGateway);
let folder: string;

beforeEach(() => {
  folder = createTemporaryFolder("limpid-implausible-");
});

function publish(ipv4: string, ipv6: string): void {
  gateway.on(HOST, `${PATH}/ipv4.txt`, { text: ipv4 });
  gateway.on(HOST, `${PATH}/ipv6.txt`, { text: ipv6 });
}

const environment = () => ({ LIMPID_UPSTREAM_GATEWAY: gateway.url, LIMPID_DATA_DIR: folder });
const update = () => runLimpid(["feeds", "update", "x4bnet_vpn"], environment());

async function readState(): Promise<Record<string, unknown>> {
  const { out } = await runLimpid(["feeds", "status", "--json"], environment());
  const { feeds } = JSON.parse(out) as { feeds: Record<string, unknown>[] };
  return feeds.find(({ id }) => id === "x4bnet_vpn") ?? expect.unreachable();
}

/** Asks a service that asks nobody but publishers of lists, and those only where `feeds` is 1. */
async function ask<Value>(
  read: (look: (ip: string, lang?: string) => Promise<Report>) => Promise<Value>,
  feeds: "0" | "1" = "0",
) {
  const service = await startService({
    env: { ...environment(), LIMPID_LIVE: "0", LIMPID_FEEDS: feeds },
    dataDirectory: folder,
  });
  try {
    return await read(async (ip, lang = "en") => {
      const answer = await fetch(`${service.url}/api/lookup?ip=${ip}&lang=${lang}`);
      return (await answer.json()) as Report;
    });
  } finally {
    await service.close();
  }
}

const sourceOf = (report: Report) => report.sources.find(({ name }) => name === "X4BNet VPN");

describe("a list that covers everybody", () => {
  test("is refused, the last good one stays, and an ordinary address is as clean as before", async () => {
    publish(GOOD, "2600:9000::/32\n");
    expect(await update()).toMatchObject({ code: 0 });
    const before = await ask(async (look) => ({
      ordinary: await look("81.2.69.142"),
      ordinary6: await look("2a02:6b8::1"),
    }));
    expect(before.ordinary.flags.isVpn).toBe(false);

    for (const [ipv4, ipv6] of [
      [EVERYBODY, ""],
      [GOOD, EVERYBODY6],
    ] as const) {
      publish(ipv4, `${ipv6}2600:9000::/32\n`);
      const { code, out } = await update();
      expect(code).toBe(1);
      expect(out).toContain("x4bnet_vpn: failed: too wide for vpn: ");
    }
    expect(await readState()).toMatchObject({
      ready: true,
      freshness: "fresh",
      // Three of the addresses are those of a public resolver, which no list accuses.
      rows: 3_998,
      stripped: 3,
      error: { reason: "implausible", problem: expect.stringContaining("too wide for vpn") },
    });

    // Neighbours, which no database knows yet.
    await ask(async (look) => {
      const ordinary = await look("81.2.69.143");
      expect(ordinary.risk.purity).toEqual(before.ordinary.risk.purity);
      expect(ordinary.flags.isVpn).toBe(false);
      expect((await look("2a02:6b8::2")).risk.purity).toEqual(before.ordinary6.risk.purity);
      expect((await look("9.9.5.7")).flags.isVpn).toBe(true);
      expect(sourceOf(ordinary)).toMatchObject({
        ok: true,
        detail: expect.stringContaining("covers implausibly many addresses, the last good one is used"),
      });
      expect(sourceOf(await look("81.2.69.143", "zh"))?.detail).toContain("沿用上一份可信的版本");
    });

    publish(`${GOOD}9.9.200.1\n`, "2600:9000::/32\n");
    expect(await update()).toMatchObject({ code: 0 });
    expect(await readState()).not.toHaveProperty("error");
  });

  test("is refused as a first download too, and the snapshot stays in use", async () => {
    publish(EVERYBODY, "2600:9000::/32\n");
    expect(await update()).toMatchObject({ code: 1 });
    expect(await readState()).toMatchObject({
      ready: true,
      freshness: "snapshot",
      error: { reason: "implausible" },
    });
    await ask(async (look) => {
      const report = await look("81.2.69.142");
      expect(report.flags.isVpn).toBe(false);
      expect(sourceOf(report)).toMatchObject({
        ok: true,
        detail: expect.stringContaining(
          "built-in snapshot (the newest version covers implausibly many addresses)",
        ),
      });
      expect(sourceOf(await look("81.2.69.142", "zh"))?.detail).toContain(
        "随程序附带的快照（最新版本覆盖的地址过多，不可信）",
      );
    }, "1");
  });
});
