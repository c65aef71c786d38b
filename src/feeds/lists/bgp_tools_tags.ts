import type { AsClass } from "#datasets";
import type { Feed, FeedFacts, FeedSink } from "../feed.ts";
import { type FeedContent, FeedError } from "../feed_content.ts";

/**
 * Tags that say what the operator does. Other tags say little about it: large access networks have `tor` and
 * `anycast`, everyone who also sells to companies has `biznet`, and the rest are not about a business.
 */
const TAGS = [
  ["vpsh", "hosting"],
  ["dsl", "isp"],
  ["mobile", "mobile"],
  ["vpn", "vpn"],
  ["cdn", "cdn"],
  ["gov", "government"],
  ["uni", "education"],
  ["corp", "business"],
  ["satnet", "satellite"],
  ["perso", "personal"],
] as const satisfies readonly (readonly [string, AsClass])[];

/** bgp.tools: what operators of autonomous systems do. It refuses generic User-Agents and asks for one download of tags a week. */
export const bgpToolsTags = {
  id: "bgp_tools_tags",
  name: "bgp.tools tags",
  family: "bgp_tools",
  licence: "free to use, ask before republishing",
  notRedistributable: true,
  attribution: "bgp.tools",
  homepage: "https://bgp.tools/kb/api",
  files: TAGS.map(([tag]) => ({ url: `https://bgp.tools/tags/${tag}.csv`, maxBytes: 4_194_304 })),
  needsContact: true,
  meanings: [],
  networks: true,
  cadenceMs: 604_800_000,
  minRows: 1_000,
  maxRows: 200_000,
  parse: readTag,
} as const satisfies Feed;

/** `AS64496,Name`. */
function readTag(content: FeedContent, sink: FeedSink): FeedFacts {
  const asClass = TAGS[content.index]?.[1];
  if (asClass === undefined) return {};
  let isFirst = true;
  for (const line of content.lines()) {
    if (isFirst && !/^AS\d{1,10}(?:,|$)/.test(line)) throw new FeedError("the first of its rows names no AS");
    isFirst = false;
    const comma = line.indexOf(",");
    sink.network(comma < 0 ? line : line.slice(0, comma), { asClass });
  }
  return {};
}
