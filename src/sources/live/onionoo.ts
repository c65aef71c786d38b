import * as v from "valibot";
import type { Address } from "#address";
import type { Listing } from "#evidence";
import { UpstreamError } from "#upstream";
import { httpSource } from "../http_source.ts";
import { isSameAddress } from "../read_answer.ts";

const FIELDS = "or_addresses,exit_addresses,flags,running,exit_policy_v6_summary";
const MAX_ADDRESSES = 64;

const texts = v.optional(v.pipe(v.array(v.string()), v.maxLength(MAX_ADDRESSES)), []);

const RelaySchema = v.object({
  or_addresses: v.pipe(v.array(v.string()), v.maxLength(MAX_ADDRESSES)),
  exit_addresses: texts,
  flags: texts,
  running: v.boolean(),
  exit_policy_v6_summary: v.optional(
    v.object({ accept: v.optional(v.array(v.string())), reject: v.optional(v.array(v.string())) }),
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
 * Onionoo, the Tor Project's directory of relays (https://metrics.torproject.org/onionoo.html). An address is an exit
 * when traffic was seen leaving from it (`exit_addresses`, IPv4 only and only where it differs from the relay's own
 * address), or when a running relay at the address may exit. Guards and middle relays are recorded without risk.
 */
export const onionoo = httpSource({
  id: "onionoo",
  name: "Tor Onionoo",
  kind: "free",
  family: "tor",
  matters: ["lists"],
  weight: 0.25,
  timeoutMs: 3500,
  hosts: ["onionoo.torproject.org"],
  request: ({ version, text }) => ({
    // Without brackets, a colon separates the name of a field from its value.
    url: `https://onionoo.torproject.org/details?search=${encodeURIComponent(version === 6 ? `[${text}]` : text)}&type=relay&fields=${FIELDS}`,
    maxBytes: 1_048_576,
    maxDepth: 12,
  }),
  answer: v.object({ relays: v.array(RelaySchema), relays_truncated: v.optional(v.number(), 0) }),
  read: ({ relays, relays_truncated }, address) => {
    // The search matches prefixes of an address: 192.0.2.7 finds 192.0.2.70.
    const own = relays.filter((relay) => hasOrAddress(relay, address) || hasExitAddress(relay, address));
    if (own.some((relay) => relay.running && isExit(relay, address))) {
      return { flags: { isTor: true }, authority: ["isTor"] };
    }
    if (own.some((relay) => relay.running)) return { flags: { isTor: false }, listings: [RELAY_LISTING] };
    // A relay that does not run now may run again soon, so this says nothing.
    if (own.length > 0) return undefined;
    if (relays_truncated > 0) throw new UpstreamError("shape", "answer cut short");
    // Nobody measures from which IPv6 addresses exits send, so a missing relay proves nothing.
    return address.version === 4 ? { flags: { isTor: false } } : undefined;
  },
});

function isExit(relay: Relay, address: Address): boolean {
  if (hasExitAddress(relay, address)) return true;
  if (!relay.flags.includes("Exit") || !hasOrAddress(relay, address)) return false;
  return address.version === 4 || mayExitByIpv6(relay);
}

function hasOrAddress(relay: Relay, address: Address): boolean {
  return relay.or_addresses.some((text) => isSameAddress(hostOf(text), address));
}

function hasExitAddress(relay: Relay, address: Address): boolean {
  return relay.exit_addresses.some((text) => isSameAddress(hostOf(text), address));
}

/** The Exit flag is about IPv4. A relay without an IPv6 policy rejects every IPv6 exit. */
function mayExitByIpv6({ exit_policy_v6_summary: policy }: Relay): boolean {
  if (policy?.accept !== undefined) return policy.accept.length > 0;
  return policy?.reject !== undefined && !policy.reject.includes("1-65535");
}

/** The address of `192.0.2.7:9001` or `[2001:db8::7]:443,9001`; the ports are optional. */
function hostOf(text: string): string {
  return /^\[([^\]]*)\]/.exec(text)?.[1] ?? /^([\d.]+):[\d,-]*$/.exec(text)?.[1] ?? text;
}
