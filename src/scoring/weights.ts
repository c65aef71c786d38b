import type { FactorId } from "./ids.ts";

/** Points for a measure that reaches a threshold; steps stand highest first. */
export interface Step {
  readonly from: number;
  readonly points: number;
}

/** What one factor weighs. `cap` bounds its whole category; `share` is the part of other points it gives back. */
export interface Weight {
  readonly points?: number;
  /** Minimum risk that nothing offsets; stands only on two voices or an authority. */
  readonly floor?: number;
  readonly steps?: readonly Step[];
  readonly cap?: number;
  readonly share?: number;
}

/** Raised whenever the same evidence may give another score. */
export const SCORING_VERSION = 2;

/** What a flag or listing is worth that a single family alone vouches for. */
export const LONE_SHARE = 0.5;

/** What evidence is worth that is known of an IPv6 address's /64 only. */
export const SUBNET_SHARE = 0.5;

/** Reports of abuse lose half their weight in this many days, and all of it after {@link FORGOTTEN_DAYS}. */
export const HALF_LIFE_DAYS = 21;
export const FORGOTTEN_DAYS = 90;

/** Every number of the score. Points are risk: 100 minus their sum is the purity. */
export const WEIGHTS = {
  bogon: { points: 50, floor: 50 },

  /** Even a lone vendor's word makes it neutral; the floor stands on a record of exits or two voices. */
  tor_exit: { points: 62, floor: 60 },
  proxy: { points: 40 },
  vpn: { points: 32 },
  relay: { points: 8 },

  /** Known to our own tables alone it is still no pristine address. */
  hosting: { points: 22 },
  usage_unknown: { points: 3 },
  broadcast: { points: 6 },

  /** `steps` by families that list the address for abuse; `points` for each (two at most) whose code is undocumented. */
  blocklists: { steps: steps([5, 51], [4, 42], [3, 32], [2, 24], [1, 16]), points: 3 },
  severe_listing: { points: 35, floor: 70 },
  botnet_controller: { points: 35, floor: 80 },

  /** By the highest score any source gives, 0–100. */
  abuse_score: { steps: steps([75, 30], [25, 15], [1, 4]) },
  /** By attacks on record. */
  attack_history: { steps: steps([1000, 12], [100, 9], [10, 6], [1, 3]) },

  /** By number of known vulnerabilities. */
  exposed_vulnerabilities: { steps: steps([10, 8], [5, 6], [1, 4]) },
  open_ports: { points: 2 },
  /** By devices seen on the address. */
  shared_address: { steps: steps([1001, 6], [101, 3]) },

  anonymity_cap: { cap: 62 },
  network_cap: { cap: 25 },
  lists_cap: { cap: 55 },
  abuse_cap: { cap: 40 },
  exposure_cap: { cap: 10 },

  shared_line_relief: { share: 0.5 },
  residential_agreement: { points: -5 },
  verified_crawler: { share: 1 },
  public_infrastructure: { share: 1 },
} as const satisfies Readonly<Record<FactorId, Weight>>;

function steps(...rows: readonly (readonly [from: number, points: number])[]): readonly Step[] {
  return rows.map(([from, points]) => ({ from, points }));
}
