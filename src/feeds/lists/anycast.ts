import type { Feed } from "../feed.ts";
import { readPlainList } from "./readers.ts";

/** Prefixes announced from many places at once (https://github.com/bgptools/anycast-prefixes). */
export const anycast = {
  id: "anycast",
  name: "Anycast prefixes",
  family: "bgp_tools",
  licence: "none stated",
  attribution: "bgp.tools",
  homepage: "https://github.com/bgptools/anycast-prefixes",
  files: [
    {
      url: "https://raw.githubusercontent.com/bgptools/anycast-prefixes/master/anycatch-v4-prefixes.txt",
      maxBytes: 2_097_152,
      contentTypes: ["text/plain"],
    },
    {
      url: "https://raw.githubusercontent.com/bgptools/anycast-prefixes/master/anycatch-v6-prefixes.txt",
      maxBytes: 2_097_152,
      contentTypes: ["text/plain"],
    },
  ],
  meanings: ["anycast"],
  cadenceMs: 86_400_000,
  minRows: 1_500,
  maxRows: 60_000,
  parse: (content, sink) => readPlainList(content, sink, { meaning: "anycast" }),
} as const satisfies Feed;
