import { describe, expect, test } from "bun:test";
import { type AppOptions, openApp } from "../kit/open_app.ts";

const ADDRESS = "8.8.4.9";
const event = (type: string, what: string, from: string, to: string) => ({
  id: `evt_${what}`,
  address: ADDRESS,
  at: Date.UTC(2026, 1, 3),
  body: JSON.stringify({
    type,
    timestamp: "2026-02-03T04:05:06.000Z",
    data: { address: ADDRESS, what, from, to, purity: 40, reportUrl: `https://limpid.test/ip/${ADDRESS}` },
  }),
});
const EVENTS = [
  event("address.listed", "<b>list</b>", "not listed", "listed"),
  event("address.flag_on", "isVpn", "false", "true"),
  event("address.type_changed", "usageType", "residential", "hosting"),
  { ...event("address.listed", "x", "", ""), body: "of another version" },
];
const watched: NonNullable<AppOptions["watched"]> = {
  readEvents: async (limit, address) =>
    (address === undefined || address === ADDRESS ? EVENTS : []).slice(0, limit),
};
const operator: AppOptions = { watched, exempt: ["192.0.2.0/24"], peer: "192.0.2.7" };
const visitor: AppOptions = { ...operator, peer: "198.51.100.7" };

describe("/watch.atom", () => {
  test("is for the operator", async () => {
    const response = await openApp(operator).ask("/watch.atom");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/atom+xml; charset=utf-8");
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
    const feed = await response.text();
    expect(feed.match(/<entry>/g)).toHaveLength(3);
    expect(feed).toContain("8.8.4.9: &lt;b&gt;list&lt;/b&gt;: not listed → listed");
    expect((await openApp(visitor).ask("/watch.atom")).status).toBe(403);
  });

  test("does not exist where nothing is watched", async () => {
    const { watched: _, ...none } = operator;
    expect((await openApp(none).ask("/watch.atom")).status).toBe(404);
  });
});

describe("the page of a watched address", () => {
  const headers = { accept: "text/html" };
  const page = async (options: AppOptions, path: string) =>
    (await openApp(options).ask(path, { headers })).text();

  test("shows its changes to the operator alone", async () => {
    const shown = await page(operator, `/en/ip/${ADDRESS}`);
    expect(shown).toContain("Changes, shown to the operator only");
    expect(shown).toContain("Listed (&lt;b&gt;list&lt;/b&gt;)");
    expect(shown).toContain("Flag on (VPN)");
    expect(shown).toContain("Type changed (Residential → ");
    expect(await page(operator, `/ip/${ADDRESS}`)).toContain("变化时间线（仅运营者可见）");
    expect(await page(visitor, `/en/ip/${ADDRESS}`)).not.toContain("Changes, shown");
    expect(await page(operator, "/en/ip/8.8.4.10")).not.toContain("Changes, shown");
  });

  test("is not kept for others, and does not fail with the database", async () => {
    const app = openApp(operator);
    expect(await (await app.ask(`/en/ip/${ADDRESS}`, { headers })).text()).toContain("Changes, shown");
    const broken = { readEvents: () => Promise.reject(new Error("closed")) };
    const response = await openApp({ ...operator, watched: broken }).ask(`/en/ip/${ADDRESS}`, { headers });
    expect(response.status).toBe(200);
    expect(await response.text()).not.toContain("Changes, shown");
  });
});
