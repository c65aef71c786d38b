import type { Feed } from "../feed.ts";
import { readGeofeed } from "./readers.ts";

/**
 * Egress of Apple's iCloud Private Relay: a paying, signed-in person in the region that Apple chose.
 * The format is a geofeed (https://developer.apple.com/icloud/prepare-your-network-for-icloud-private-relay/).
 */
export const privateRelay = {
  id: "private_relay",
  name: "iCloud Private Relay",
  family: "apple",
  licence: "public for network operators, not to be redistributed",
  attribution: "Apple",
  homepage: "https://developer.apple.com/icloud/prepare-your-network-for-icloud-private-relay/",
  files: [{ url: "https://mask-api.icloud.com/egress-ip-ranges.csv", maxBytes: 50_331_648 }],
  meanings: ["relay"],
  authority: true,
  complete: [4, 6],
  cadenceMs: 21_600_000,
  expiresMs: 604_800_000,
  minRows: 100_000,
  maxRows: 1_000_000,
  parse: (content, sink) => readGeofeed(content, sink, { meaning: "relay", label: "iCloud Private Relay" }),
} as const satisfies Feed;
