import type { AppOptions } from "../kit/open_app.ts";
import { tables } from "../kit/scenarios.ts";

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
const broken: AppOptions = {
  ...operator,
  watched: { readEvents: () => Promise.reject(new Error("closed")) },
};

tables("watch_feed", { operator, visitor, broken });
