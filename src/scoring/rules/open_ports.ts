import type { Rule } from "../rule.ts";
import { WEIGHTS } from "../weights.ts";

/**
 * The usual ports of SOCKS, HTTP proxies, Tor, OpenVPN, PPTP, IPsec and WireGuard, by the IANA registry
 * (https://www.iana.org/assignments/service-names-port-numbers) and the defaults of their programs.
 */
const EXIT_PORTS: ReadonlySet<number> = new Set([500, 1080, 1194, 1723, 3128, 4500, 8080, 8118, 9050, 51820]);

/** Usual ports of proxies and VPNs are open. This is a weak hint, because other services use these ports too. */
export const openPorts: Rule = {
  id: "open_ports",
  category: "exposure",
  judge: ({ exposure }) => {
    const ports = (exposure?.ports ?? []).filter((port) => EXIT_PORTS.has(port)).map(String);
    return ports.length === 0 ? undefined : { ...WEIGHTS.open_ports, data: { ports } };
  },
};
