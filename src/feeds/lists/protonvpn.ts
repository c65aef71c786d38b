import type { Feed } from "../feed.ts";
import { readPlainList } from "./readers.ts";

const FOLDER = "https://raw.githubusercontent.com/tn3w/ProtonVPN-IPs/master/";

/**
 * Proton VPN's servers: the addresses that sites see, then those that users connect to. The operator's own list needs
 * a signed-in session, so this is a public copy of it, and not an authority (https://github.com/tn3w/ProtonVPN-IPs).
 */
export const protonvpn = {
  id: "protonvpn",
  name: "Proton VPN (tn3w copy)",
  family: "protonvpn",
  licence: "Apache-2.0",
  attribution: "TN3W",
  homepage: "https://github.com/tn3w/ProtonVPN-IPs",
  files: [
    { url: `${FOLDER}protonvpn_ips.txt`, maxBytes: 4_194_304 },
    { url: `${FOLDER}protonvpn_entry_ips.txt`, maxBytes: 4_194_304, optional: true },
  ],
  meanings: ["vpn"],
  cadenceMs: 86_400_000,
  minRows: 200,
  maxRows: 50_000,
  parse: (content, sink) => readPlainList(content, sink, { meaning: "vpn", label: "Proton VPN" }),
} as const satisfies Feed;
