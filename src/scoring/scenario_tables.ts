import type { ScenarioId, ScenarioLevel, UsageType } from "#report";

/** The points that every finding deducts from 100 in one use case. Anonymity counts half when only one family reports it. */
export interface ScenarioTable {
  readonly usage: Readonly<Record<UsageType, number>>;
  readonly tor: number;
  readonly proxy: number;
  readonly vpn: number;
  readonly relay: number;
  readonly broadcast: number;
  /** On lists of one, two, or three and more families that accuse the address. */
  readonly lists: readonly [number, number, number];
  /** On a list of end-user space that should not send mail. */
  readonly policy: number;
  /** At the cap of abuse points; proportional below it. */
  readonly abuse: number;
  /** At the highest step of devices on the address, half at a lower step, nothing on mobile lines. */
  readonly shared: number;
  /** The category of evidence that this use case needs for a high score. */
  readonly needs: "anonymity" | "lists";
}

/**
 * One table for each use case, in the order of the report: a finding can deduct much in one use case and nothing in
 * another.
 */
export const SCENARIO_TABLES: Readonly<Record<ScenarioId, ScenarioTable>> = {
  // Services watch hosting and challenge VPNs. Mail lists have little effect.
  ai: {
    usage: usage({ hosting: 30, business: 3, unknown: 5 }),
    ...{ tor: 85, proxy: 50, vpn: 35, relay: 10, broadcast: 6, lists: [8, 16, 30], policy: 0 },
    ...{ abuse: 30, shared: 8, needs: "anonymity" },
  },
  // Services fight account farms at sign-up: everything except home and mobile lines is suspicious.
  social: {
    usage: usage({ hosting: 40, business: 8, education: 3, government: 5, unknown: 8 }),
    ...{ tor: 90, proxy: 60, vpn: 45, relay: 15, broadcast: 8, lists: [12, 24, 40], policy: 0 },
    ...{ abuse: 40, shared: 16, needs: "anonymity" },
  },
  // Licences depend on the country, so services refuse every kind of exit. Reputation has little effect.
  streaming: {
    usage: usage({ hosting: 50, business: 6, unknown: 8 }),
    ...{ tor: 95, proxy: 65, vpn: 60, relay: 40, broadcast: 15, lists: [4, 10, 20], policy: 0 },
    ...{ abuse: 10, shared: 4, needs: "anonymity" },
  },
  // Cheating and attacks matter, and the quality of the line, which no source reports.
  gaming: {
    usage: usage({ hosting: 20, unknown: 3 }),
    ...{ tor: 75, proxy: 40, vpn: 25, relay: 8, broadcast: 5, lists: [6, 14, 25], policy: 0 },
    ...{ abuse: 25, shared: 6, needs: "anonymity" },
  },
  // Payment checks refuse orders from anonymous addresses and from another country.
  ecommerce: {
    usage: usage({ hosting: 35, mobile: 3, education: 3, unknown: 6 }),
    ...{ tor: 90, proxy: 55, vpn: 45, relay: 15, broadcast: 12, lists: [12, 24, 40], policy: 0 },
    ...{ abuse: 40, shared: 10, needs: "anonymity" },
  },
  // Lists decide about mail. Mail comes from servers, not from homes.
  email: {
    usage: usage({ residential: 25, mobile: 40, hosting: 3, unknown: 5 }),
    ...{ tor: 95, proxy: 60, vpn: 40, relay: 25, broadcast: 0, lists: [35, 60, 85], policy: 45 },
    ...{ abuse: 40, shared: 12, needs: "lists" },
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

/**
 * The points that a criminal netblock or a botnet controller deducts in every use case; proportional below full weight.
 */
export const CRITICAL_LISTING_COST = 95;

function usage(costs: Partial<Record<UsageType, number>>): Readonly<Record<UsageType, number>> {
  const none = {
    residential: 0,
    business: 0,
    hosting: 0,
    mobile: 0,
    education: 0,
    government: 0,
    unknown: 0,
  };
  return { ...none, ...costs };
}
