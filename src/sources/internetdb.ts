import * as v from "valibot";
import { parseAddress } from "#address";
import { UpstreamError } from "#upstream";
import { httpSource } from "./http_source.ts";

const MAX_PORTS = 256;
const MAX_VULNS = 256;
/** https://www.cve.org/Resources/General/CNA-Rules: four digits of a year, four or more of a number. */
const CVE = /^CVE-\d{4}-\d{4,19}$/;
/** The one 404 that is an answer; any other means that the service has moved. */
const NOTHING_KNOWN = "No information available";

const NothingSchema = v.object({ detail: v.literal(NOTHING_KNOWN) });

/**
 * Shodan InternetDB (https://internetdb.shodan.io/): ports and the CVEs inferred from the versions behind them.
 * Its vpn, proxy and tor tags tell what a port speaks, not what traffic leaves by it (a home router with a VPN
 * server is tagged too), and its host names are whoever points there: neither is read. IPv6 is hardly covered,
 * so silence about it would not be a word.
 */
export const internetdb = httpSource({
  id: "internetdb",
  name: "Shodan InternetDB",
  kind: "free",
  family: "shodan",
  matters: ["exposure"],
  weight: 1,
  versions: [4],
  timeoutMs: 3000,
  noncommercial: true,
  hosts: ["internetdb.shodan.io"],
  request: (address) => ({
    url: `https://internetdb.shodan.io/${address.text}`,
    as: "json",
    statuses: [404],
    maxBytes: 262_144,
    maxDepth: 8,
  }),
  answer: v.object({
    ip: v.string(),
    ports: v.array(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(65_535))),
    vulns: v.array(v.string()),
  }),
  read: ({ ip, ports, vulns }, address) => {
    if (parseAddress(ip)?.text !== address.text) throw new UpstreamError("shape", "another address");
    return {
      exposure: {
        observed: true,
        ports: [...new Set(ports)].sort((a, b) => a - b).slice(0, MAX_PORTS),
        vulns: [...new Set(vulns)]
          .filter((vuln) => CVE.test(vuln))
          .sort(compareNewest)
          .slice(0, MAX_VULNS),
      },
    };
  },
  // Never scanned and nothing found look the same: no word, and least of all a clean one.
  readStatus: (status, body) => {
    if (status === 404 && v.is(NothingSchema, body)) return undefined;
    throw new UpstreamError("status", `HTTP ${status}`);
  },
});

function compareNewest(a: string, b: string): number {
  return b.localeCompare(a, "en", { numeric: true });
}
