import type { MethodRule, Step } from "#report";
import type { FactorId } from "./ids.ts";

/** The numbers of one factor. */
export type Weight = Omit<MethodRule, "id" | "category">;

/** The part of its weight that a flag or listing has when only one family reports it. */
export const LONE_SHARE = 0.5;

/** The part of its weight that evidence about the /64 of an IPv6 address has. */
export const SUBNET_SHARE = 0.5;

/** What a second and each further list of one family counts, as a part of a list of another family. At most 1 in all. */
export const FURTHER_LIST = 0.25;

/** Reports of abuse lose half their weight in this many days, and all of it after {@link FORGOTTEN_DAYS}. */
export const HALF_LIFE_DAYS = 21;
export const FORGOTTEN_DAYS = 90;

/** Accusations of a source that no longer answers lose half their weight in this many days after it was lost. */
export const CARRIED_HALF_LIFE_DAYS = 7;

/** Every number of the score. Points are risk: the purity is 100 minus their sum. A change needs a new version. */
export const WEIGHTS = {
  bogon: { points: 50, floor: 50 },

  /** One vendor alone makes the address neutral. */
  tor_exit: { points: 62, floor: 60 },
  /** Two vendors make even an agreed home line suspicious. */
  proxy: { points: 56 },
  vpn: { points: 32 },
  relay: { points: 8 },

  /** A hosting entry of our own tables alone is enough to prevent the band `pristine`. */
  hosting: { points: 22 },
  usage_unknown: { points: 3 },
  broadcast: { points: 6 },

  /** `steps` by voices that list the address for abuse, in proportion between them. `least`: a listed address is not pristine. */
  blocklists: { least: 11, steps: steps([5, 51], [4, 42], [3, 32], [2, 24], [1, 16]) },
  severe_listing: { points: 35, floor: 70 },
  botnet_controller: { points: 35, floor: 80 },

  /** By the highest score of a source, 0–100. */
  abuse_score: { steps: steps([75, 30], [25, 15], [1, 4]) },
  /** By number of attacks. */
  attack_history: { steps: steps([1000, 12], [100, 9], [10, 6], [1, 3]) },

  /** By number of known vulnerabilities. */
  exposed_vulnerabilities: { steps: steps([10, 8], [5, 6], [1, 4]) },
  open_ports: { points: 2 },
  /** By number of devices on the address. */
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
  carried_fading: { share: 1 },
  not_obtained: { counted: { least: 0.25, enough: 0.6, most: 89 } },
} as const satisfies Readonly<Record<FactorId, Weight>>;

function steps(...rows: readonly (readonly [from: number, points: number])[]): readonly Step[] {
  return rows.map(([from, points]) => ({ from, points }));
}
