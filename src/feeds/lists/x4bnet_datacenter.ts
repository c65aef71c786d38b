import type { Feed } from "../feed.ts";
import { readPlainList } from "./readers.ts";

/** X4BNet's networks of VPN operators and data centres: whole networks, so it is coarse (https://github.com/X4BNet/lists_vpn). */
export const x4bnetDatacenter = {
  id: "x4bnet_datacenter",
  name: "X4BNet datacenter",
  family: "x4bnet",
  licence: "MIT",
  homepage: "https://github.com/X4BNet/lists_vpn",
  files: [
    {
      url: "https://raw.githubusercontent.com/X4BNet/lists_vpn/main/output/datacenter/ipv4.txt",
      maxBytes: 16_777_216,
      contentTypes: ["text/plain"],
    },
    {
      url: "https://raw.githubusercontent.com/X4BNet/lists_vpn/main/output/datacenter/ipv6.txt",
      maxBytes: 16_777_216,
      contentTypes: ["text/plain"],
    },
  ],
  meanings: ["hosting"],
  cadenceMs: 86_400_000,
  minRows: 15_000,
  maxRows: 500_000,
  parse: (content, sink) => readPlainList(content, sink, { meaning: "hosting" }),
} as const satisfies Feed;
