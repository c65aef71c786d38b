import type { MethodVersion } from "#report";

/**
 * All versions of the scoring, newest first. Add one whenever the same evidence can give another score. The texts
 * describe each change by its id, which is never used again.
 */
export const SCORING_VERSIONS = [
  {
    version: 4,
    date: "2026-11-23",
    changes: [
      "unknown_is_neutral",
      "agreed_proxy_suspicious",
      "listed_not_pristine",
      "medium_needs_anonymity",
      "outvoted_hosting",
      "range_by_kind",
      "regions_by_use",
      "five_lists_count",
    ],
  },
  {
    version: 3,
    date: "2026-11-22",
    changes: [
      "range_by_coverage",
      "lists_by_voices",
      "consensus_is_authority",
      "accusations_carried",
      "remote_access_ports",
      "undocumented_codes",
    ],
  },
  {
    version: 2,
    date: "2026-11-21",
    changes: [
      "lists_weigh_more",
      "agreed_vpn_not_clean",
      "infrastructure_in_full",
      "subnet_by_half",
      "verdict_tells_thinness",
      "regions_by_vendor",
      "calibrated",
      "age_lowers_confidence",
    ],
  },
  { version: 1, date: "2026-11-21", changes: ["first_rules"] },
] as const satisfies readonly MethodVersion[];

/** The current version: a stored survey of another one is scored again when it is read. */
export const SCORING_VERSION: number = SCORING_VERSIONS[0].version;

export type ChangeId = (typeof SCORING_VERSIONS)[number]["changes"][number];
