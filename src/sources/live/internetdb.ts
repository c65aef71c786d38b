import * as v from "valibot";
import { httpSource } from "../http_source.ts";
import { checkAddress } from "../read_answer.ts";

const MAX_PORTS = 256;
const MAX_VULNS = 256;
/** https://www.cve.org/Resources/General/CNA-Rules: a year of four digits, a number of four or more. */
const CVE = /^CVE-\d{4}-\d{4,19}$/;
/** The answer for "never scanned" and for "nothing found" is the same, so it says nothing about the address. */
const NotFoundSchema = v.object({ detail: v.literal("No information available") });

/**
 * Shodan InternetDB (https://internetdb.shodan.io/): open ports, and CVEs inferred from the versions behind them. Its
 * vpn, proxy and tor tags are not read: they describe the protocol of a port, not the traffic that leaves the address
 * (a home router with a VPN server has one too). Its host names are not read: anyone can point a name at an address. It
 * has few IPv6 addresses, so it is not asked about them.
 */
export const internetdb = httpSource({
  id: "internetdb",
  name: "Shodan InternetDB",
  kind: "free",
  family: "shodan",
  matters: ["exposure"],
  weight: 1,
  versions: [4],
  noncommercial: true,
  hosts: ["internetdb.shodan.io"],
  request: (address) => ({ url: `https://internetdb.shodan.io/${address.text}`, maxBytes: 262_144 }),
  answer: v.object({
    ip: v.string(),
    ports: v.array(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(65_535))),
    vulns: v.array(v.string()),
  }),
  read: ({ ip, ports, vulns }, address) => {
    checkAddress(ip, address);
    return {
      exposure: {
        observed: true,
        ports: [...new Set(ports)].sort((a, b) => a - b).slice(0, MAX_PORTS),
        vulns: [...new Set(vulns)]
          .filter((vuln) => CVE.test(vuln))
          .sort((a, b) => b.localeCompare(a, "en", { numeric: true }))
          .slice(0, MAX_VULNS),
      },
    };
  },
  notFound: NotFoundSchema,
});
