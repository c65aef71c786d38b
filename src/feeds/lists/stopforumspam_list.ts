import type { Feed } from "../feed.ts";
import { readPlainList } from "./readers.ts";

const FOLDER = "https://www.stopforumspam.com/downloads/";

/**
 * StopForumSpam: addresses that posted spam in the last 30 days, and networks that do little else.
 * A list may be fetched a few times a day (https://www.stopforumspam.com/downloads).
 */
export const stopforumspamList = {
  id: "stopforumspam_list",
  name: "StopForumSpam list",
  family: "stopforumspam",
  licence: "CC BY-NC-ND 3.0",
  attribution: "StopForumSpam",
  homepage: "https://www.stopforumspam.com/downloads",
  delistUrl: "https://www.stopforumspam.com/removal",
  files: [
    { url: `${FOLDER}listed_ip_30_ipv46.gz`, maxBytes: 8_388_608, unpackedBytes: 67_108_864 },
    { url: `${FOLDER}toxic_ip_cidr.txt`, maxBytes: 1_048_576, optional: true },
  ],
  noncommercial: true,
  meanings: ["abuse"],
  cadenceMs: 86_400_000,
  minRows: 5_000,
  maxRows: 600_000,
  parse: (content, sink) =>
    readPlainList(
      content,
      sink,
      content.index === 0 ? { meaning: "abuse" } : { meaning: "abuse", label: "toxic network" },
    ),
} as const satisfies Feed;
