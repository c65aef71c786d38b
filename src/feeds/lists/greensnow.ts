import type { Feed } from "../feed.ts";
import { readPlainList } from "./readers.ts";

/** GreenSnow: addresses that attacked its sensors (https://greensnow.co/). */
export const greensnow = {
  id: "greensnow",
  name: "GreenSnow",
  family: "greensnow",
  licence: "free, none stated",
  homepage: "https://greensnow.co/",
  delistUrl: "https://greensnow.co/view/{ip}",
  files: [{ url: "https://blocklist.greensnow.co/greensnow.txt", maxBytes: 2_097_152 }],
  meanings: ["abuse"],
  cadenceMs: 7_200_000,
  minRows: 500,
  maxRows: 100_000,
  parse: (content, sink) => readPlainList(content, sink, { meaning: "abuse" }),
} as const satisfies Feed;
