import type { DnsReply, Reply, TestUpstreams } from "#kit";
import { SOURCES, upstreamHosts } from "#sources";

/** Hosts that are asked over HTTP. The file of registries is not spoiled: it is read once a day. */
const HOSTS = upstreamHosts(SOURCES).filter((host) => host !== "data.iana.org");

const HTTP_FAULTS: readonly Reply[] = [
  { fault: "reset" },
  { fault: "hang" },
  { text: "<!doctype html><title>Just a moment</title>" },
  { status: 503, text: "unavailable" },
  { status: 500, json: { error: "internal" } },
  { delayMs: 3000, json: {} },
  { json: { country_code: "US" }, fault: "truncate" },
  { json: { country_code: "US", padding: "x".repeat(200) }, fault: "drip", dripMs: 100 },
  { bytes: new Uint8Array(512 * 1024), headers: { "content-type": "application/json" } },
  { status: 429, headers: { "retry-after": "1" }, json: {} },
];

const DNS_FAULTS: readonly DnsReply[] = ["SILENCE", "SERVFAIL", "REFUSED", "GARBAGE", "TRUNCATED"];

/** A pattern that matches a given number of times, on any text. */
class Chance extends RegExp {
  readonly #share: number;

  constructor(share: number) {
    super(".");
    this.#share = share;
  }

  override test(): boolean {
    return Math.random() < this.#share;
  }
}

/** From now on this share of all queries gets a fault, each kind in turn. */
export function spoilUpstreams({ gateway, dns }: TestUpstreams, share: number): void {
  let turn = 0;
  for (const host of HOSTS) {
    gateway.on(host, new Chance(share), () => {
      turn += 1;
      return HTTP_FAULTS[turn % HTTP_FAULTS.length] ?? {};
    });
  }
  for (const type of ["A", "TXT", "PTR"] as const) {
    dns.on(new Chance(share), type, () => {
      turn += 1;
      return DNS_FAULTS[turn % DNS_FAULTS.length] ?? "SERVFAIL";
    });
  }
}

/** From now on no upstream answers. */
export function hangUpstreams({ gateway, dns }: TestUpstreams): void {
  for (const host of [...HOSTS, "data.iana.org"]) gateway.on(host, /./, { fault: "hang" });
  for (const type of ["A", "TXT", "PTR"] as const) dns.on(/./, type, "SILENCE");
}
