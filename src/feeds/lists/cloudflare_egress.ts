import type { Feed } from "../feed.ts";
import { readGeofeed } from "./readers.ts";

/**
 * Egress of Cloudflare WARP: a person behind Cloudflare's proxy, placed near where they are. Cloudflare publishes no
 * list of WARP alone. Its geofeed (https://api.cloudflare.com/local-ip-ranges.csv) says which addresses are in use for
 * which place; people leave from the blocks named here, and servers that fetch web sites from the rest.
 */
export const cloudflareEgress = {
  id: "cloudflare_egress",
  name: "Cloudflare WARP",
  family: "cloudflare",
  licence: "published facts, none stated",
  homepage: "https://developers.cloudflare.com/warp-client/",
  files: [{ url: "https://api.cloudflare.com/local-ip-ranges.csv", maxBytes: 33_554_432 }],
  within: ["104.28.0.0/16", "2a09:bac0::/29"],
  meanings: ["relay"],
  cadenceMs: 86_400_000,
  minRows: 1_000,
  maxRows: 500_000,
  parse: (content, sink) => readGeofeed(content, sink, { meaning: "relay", label: "Cloudflare WARP" }),
} as const satisfies Feed;
