import type { Rule } from "../rule.ts";
import { WEIGHTS } from "../weights.ts";

/**
 * The usual ports of SOCKS, HTTP proxies, Tor, OpenVPN, PPTP, IPsec and WireGuard, by the IANA registry
 * (https://www.iana.org/assignments/service-names-port-numbers) and the defaults of their programs.
 */
const EXIT_PORTS: ReadonlySet<number> = new Set([500, 1080, 1194, 1723, 3128, 4500, 8080, 8118, 9050, 51820]);

/** The ports of SSH, Telnet, Remote Desktop and VNC, by the same registry. */
const REMOTE_ACCESS_PORTS: ReadonlySet<number> = new Set([22, 23, 3389, 5900]);

/**
 * Usual ports of proxies and VPNs are open, or ports of remote access where no server is expected: a data centre's
 * servers are administered over them. This is a weak hint, because other services use these ports too.
 */
export const openPorts: Rule = {
  id: "open_ports",
  category: "exposure",
  judge: ({ exposure, usage, flags, infrastructure }) => {
    const isServer = usage.type === "hosting" || flags.isHosting.value || infrastructure !== undefined;
    const ports = (exposure?.ports ?? [])
      .filter((port) => EXIT_PORTS.has(port) || (!isServer && REMOTE_ACCESS_PORTS.has(port)))
      .map(String);
    return ports.length === 0 ? undefined : { ...WEIGHTS.open_ports, data: { ports } };
  },
};
