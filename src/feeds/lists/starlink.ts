import type { Feed } from "../feed.ts";
import { readGeofeed } from "./readers.ts";

/** Starlink's customer ranges with their places: a satellite link into a home, not hosting (https://geoip.starlinkisp.net/feed.csv). */
export const starlink = {
  id: "starlink",
  name: "Starlink",
  family: "starlink",
  licence: "published facts, none stated",
  homepage: "https://www.starlink.com/",
  files: [{ url: "https://geoip.starlinkisp.net/feed.csv", maxBytes: 8_388_608, redirects: 2 }],
  meanings: ["satellite"],
  authority: true,
  cadenceMs: 86_400_000,
  minRows: 500,
  maxRows: 60_000,
  parse: (content, sink) => readGeofeed(content, sink, { meaning: "satellite", label: "Starlink" }),
} as const satisfies Feed;
