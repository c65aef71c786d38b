import type { Feed } from "../feed.ts";
import { readPlainList } from "./readers.ts";

/** CINS Army: addresses that attacked the sensors of Sentinel, at most 15 000 (https://cinsscore.com). */
export const cins = {
  id: "cins",
  name: "CINS Army",
  family: "cins",
  licence: "free with credit",
  attribution: "CINS Score by Sentinel IPS",
  homepage: "https://cinsscore.com/",
  files: [{ url: "https://cinsscore.com/list/ci-badguys.txt", maxBytes: 1_048_576 }],
  meanings: ["abuse"],
  cadenceMs: 3_600_000,
  minRows: 1_000,
  maxRows: 40_000,
  parse: (content, sink) => readPlainList(content, sink, { meaning: "abuse" }),
} as const satisfies Feed;
