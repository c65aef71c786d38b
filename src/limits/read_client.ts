import { type Address, isWithin, type Prefix, parseAddress, subnet64 } from "#address";
import type { Client, ClientRules } from "./client.ts";

/** More hops than any honest chain of proxies has. */
const MAX_HOPS = 32;

/** "[ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255]:65535" and some blanks. */
const MAX_HOP_LENGTH = 64;

/** All clients without a readable address share one allowance. */
const UNKNOWN_KEY = "unknown";

/**
 * Tells who is asking: the TCP peer, or behind trusted proxies the right-most hop of `X-Forwarded-For` that is not
 * one of them. The header is read only when the peer is trusted, from the right, at most 32 hops; a hop that is not
 * an address (with or without port) ends the walk at the trusted address before it. When every hop is trusted, the
 * left-most one is the client. `peer` is the address text of the connection, undefined where there is none.
 */
export function readClient(headers: Headers, peer: string | undefined, rules: ClientRules): Client {
  const peerAddress = peer === undefined ? undefined : parsePeer(peer);
  if (peerAddress === undefined) return { key: UNKNOWN_KEY, exempt: false };
  const address = isTrusted(peerAddress, rules) ? walk(headers, peerAddress, rules) : peerAddress;
  return { address, key: clientKey(address), exempt: isAmong(address, rules.exempt) };
}

/** The system may name the interface of a link-local peer: "fe80::1%eth0". */
function parsePeer(peer: string): Address | undefined {
  const zone = peer.indexOf("%");
  return parseAddress(zone < 0 ? peer : peer.slice(0, zone));
}

function clientKey(address: Address): string {
  return address.version === 4 ? address.text : subnet64(address).text;
}

function isTrusted(address: Address, rules: ClientRules): boolean {
  return isAmong(address, rules.trustedProxies);
}

function isAmong(address: Address, prefixes: readonly Prefix[]): boolean {
  return prefixes.some((prefix) => isWithin(address, prefix));
}

function walk(headers: Headers, peer: Address, rules: ClientRules): Address {
  const forwarded = headers.get("x-forwarded-for");
  let client = peer;
  if (forwarded === null) return client;
  let end = forwarded.length;
  for (let hops = 0; hops < MAX_HOPS && end >= 0; hops++) {
    const comma = end === 0 ? -1 : forwarded.lastIndexOf(",", end - 1);
    if (end - comma - 1 > MAX_HOP_LENGTH) break;
    const hop = parseHop(forwarded.slice(comma + 1, end));
    if (hop === undefined) break;
    client = hop;
    if (!isTrusted(hop, rules)) break;
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
  if (colon < 0 || !isPort(hop.slice(colon + 1))) return undefined;
  const host = hop.slice(0, colon);
  // Without brackets nobody can tell a port from the last group of an IPv6 address.
  return host.includes(":") && !host.startsWith("[") ? undefined : parseAddress(host);
}

function isPort(text: string): boolean {
  return /^[0-9]{1,5}$/.test(text) && Number(text) <= 65535;
}
