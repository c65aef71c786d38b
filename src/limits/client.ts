import { type Address, isWithin, type Prefix, parseAddress, subnet64 } from "#address";

/** Which proxies are trusted, and which clients have no limits. */
export interface ClientRules {
  /** Proxies whose `X-Forwarded-For` is used. */
  readonly trustedProxies: readonly Prefix[];
  /** Compared with the client behind the proxies, not with the peer. */
  readonly exempt: readonly Prefix[];
}

/**
 * The sender of a request. `key` identifies the client for limits: the text of an IPv4 address or of an IPv6 /64, or
 * "unknown". `address` is absent when the address of the peer cannot be read.
 */
export interface Client {
  readonly address?: Address;
  readonly key: string;
  readonly exempt: boolean;
}

/** Real chains of proxies have fewer hops. */
const MAX_HOPS = 32;

/** The longest hop is "[ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255]:65535"; the rest is for blanks. */
const MAX_HOP_LENGTH = 64;

/** All clients without a readable address share one key. */
const UNKNOWN_KEY = "unknown";

/**
 * Finds the client of a request: the TCP peer or, behind trusted proxies, the right-most hop of `X-Forwarded-For` that
 * is not one of them. The header is read only when the peer is trusted, from the right, at most 32 hops. A hop that is
 * not an address (with or without a port) ends the search at the trusted address before it. When every hop is trusted,
 * the left-most one is the client. `peer` is the address text of the connection, undefined where there is none.
 */
export function readClient(headers: Headers, peer: string | undefined, rules: ClientRules): Client {
  const peerAddress = peer === undefined ? undefined : parsePeer(peer);
  if (peerAddress === undefined) return { key: UNKNOWN_KEY, exempt: false };
  const address = isAmong(peerAddress, rules.trustedProxies)
    ? (readForwarded(headers, rules.trustedProxies) ?? peerAddress)
    : peerAddress;
  return { address, key: keyOf(address), exempt: isAmong(address, rules.exempt) };
}

/**
 * Finds the client as {@link readClient} does, but only if a trusted proxy names it in `X-Forwarded-For`. Undefined for
 * a direct peer, and for a proxy whose header has no address at its right end.
 */
export function readForwardedClient(
  headers: Headers,
  peer: string | undefined,
  { trustedProxies }: Pick<ClientRules, "trustedProxies">,
): Address | undefined {
  const peerAddress = peer === undefined ? undefined : parsePeer(peer);
  if (peerAddress === undefined || !isAmong(peerAddress, trustedProxies)) return undefined;
  return readForwarded(headers, trustedProxies);
}

/** The system may add the interface to a link-local peer: "fe80::1%eth0". */
function parsePeer(peer: string): Address | undefined {
  const zone = peer.indexOf("%");
  return parseAddress(zone < 0 ? peer : peer.slice(0, zone));
}

function keyOf(address: Address): string {
  return address.version === 4 ? address.text : subnet64(address).text;
}

function isAmong(address: Address, prefixes: readonly Prefix[]): boolean {
  return prefixes.some((prefix) => isWithin(address, prefix));
}

function readForwarded(headers: Headers, trustedProxies: readonly Prefix[]): Address | undefined {
  const forwarded = headers.get("x-forwarded-for");
  let client: Address | undefined;
  if (forwarded === null) return client;
  let end = forwarded.length;
  for (let hops = 0; hops < MAX_HOPS && end >= 0; hops++) {
    const comma = end === 0 ? -1 : forwarded.lastIndexOf(",", end - 1);
    if (end - comma - 1 > MAX_HOP_LENGTH) break;
    // The client's key stays in memory, and a slice of a long header would keep the whole header with it.
    const hop = parseHop(Buffer.from(forwarded.slice(comma + 1, end)).toString());
    if (hop === undefined) break;
    client = hop;
    if (!isAmong(hop, trustedProxies)) break;
    end = comma;
  }
  return client;
}

/** An address as proxies write it: bare, in brackets, or with a port after IPv4 or after brackets. */
function parseHop(text: string): Address | undefined {
  const hop = text.replace(/^[ \t]+|[ \t]+$/g, "");
  const whole = parseAddress(hop);
  if (whole !== undefined) return whole;
  const colon = hop.lastIndexOf(":");
  const port = hop.slice(colon + 1);
  if (colon < 0 || !/^[0-9]{1,5}$/.test(port) || Number(port) > 65535) return undefined;
  const host = hop.slice(0, colon);
  // Without brackets a port looks like the last group of an IPv6 address.
  return host.includes(":") && !host.startsWith("[") ? undefined : parseAddress(host);
}
