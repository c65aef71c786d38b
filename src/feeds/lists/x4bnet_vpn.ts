import type { Feed } from "../feed.ts";
import { readPlainList } from "./readers.ts";

/** X4BNet's networks of VPN operators; it includes nearly all of Apple's relay egress, so that list has precedence (https://github.com/X4BNet/lists_vpn). */
export const x4bnetVpn = {
  id: "x4bnet_vpn",
  name: "X4BNet VPN",
  family: "x4bnet",
  licence: "MIT",
  homepage: "https://github.com/X4BNet/lists_vpn",
  files: [
    {
      url: "https://raw.githubusercontent.com/X4BNet/lists_vpn/main/output/vpn/ipv4.txt",
      maxBytes: 8_388_608,
      contentTypes: ["text/plain"],
    },
    {
      url: "https://raw.githubusercontent.com/X4BNet/lists_vpn/main/output/vpn/ipv6.txt",
      maxBytes: 8_388_608,
      contentTypes: ["text/plain"],
    },
  ],
  meanings: ["vpn"],
  cadenceMs: 86_400_000,
  minRows: 3_000,
  maxRows: 150_000,
  parse: (content, sink) => readPlainList(content, sink, { meaning: "vpn" }),
} as const satisfies Feed;
