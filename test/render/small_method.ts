import { FLAGS, type Flag, type Method, USAGE_TYPES } from "#report";
import { measureAccuracy } from "#scoring";

const NO_FLAGS = Object.fromEntries(FLAGS.map((flag) => [flag, false])) as Record<Flag, boolean>; // one entry for each

/** A method with a few rules of every kind, so that a new rule or weight leaves the golden file of its page alone. */
export const SMALL_METHOD: Method = {
  version: 2,
  rules: [
    { id: "bogon", category: "special", points: 50, floor: 50 },
    { id: "vpn", category: "anonymity", points: 32 },
    {
      id: "blocklists",
      category: "lists",
      steps: [
        { from: 2, points: 24 },
        { from: 1, points: 16 },
      ],
    },
    { id: "lists_cap", category: "relief", cap: 55 },
    { id: "shared_line_relief", category: "relief", share: 0.5 },
    { id: "residential_agreement", category: "relief", points: -4 },
  ],
  bands: [
    ["pristine", 90],
    ["clean", 70],
    ["dangerous", 0],
  ],
  levels: [
    ["excellent", 85],
    ["unusable", 0],
  ],
  loneShare: 0.5,
  subnetShare: 0.25,
  halfLifeDays: 21,
  forgottenDays: 90,
  furtherList: 0.25,
  carried: { halfLifeDays: 7, days: 30 },
  confidence: {
    high: 0.7,
    medium: 0.4,
    core: ["network", "anonymity"],
    kind: 0.5,
    listsOneIn: 3,
    ageing: 0.5,
  },
  range: Object.fromEntries(
    (["tor", "vpn", "listed", ...USAGE_TYPES] as const).map((type) => [
      type,
      { total: 40, network: 11, anonymity: 20, lists: 24, abuse: 9.5, exposure: 0 },
    ]),
  ) as Method["range"], // one entry for each kind of address
  scenarios: [
    {
      id: "ai",
      usage: {
        residential: 0,
        business: 3,
        hosting: 30,
        mobile: 0,
        education: 0,
        government: 0,
        unknown: 5,
      },
      tor: 85,
      proxy: 50,
      vpn: 35,
      relay: 10,
      broadcast: 6,
      lists: [8, 16, 30],
      policy: 0,
      abuse: 30,
      shared: 8,
      needs: "anonymity",
    },
    {
      id: "email",
      usage: {
        residential: 25,
        business: 0,
        hosting: 3,
        mobile: 40,
        education: 0,
        government: 0,
        unknown: 5,
      },
      tor: 95,
      proxy: 60,
      vpn: 40,
      relay: 25,
      broadcast: 0,
      lists: [35, 60, 85],
      policy: 45,
      abuse: 40,
      shared: 12,
      needs: "lists",
    },
  ],
  maxScores: { withoutCore: 69, withoutNeeded: 84, regionPartial: 68, regionUnclear: 83 },
  criticalListing: 95,
  regions: [
    {
      use: "ai",
      name: "OpenAI",
      url: "https://example.com/openai",
      asOf: "2026-11-21",
      unsupported: ["BY", "CN"],
      unclear: ["XK"],
    },
    {
      use: "streaming",
      name: "Netflix",
      url: "https://example.com/netflix",
      asOf: "2026-11-20",
      unsupported: ["CN"],
      unclear: [],
    },
  ],
  accuracy: {
    date: "2026-11-20",
    version: "0.1.0",
    sets: [{ id: "example", rows: 12, leftOut: 2 }],
    measured: measureAccuracy([
      {
        truth: ["vpn"],
        purity: 40,
        usage: "hosting",
        flags: { ...NO_FLAGS, isVpn: true },
        agreement: {},
        isListed: true,
      },
      {
        truth: ["residential"],
        purity: 90,
        usage: "residential",
        flags: NO_FLAGS,
        agreement: {},
        isListed: false,
      },
    ]),
    independent: {
      date: "2026-11-19",
      version: "0.1.0",
      rows: [{ id: "vpn_outside", rows: 1943, tables: "78.2 %", lists: "-" }],
    },
  },
  sources: [
    { name: "ASN table", family: "routeviews", kind: "free", matters: ["network"], weight: 0.5 },
    { name: "Example RBL", family: "example", kind: "commercial", matters: ["lists", "abuse"], weight: 1 },
    { name: "Example list", family: "example", kind: "free", matters: ["lists"], weight: 0.1 },
  ],
  versions: [
    { version: 2, date: "2026-11-21", changes: ["agreed_vpn_not_clean", "subnet_by_half"] },
    { version: 1, date: "2026-11-20", changes: ["first_rules"] },
  ],
};
