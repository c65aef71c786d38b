import { type DnsReply, type DnsServer, startDnsServer } from "./dns_server.ts";
import { type GatewayServer, startGateway } from "./gateway.ts";

/** Every upstream on loopback, in good health and with little to say. Later answers registered on it win. */
export interface World {
  readonly gateway: GatewayServer;
  readonly dns: DnsServer;
  /** What a limpid process needs to ask this world and no other. */
  readonly env: Readonly<Record<string, string>>;
  /** Questions asked so far, HTTP and DNS together. */
  questions(): number;
  forget(): void;
  close(): Promise<void>;
}

/** How long an answer waits, asked anew for each. */
export interface WorldOptions {
  readonly delayMs?: () => number;
}

/** Starts a gateway and a DNS server that answer for every source: nothing listed, an ordinary business line. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const gateway = await startGateway();
  const dns = await startDnsServer();
  const wait = options.delayMs ?? (() => 0);

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
      endAddress: "8.255.255.255",
      ipVersion: "v4",
      name: "EXAMPLE-NET",
      port43: "whois.arin.net",
      cidr0_cidrs: [{ v4prefix: "8.0.0.0", length: 8 }],
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
    questions: () => gateway.calls.length + dns.calls.length,
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
