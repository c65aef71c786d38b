import type { Feed } from "../feed.ts";
import { readGeofeed } from "./readers.ts";

/** DigitalOcean's ranges with their places (https://www.digitalocean.com/geo/google.csv). */
export const digitalocean = {
  id: "digitalocean",
  name: "DigitalOcean",
  family: "digitalocean",
  licence: "published facts, none stated",
  homepage: "https://www.digitalocean.com/",
  files: [{ url: "https://www.digitalocean.com/geo/google.csv", maxBytes: 8_388_608, redirects: 2 }],
  hosts: ["digitalocean.com"],
  meanings: ["hosting"],
  authority: true,
  cadenceMs: 86_400_000,
  minRows: 300,
  maxRows: 30_000,
  parse: (content, sink) => readGeofeed(content, sink, { meaning: "hosting", label: "DigitalOcean" }),
} as const satisfies Feed;
