import type { Address, Prefix } from "#address";

/** Whose word counts: proxies whose `X-Forwarded-For` is believed, and clients that no limit applies to. */
export interface ClientRules {
  readonly trustedProxies: readonly Prefix[];
  /** Judged after the proxy rules: what matters is the client behind the proxies, not the peer. */
  readonly exempt: readonly Prefix[];
}

/**
 * Who is asking. `key` is what limits are kept by: IPv4 text, the text of an IPv6 /64, or "unknown".
 * `address` is absent when the peer has no address that can be read.
 */
export interface Client {
  readonly address?: Address;
  readonly key: string;
  readonly exempt: boolean;
}
