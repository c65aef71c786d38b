import { LONE_SHARE, SUBNET_SHARE } from "./weights.ts";

/** Voices behind a fact: independent families, an authority as two; `exact` are those that know the address itself. */
export interface Voices {
  readonly agreement: number;
  readonly exact: number;
}

/**
 * The part of a weight that voices carry: all of it from two on, {@link LONE_SHARE} from one. What is known of the
 * IPv6 /64 only carries {@link SUBNET_SHARE} of that; voices that know the address itself are never made less by others.
 */
export function shareOf({ agreement, exact }: Voices): number {
  return Math.max(carry(exact), carry(agreement) * SUBNET_SHARE);
}

/** Whether what is known of the /64 alone made the share what it is. */
export function isSubnetShare({ agreement, exact }: Voices): boolean {
  return carry(agreement) * SUBNET_SHARE > carry(exact);
}

function carry(voices: number): number {
  if (voices <= 0) return 0;
  return voices < 2 ? LONE_SHARE : 1;
}
