import {
  type MethodScenario,
  type ScenarioId,
  type ScenarioLevel,
  USAGE_TYPES,
  type UsageType,
} from "#report";

/** The points of one use case. */
export type ScenarioTable = Omit<MethodScenario, "id">;

/**
 * One table for each use case, in the order of the report: a finding can deduct much in one use case and nothing in
 * another.
 */
export const SCENARIO_TABLES: Readonly<Record<ScenarioId, ScenarioTable>> = {
  // Services watch hosting and challenge VPNs. Mail lists have little effect.
  ai: {
    usage: usage({ hosting: 30, business: 3, unknown: 5 }),
    ...{ tor: 85, proxy: 50, vpn: 35, relay: 10, broadcast: 6, lists: [8, 16, 30], policy: 0, nameless: 0 },
    ...{ abuse: 30, shared: 8, needs: "anonymity" },
  },
  // Services fight account farms at sign-up: everything except home and mobile lines is suspicious.
  social: {
    usage: usage({ hosting: 40, business: 8, education: 3, government: 5, unknown: 8 }),
    ...{ tor: 90, proxy: 60, vpn: 45, relay: 15, broadcast: 8, lists: [12, 24, 40], policy: 0, nameless: 0 },
    ...{ abuse: 40, shared: 16, needs: "anonymity" },
  },
  // Licences depend on the country, so services refuse every kind of exit. Reputation has little effect.
  streaming: {
    usage: usage({ hosting: 50, business: 6, unknown: 8 }),
    ...{ tor: 95, proxy: 65, vpn: 60, relay: 40, broadcast: 15, lists: [4, 10, 20], policy: 0, nameless: 0 },
    ...{ abuse: 10, shared: 4, needs: "anonymity" },
  },
  // Cheating and attacks matter, and the quality of the line, which no source reports.
  gaming: {
    usage: usage({ hosting: 20, unknown: 3 }),
    ...{ tor: 75, proxy: 40, vpn: 25, relay: 8, broadcast: 5, lists: [6, 14, 25], policy: 0, nameless: 0 },
    ...{ abuse: 25, shared: 6, needs: "anonymity" },
  },
  // Payment checks refuse orders from anonymous addresses and from another country.
  ecommerce: {
    usage: usage({ hosting: 35, mobile: 3, education: 3, unknown: 6 }),
    ...{ tor: 90, proxy: 55, vpn: 45, relay: 15, broadcast: 12, lists: [12, 24, 40], policy: 0, nameless: 0 },
    ...{ abuse: 40, shared: 10, needs: "anonymity" },
  },
  // Lists decide about mail. Mail comes from servers, not from homes, and servers have a reverse name (RFC 1912, 2.1).
  email: {
    usage: usage({ residential: 25, mobile: 40, hosting: 3, unknown: 5 }),
    ...{ tor: 95, proxy: 60, vpn: 40, relay: 25, broadcast: 0, lists: [35, 60, 85] },
    ...{ policy: 45, nameless: 55, abuse: 40, shared: 12, needs: "lists" },
  },
};

/** Lower bound of every level that has a score, best first. */
export const LEVEL_THRESHOLDS: readonly (readonly [ScenarioLevel, number])[] = [
  ["excellent", 85],
  ["good", 70],
  ["fair", 50],
  ["poor", 25],
  ["unusable", 0],
];

/** The highest score of a use case when a part of the evidence is missing. */
export const MAX_SCORES = {
  /** No answers on anonymity or on lists: the top of `fair`. */
  withoutCore: 69,
  /** No answers in the category that this use case needs: the top of `good`. */
  withoutNeeded: 84,
  /** Some vendors do not offer their service there, or sources disagree on whether they do. */
  regionPartial: 69,
  /** The list of a vendor could not be confirmed. */
  regionUnclear: 84,
} as const;

/** The points of a criminal netblock or a botnet controller in every use case; proportional below full weight. */
export const CRITICAL_LISTING_COST = 95;

function usage(costs: Partial<Record<UsageType, number>>): Readonly<Record<UsageType, number>> {
  const none = Object.fromEntries(USAGE_TYPES.map((type) => [type, 0])) as Record<UsageType, number>;
  return { ...none, ...costs };
}
