import type { Feed } from "../feed.ts";
import { readPlainList } from "./readers.ts";

/** Cloudflare's proxy edge; not the egress of WARP (https://www.cloudflare.com/ips/). */
export const cloudflare = {
  id: "cloudflare",
  name: "Cloudflare",
  family: "cloudflare",
  licence: "published facts, none stated",
  homepage: "https://www.cloudflare.com/ips/",
  files: [
    { url: "https://www.cloudflare.com/ips-v4", maxBytes: 65_536, redirects: 2 },
    { url: "https://www.cloudflare.com/ips-v6", maxBytes: 65_536, redirects: 2 },
  ],
  meanings: ["cdn"],
  authority: true,
  cadenceMs: 86_400_000,
  minRows: 10,
  maxRows: 500,
  parse: (content, sink) => readPlainList(content, sink, { meaning: "cdn", label: "Cloudflare" }),
} as const satisfies Feed;
