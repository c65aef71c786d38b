import * as v from "valibot";
import { type Address, parseAddress } from "#address";
import type { Listing } from "#evidence";
import { UpstreamError } from "#upstream";
import { httpSource } from "./http_source.ts";

const FIELDS = "or_addresses,exit_addresses,flags,running,exit_policy_v6_summary";
const MAX_ADDRESSES = 64;

const texts = v.optional(v.pipe(v.array(v.string()), v.maxLength(MAX_ADDRESSES)), []);

const RelaySchema = v.object({
  or_addresses: v.pipe(v.array(v.string()), v.maxLength(MAX_ADDRESSES)),
  exit_addresses: texts,
  flags: texts,
  running: v.boolean(),
  exit_policy_v6_summary: v.optional(
    v.object({
      accept: v.optional(v.array(v.string())),
      reject: v.optional(v.array(v.string())),
    }),
  ),
});
type Relay = v.InferOutput<typeof RelaySchema>;

const RELAY_LISTING: Listing = {
  zone: "tor_relays",
  label: "Tor relays",
  listed: true,
  codes: ["relay, no exit"],
  meanings: ["info"],
};

/**
 * Onionoo, the Tor Project's directory of relays (https://metrics.torproject.org/onionoo.html). An exit is what was
 * seen exiting (`exit_addresses`, IPv4 only and only where it differs from the relay's own address) or what may exit
 * and runs at the address. Guards and middle relays hide nobody: they are recorded without meaning for risk.
 */
export const onionoo = httpSource({
  id: "onionoo",
  name: "Tor Onionoo",
  kind: "free",
  family: "tor",
  matters: ["lists"],
  weight: 0.25,
  versions: [4, 6],
  timeoutMs: 3500,
  hosts: ["onionoo.torproject.org"],
  request: (address) => ({
    url: `https://onionoo.torproject.org/details?search=${encodeURIComponent(searchTerm(address))}&type=relay&fields=${FIELDS}`,
    as: "json",
    maxBytes: 1_048_576,
    maxDepth: 12,
  }),
  answer: v.object({
    relays: v.array(RelaySchema),
    relays_truncated: v.optional(v.number(), 0),
  }),
  read: ({ relays, relays_truncated }, address) => {
    // The search takes the beginning of an address for a match: 192.0.2.7 finds 192.0.2.70.
    const own = relays.filter((relay) => isAt(relay, address) || wasSeenExiting(relay, address));
    if (own.some((relay) => relay.running && isExit(relay, address))) {
      return { flags: { isTor: true }, authority: ["isTor"] };
    }
    if (own.some((relay) => relay.running)) return { flags: { isTor: false }, listings: [RELAY_LISTING] };
    // Down for now, or not: an exit that comes back is one again.
    if (own.length > 0) return undefined;
    if (relays_truncated > 0) throw new UpstreamError("shape", "answer cut short");
    // Nobody measures by which IPv6 addresses exits leave, so a relay that is not here proves nothing.
    return address.version === 4 ? { flags: { isTor: false } } : undefined;
  },
});

/** Without the brackets a colon would separate the name of a field from its value. */
function searchTerm(address: Address): string {
  return address.version === 6 ? `[${address.text}]` : address.text;
}

function isExit(relay: Relay, address: Address): boolean {
  if (wasSeenExiting(relay, address)) return true;
  if (!relay.flags.includes("Exit") || !isAt(relay, address)) return false;
  return address.version === 4 || mayExitByIpv6(relay);
}

function isAt(relay: Relay, address: Address): boolean {
  return relay.or_addresses.some((text) => parseAddress(hostOf(text))?.text === address.text);
}

function wasSeenExiting(relay: Relay, address: Address): boolean {
  return relay.exit_addresses.some((text) => parseAddress(hostOf(text))?.text === address.text);
}

/** The flag speaks of IPv4. Without a policy of its own a relay rejects every IPv6 exit. */
function mayExitByIpv6({ exit_policy_v6_summary: policy }: Relay): boolean {
  if (policy?.accept !== undefined) return policy.accept.length > 0;
  return policy?.reject !== undefined && !policy.reject.includes("1-65535");
}

/** `192.0.2.7:9001`, `[2001:db8::7]:443,9001`, or without ports. */
function hostOf(text: string): string {
  return /^\[([^\]]*)\]/.exec(text)?.[1] ?? /^([\d.]+):[\d,-]*$/.exec(text)?.[1] ?? text;
}
