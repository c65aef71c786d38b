import type { Feed } from "../feed.ts";
import { readGeofeed } from "./readers.ts";

/** Linode's ranges with their places (https://geoip.linode.com/). */
export const linode = {
  id: "linode",
  name: "Linode",
  family: "linode",
  licence: "published facts, none stated",
  homepage: "https://www.linode.com/",
  files: [{ url: "https://geoip.linode.com/", maxBytes: 8_388_608, redirects: 2 }],
  meanings: ["hosting"],
  authority: true,
  cadenceMs: 86_400_000,
  minRows: 1_000,
  maxRows: 60_000,
  parse: (content, sink) => readGeofeed(content, sink, { meaning: "hosting", label: "Linode" }),
} as const satisfies Feed;
