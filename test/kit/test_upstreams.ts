import { readdirSync, readFileSync } from "node:fs";
import { isIP } from "node:net";
import { join } from "node:path";
import ANSWERS from "../fixtures/upstreams.json";
import { type DnsReply, startDnsServer } from "./dns_server.ts";
import { type GatewayServer, startGateway } from "./gateway.ts";

const FIXTURES = join(import.meta.dir, "../fixtures/sources");

/** The fields of a source's fixture that are used here. */
interface SourceFixture {
  readonly address: string;
  readonly http?: readonly { readonly host: string; readonly path: string; readonly body?: unknown }[];
}

/** All upstreams on loopback. They work, and report nothing special. Answers that a test registers later win. */
export type TestUpstreams = Awaited<ReturnType<typeof startUpstreams>>;

/** `delayMs` returns the delay of the next answer in milliseconds. */
export interface UpstreamOptions {
  readonly delayMs?: () => number;
}

/** Starts a gateway and a DNS server that answer for every source: nothing listed, an ordinary business network. */
export async function startUpstreams(options: UpstreamOptions = {}) {
  const gateway = await startGateway();
  const dns = await startDnsServer();
  const wait = options.delayMs ?? (() => 0);
  answerFromFixtures(gateway, wait);

  for (const { host, path, json, ...reply } of ANSWERS) {
    gateway.on(host, new RegExp(path), (call) => ({
      ...reply,
      delayMs: wait(),
      json: JSON.parse(JSON.stringify(json).replaceAll("ADDRESS", findAddress(call.path))),
    }));
  }
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
  const bootstrap = (prefixes: readonly string[]) => ({
    json: {
      version: "1.0",
      publication: "2026-01-01T00:00:00Z",
      services: [[prefixes, ["https://rdap.arin.net/registry/"]]],
    },
  });
  gateway.on("data.iana.org", "/rdap/ipv4.json", bootstrap(["8.0.0.0/8", "23.0.0.0/8"]));
  gateway.on("data.iana.org", "/rdap/ipv6.json", bootstrap(["2600::/12"]));

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
    /** Environment of a limpid process that uses these upstreams and no others. */
    env: {
      LIMPID_UPSTREAM_GATEWAY: gateway.url,
      LIMPID_DNS_SERVERS: dns.address,
      LIMPID_EXEMPT_CLIENTS: "127.0.0.1",
      LIMPID_ALLOW_NONCOMMERCIAL: "1",
      LIMPID_FEEDS: "0",
      LIMPID_LOG: "warn",
    },
    /** Number of queries so far, HTTP and DNS together. */
    queryCount: (): number => gateway.calls.length + dns.calls.length,
    forget(): void {
      gateway.forget();
      dns.forget();
    },
    async close(): Promise<void> {
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

/** The address in a query: a parameter, or the part of the path that is one. */
function findAddress(path: string): string {
  const { pathname, searchParams } = new URL(path, "http://gateway");
  const parts = pathname.split("/").map(decodeURIComponent);
  return searchParams.get("ip") ?? parts.findLast((part) => isIP(part) !== 0) ?? "";
}
