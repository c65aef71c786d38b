import { describe, expect, test } from "bun:test";
import * as v from "valibot";
import { type RunningService, runLimpid, setUp } from "#kit";
import { type Report, ReportSchema } from "#report";
import { listShippedAddresses } from "../feeds/snapshot/small_snapshot.ts";

const SHIPPED = listShippedAddresses();
const setup = setUp("each");

/** Nothing listens at this gateway, so that every request to the outside fails. */
const NOWHERE = "http://127.0.0.1:9";

async function lookUp({ url }: RunningService, list: string, language = "en"): Promise<Report> {
  const response = await fetch(`${url}/api/lookup?ip=${SHIPPED.get(list)}&lang=${language}`);
  expect(response.status).toBe(200);
  return v.parse(ReportSchema, await response.json());
}

describe("the first report of a machine without a network", () => {
  test.each([
    ["downloads are off", { LIMPID_FEEDS: "0", LIMPID_LIVE: "0" }],
    ["nothing can be reached", { LIMPID_FEEDS: "1", LIMPID_LIVE: "0", LIMPID_UPSTREAM_GATEWAY: NOWHERE }],
  ])(
    "knows a cloud, a VPN, a relay and a crawler when %s",
    async (_, env) => {
      const service = await setup.start(env);
      const flags = async (list: string) => (await lookUp(service, list)).flags;
      expect(await flags("vultr")).toMatchObject({ isHosting: true });
      expect(await flags("x4bnet_vpn")).toMatchObject({ isVpn: true });
      expect(await flags("private_relay")).toMatchObject({ isRelay: true, isVpn: false });
      expect(await flags("googlebot")).toMatchObject({ isSearchEngineBot: true });
    },
    30_000,
  );

  test("says in the sources that the list is a snapshot, and its date, in both languages", async () => {
    const service = await setup.start({ LIMPID_LIVE: "0" });
    const detail = async (language: string) =>
      (await lookUp(service, "vultr", language)).sources.find(({ name }) => name === "Vultr")?.detail;
    expect(await detail("en")).toBe("built-in snapshot (no download available), data of 2026-08-22");
    expect(await detail("zh")).toBe("随程序附带的快照（无可用下载），数据日期 2026-08-22");
  }, 30_000);

  test("shows the date of the snapshot in limpid check", async () => {
    const env = { LIMPID_LIVE: "0", LIMPID_FEEDS: "0", LIMPID_DATA_DIR: setup.makeFolder() };
    const { out } = await runLimpid(["check", "--json"], env);
    const { sources } = JSON.parse(out) as { sources: { id: string }[] };
    expect(sources.find(({ id }) => id === "vultr")).toMatchObject({
      state: "ready",
      reason: "snapshot of 2026-08-22",
    });
  }, 30_000);
});
