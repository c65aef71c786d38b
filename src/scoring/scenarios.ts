import type { ScenarioId, ScenarioLevel, UsageType } from "#report";

/** What every reading takes from 100 in one use. Anonymity counts by half when a single family says so. */
export interface ScenarioTable {
  readonly usage: Readonly<Record<UsageType, number>>;
  readonly tor: number;
  readonly proxy: number;
  readonly vpn: number;
  readonly relay: number;
  readonly broadcast: number;
  /** On the accusing lists of one, two, three or more families. */
  readonly lists: readonly [number, number, number];
  /** On lists of end-user space that should not send mail. */
  readonly policy: number;
  /** At the cap of abuse points; in proportion below. */
  readonly abuse: number;
  /** At the highest step of devices on the address, half at a lower one, nothing on mobile lines. */
  readonly shared: number;
  /** The matter without which this use cannot be judged well. */
  readonly needs: "anonymity" | "lists";
}

/** One table a use, in the order of the report: what hurts in one may be nothing in another. */
export const SCENARIO_TABLES: Readonly<Record<ScenarioId, ScenarioTable>> = {
  // Hosting is watched, VPNs are challenged, mail lists hardly matter.
  ai: {
    usage: usage({ hosting: 30, business: 3, unknown: 5 }),
    ...{ tor: 85, proxy: 50, vpn: 35, relay: 10, broadcast: 6, lists: [8, 16, 30], policy: 0 },
    ...{ abuse: 30, shared: 8, needs: "anonymity" },
  },
  // Sign-up is where farms are fought: anything but a home or mobile line is suspect.
  social: {
    usage: usage({ hosting: 40, business: 8, education: 3, government: 5, unknown: 8 }),
    ...{ tor: 90, proxy: 60, vpn: 45, relay: 15, broadcast: 8, lists: [12, 24, 40], policy: 0 },
    ...{ abuse: 40, shared: 16, needs: "anonymity" },
  },
  // Licences follow the country, so every detour is refused; reputation hardly matters.
  streaming: {
    usage: usage({ hosting: 50, business: 6, unknown: 8 }),
    ...{ tor: 95, proxy: 65, vpn: 60, relay: 40, broadcast: 15, lists: [4, 10, 20], policy: 0 },
    ...{ abuse: 10, shared: 4, needs: "anonymity" },
  },
  // Cheating and floods matter, and the line's quality, which no list knows.
  gaming: {
    usage: usage({ hosting: 20, unknown: 3 }),
    ...{ tor: 75, proxy: 40, vpn: 25, relay: 8, broadcast: 5, lists: [6, 14, 25], policy: 0 },
    ...{ abuse: 25, shared: 6, needs: "anonymity" },
  },
  // Payment risk: country mismatch and anonymity cost orders.
  ecommerce: {
    usage: usage({ hosting: 35, mobile: 3, education: 3, unknown: 6 }),
    ...{ tor: 90, proxy: 55, vpn: 45, relay: 15, broadcast: 12, lists: [12, 24, 40], policy: 0 },
    ...{ abuse: 40, shared: 10, needs: "anonymity" },
  },
  // Mail is decided by lists; servers are where mail comes from, homes are not.
  email: {
    usage: usage({ residential: 25, mobile: 40, hosting: 3, unknown: 5 }),
    ...{ tor: 95, proxy: 60, vpn: 40, relay: 25, broadcast: 0, lists: [35, 60, 85], policy: 45 },
    ...{ abuse: 40, shared: 12, needs: "lists" },
  },
};

/** Lower bound of every level that carries a score, best first. */
export const LEVEL_CUTS: readonly (readonly [ScenarioLevel, number])[] = [
  ["excellent", 85],
  ["good", 70],
  ["fair", 50],
  ["poor", 25],
  ["unusable", 0],
];

/** The best score when neither anonymity nor lists were heard: the top of `fair`. */
export const UNHEARD_MOST = 69;
/** The best score when only the matter this use needs was not heard: the top of `good`. */
export const HALF_HEARD_MOST = 84;
/** The best score for AI where some vendors do not offer their service, or sources disagree on whether they do. */
export const REGION_PARTIAL_MOST = 69;
/** The best score for AI where it could not be confirmed what a vendor publishes. */
export const REGION_UNCLEAR_MOST = 84;
/** What a criminal netblock or the controller of a botnet costs every use; in proportion on less than full weight. */
export const GRAVE_COST = 95;

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
