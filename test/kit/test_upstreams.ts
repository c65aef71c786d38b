import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type DnsReply, type DnsServer, startDnsServer } from "./dns_server.ts";
import { type GatewayServer, startGateway } from "./gateway.ts";

const FIXTURES = join(import.meta.dir, "../fixtures/sources");

/** The fields of a source's fixture that are used here. */
interface SourceFixture {
  readonly address: string;
  readonly http?: readonly { readonly host: string; readonly path: string; readonly body?: unknown }[];
}

/** All upstreams on loopback. They work, and report nothing special. Answers that a test registers later win. */
export interface TestUpstreams {
  readonly gateway: GatewayServer;
  readonly dns: DnsServer;
  /** Environment of a limpid process that uses these upstreams and no others. */
  readonly env: Readonly<Record<string, string>>;
  /** Number of queries so far, HTTP and DNS together. */
  queryCount(): number;
  forget(): void;
  close(): Promise<void>;
}

/** `delayMs` returns the delay of the next answer in milliseconds. */
export interface UpstreamOptions {
  readonly delayMs?: () => number;
}

/** Starts a gateway and a DNS server that answer for every source: nothing listed, an ordinary business network. */
export async function startUpstreams(options: UpstreamOptions = {}): Promise<TestUpstreams> {
  const gateway = await startGateway();
  const dns = await startDnsServer();
  const wait = options.delayMs ?? (() => 0);
  answerFromFixtures(gateway, wait);

  gateway.on("proxycheck.io", /./, (call) => {
    const ip = decodeURIComponent(/\/v3\/([^?]+)/.exec(call.path)?.[1] ?? "");
    return {
      delayMs: wait(),
      json: {
        status: "ok",
        [ip]: {
          network: {
            asn: "AS64500",
            range: null,
            hostname: null,
            provider: "Example Net",
            organisation: "Example Net",
            type: "Business",
          },
          location: {
            country_code: "US",
            country_name: "United States",
            region_name: "Ohio",
            city_name: "Columbus",
            timezone: "America/New_York",
          },
          device_estimate: { address: 2, subnet: 9 },
          detections: {
            proxy: false,
            vpn: false,
            compromised: false,
            scraper: false,
            tor: false,
            hosting: false,
            anonymous: false,
            risk: 0,
            confidence: 100,
            first_seen: null,
            last_seen: null,
          },
          detection_history: null,
          attack_history: null,
          operator: null,
          last_updated: "2026-01-15T00:00:00Z",
        },
        query_time: 3,
      },
    };
  });
  gateway.on("internetdb.shodan.io", /./, () => ({
    delayMs: wait(),
    status: 404,
    json: { detail: "No information available" },
  }));
  gateway.on("api.greynoise.io", /./, (call) => ({
    delayMs: wait(),
    status: 404,
    json: {
      ip: lastOf(call.path),
      noise: false,
      riot: false,
      message: "IP not observed scanning the internet or contained in RIOT data set.",
    },
  }));
  gateway.on("api.stopforumspam.org", /./, (call) => ({
    delayMs: wait(),
    json: {
      success: 1,
      ip: { value: new URLSearchParams(call.path.split("?")[1]).get("ip"), frequency: 0, appears: 0 },
    },
  }));
  gateway.on("api.ip2location.io", /./, (call) => ({
    delayMs: wait(),
    json: {
      ip: new URLSearchParams(call.path.split("?")[1]).get("ip"),
      country_code: "US",
      region_name: "Ohio",
      city_name: "Columbus",
      asn: "64500",
      as: "Example Net",
      is_proxy: false,
    },
  }));
  gateway.on("api.ipquery.io", /./, (call) => ({
    delayMs: wait(),
    json: {
      ip: lastOf(call.path),
      isp: { asn: "AS64500", org: "Example Net", isp: "Example Net" },
      location: { country_code: "US", state: "Ohio", city: "Columbus", timezone: "America/New_York" },
      risk: {
        is_mobile: false,
        is_vpn: false,
        is_tor: false,
        is_proxy: false,
        is_datacenter: false,
        risk_score: 0,
      },
    },
  }));
  gateway.on("iplocate.io", /./, (call) => ({
    delayMs: wait(),
    json: {
      ip: lastOf(call.path),
      country_code: "US",
      asn: { asn: "AS64500", name: "Example Net", type: "business" },
      company: { name: "Example Net", type: "business" },
      privacy: {
        is_hosting: false,
        is_icloud_relay: false,
        is_proxy: false,
        is_tor: false,
        is_vpn: false,
      },
    },
  }));
  gateway.on("isc.sans.edu", /./, (call) => ({
    delayMs: wait(),
    json: { ip: { number: lastOf(call.path), count: null, attacks: null, as: 64500, asname: "EXAMPLE-NET" } },
  }));
  gateway.on("api.blocklist.de", /./, () => ({ delayMs: wait(), json: { attacks: 0, reports: 0 } }));
  gateway.on("onionoo.torproject.org", /./, () => ({
    delayMs: wait(),
    json: { version: "8.0", relays_published: "2026-01-15 00:00:00", relays: [], bridges: [] },
  }));
  gateway.on("stat.ripe.net", /./, (call) => ({
    delayMs: wait(),
    json: {
      status: "ok",
      data_call_status: "supported",
      data: {
        announced: true,
        resource:
          new URLSearchParams(call.path.split("?")[1]).get("resource")?.includes(":") === true
            ? "2600::/12"
            : "8.0.0.0/9",
        asns: [{ asn: 64500, holder: "EXAMPLE-NET - Example Net" }],
      },
    },
  }));
  gateway.on("cti.api.crowdsec.net", /./, () => ({
    delayMs: wait(),
    status: 404,
    json: { message: "IP address information not found" },
  }));
  gateway.on("otx.alienvault.com", /./, (call) => ({
    delayMs: wait(),
    json: { indicator: call.path.split("/")[5], pulse_info: { count: 0, pulses: [] } },
  }));
  const bootstrap = (prefixes: readonly string[]) => ({
    json: {
      version: "1.0",
      publication: "2026-01-01T00:00:00Z",
      services: [[prefixes, ["https://rdap.arin.net/registry/"]]],
    },
  });
  gateway.on("data.iana.org", "/rdap/ipv4.json", bootstrap(["8.0.0.0/8", "23.0.0.0/8"]));
  gateway.on("data.iana.org", "/rdap/ipv6.json", bootstrap(["2600::/12"]));
  gateway.on("rdap.arin.net", /^\/registry\/ip\//, () => ({
    delayMs: wait(),
    headers: { "content-type": "application/rdap+json" },
    json: {
      objectClassName: "ip network",
      handle: "NET-EXAMPLE-1",
      startAddress: "8.0.0.0",
      endAddress: "8.127.255.255",
      ipVersion: "v4",
      name: "EXAMPLE-NET",
      port43: "whois.arin.net",
      cidr0_cidrs: [{ v4prefix: "8.0.0.0", length: 9 }],
      entities: [],
    },
  }));

  async function denyExistence(): Promise<DnsReply> {
    const delayMs = wait();
    if (delayMs > 0) await Bun.sleep(delayMs);
    return "NXDOMAIN";
  }
  // Nothing is listed, and every zone passes its self-test (RFC 5782: 127.0.0.2 listed, 127.0.0.1 not).
  dns.on(/./, "A", denyExistence);
  dns.on(/^2\.0\.0\.(?:127|0\.0\.0\.f\.7\.f\.f\.f\.f)\./, "A", ["127.0.0.2"]);
  dns.on(/./, "PTR", denyExistence);
  dns.on(/\.origin6?\.asn\.cymru\.com$/, "TXT", async () => ({
    records: ["64500 | 8.0.0.0/9 | US | arin | 1992-12-01"],
    delayMs: wait(),
  }));
  dns.on("as64500.asn.cymru.com", "TXT", ["64500 | US | arin | 2000-03-30 | EXAMPLE-NET, US"]);

  return {
    gateway,
    dns,
    env: {
      LIMPID_UPSTREAM_GATEWAY: gateway.url,
      LIMPID_DNS_SERVERS: dns.address,
      LIMPID_EXEMPT_CLIENTS: "127.0.0.1",
      LIMPID_ALLOW_NONCOMMERCIAL: "1",
      LIMPID_FEEDS: "0",
      LIMPID_LOG: "warn",
    },
    queryCount: () => gateway.calls.length + dns.calls.length,
    forget() {
      gateway.forget();
      dns.forget();
    },
    async close() {
      await gateway.close();
      await dns.close();
    },
  };
}

/**
 * Lets every source answer as in its fixture `clean`, with the queried address in place of the fixture's. The
 * answers above replace this for most sources; a new source needs no change here.
 */
function answerFromFixtures(gateway: GatewayServer, wait: () => number): void {
  for (const name of readdirSync(FIXTURES)) {
    // Fixtures are our own files; other tests check their form.
    const fixtures: Record<string, SourceFixture> = JSON.parse(readFileSync(join(FIXTURES, name), "utf8"));
    const { address = "", http = [] } = fixtures.clean ?? {};
    for (const { host, path, body } of http) {
      const [before = "", ...rest] = path.split(encodeURIComponent(address));
      if (rest.length === 0) continue;
      const pattern = new RegExp(`^${before.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}([^/?&]+)`);
      gateway.on(host, pattern, (call) => {
        const asked = decodeURIComponent(pattern.exec(call.path)?.[1] ?? "");
        const text = JSON.stringify(body ?? null).replaceAll(address, asked);
        return { delayMs: wait(), text, headers: { "content-type": "application/json" } };
      });
    }
  }
}

/** The last part of the path of a query: the address. */
function lastOf(path: string): string {
  return decodeURIComponent(/([^/?]+)(?:\?|$)/.exec(path)?.[1] ?? "");
}
