import type { Rule } from "../rule.ts";
import { WEIGHTS } from "../weights.ts";

/** SOCKS, HTTP proxies, Tor, OpenVPN, PPTP, IPsec and WireGuard at their customary ports. */
const EXIT_PORTS: ReadonlySet<number> = new Set([500, 1080, 1194, 1723, 3128, 4500, 8080, 8118, 9050, 51820]);

/** Ports at which proxies and VPNs customarily listen: a weak hint, other services use them as well. */
export const openPorts: Rule = {
  id: "open_ports",
  category: "exposure",
  judge: ({ exposure }) => {
    const ports = (exposure?.ports ?? []).filter((port) => EXIT_PORTS.has(port)).map(String);
    return ports.length === 0 ? undefined : { ...WEIGHTS.open_ports, data: { ports } };
  },
};
