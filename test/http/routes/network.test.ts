import { expect, test } from "bun:test";
import * as v from "valibot";
import { createPace } from "#concurrency";
import { AsSummarySchema, NetworkSummarySchema } from "#report";
import { openNetworks, openSmall } from "../../network/small_networks.ts";
import { openApp, openShared } from "../kit/open_app.ts";
import { tables } from "../kit/scenarios.ts";

const open = (...missing: string[]) => ({
  networks: openNetworks(
    openSmall(
      {
        asn: [
          ["81.2.0.0/16", 64500, "Example <Broadband>"],
          ["81.3.0.0/22", 64502, "One"],
          ["81.3.4.0/22", 64503, "Two"],
          ["81.3.8.0/21", 64504, "Three"],
          ["81.5.16.0/22", 60729, "Example Relays"],
          ["2a02:8010::/32", 64500, "Example <Broadband>"],
          ["2a02:8020::/32", 64501, `Example IPv6 \u202e${"of a long name ".repeat(6)}`],
        ],
        registration: [["81.2.0.0/16", "LT"]],
        country: [["81.2.0.0/16", "LT"]],
        geofeed: [["81.2.69.0/24", "TH", "Bangkok"]],
        lists: [
          ["81.2.69.7/32", { feed: "tor_exits", meaning: "tor_exit" }],
          ["81.3.64.1/32", { feed: "x4bnet_vpn", meaning: "vpn" }],
        ],
      },
      missing,
    ),
  ),
});
const small = open();
const few = open("tor_exits", "blocklist_de");
const thin = open("blocklist_de", "x4bnet_vpn");
const none = open("tor_exits", "blocklist_de", "x4bnet_vpn");
const bare = { networks: openNetworks(openSmall({})) };
const ask = (path: string) => openShared(small).ask(path);

tables("network", { small, few, thin, none, bare, networks: small.networks });

test("/net/{first}/{length} answers the summary as JSON, in which language does not matter", async () => {
  const [zh, en] = await Promise.all([ask("/net/81.2.69.0/24.json"), ask("/en/net/81.2.69.0/24.json")]);
  const summary = await zh.json();
  expect<unknown>(v.parse(NetworkSummarySchema, summary)).toEqual(summary);
  expect(await en.json()).toEqual(summary);
  expect(summary).toMatchObject({ listed: 1, isDisputed: true, declared: [{ country: "TH" }] });
});

test.each(["/net/81.2.69.0/24.txt", "/en/net/81.2.69.0/24.txt", "/en/as/64501.txt"])(
  "%s has at most 72 columns and no hidden direction",
  async (path) => {
    const text = await (await ask(path)).text();
    for (const line of text.split("\n")) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(72);
    expect(text).not.toContain("\u202e");
  },
);

test("/as/{number} answers the summary as JSON", async () => {
  const summary = await (await ask("/as/64500.json")).json();
  expect<unknown>(v.parse(AsSummarySchema, summary)).toEqual(summary);
  expect(summary).toMatchObject({ asn: 64500, addresses: 65_536, prefixes: [{ listed: 1 }] });
});

test("a summary that too many wait before is refused with the time to ask again", async () => {
  const pace = createPace({ maxWaiting: 0, maxRestMs: 0 });
  const other = Promise.withResolvers<void>();
  const running = pace.run(() => other.promise);
  const app = openApp({
    networks: openNetworks(openSmall({ asn: [["81.2.0.0/16", 64500, "Example"]] }), pace),
  });
  for (const path of ["/net/81.2.69.0/24.json", "/net/81.2.69.0/24.png", "/as/64500.json"]) {
    const { status, headers } = await app.ask(path);
    expect([status, headers.get("retry-after")], path).toEqual([503, "2"]);
  }
  other.resolve();
  await running;
  await Bun.sleep(5);
  expect((await app.ask("/net/81.2.69.0/24.json")).status).toBe(200);
});
