import * as v from "valibot";
import type { AsClass } from "#datasets";
import type { Feed, FeedFacts, FeedSink } from "../feed.ts";
import type { FeedContent } from "../feed_content.ts";
import { parseFields } from "./readers.ts";

/**
 * The class for each type; other types (exchanges, "Network Services", "Not Disclosed") have no class. Of several types
 * the first in this order counts: who sells access lines has mostly lines, whatever else he sells.
 */
const CLASSES: ReadonlyMap<string, AsClass> = new Map([
  ["Cable/DSL/ISP", "isp"],
  ["Educational/Research", "education"],
  ["Government", "government"],
  ["Content", "content"],
  ["NSP", "carrier"],
  ["Enterprise", "business"],
  ["Non-Profit", "business"],
]);

const NetworksSchema = v.object({
  data: v.array(
    v.object({
      asn: v.pipe(v.number(), v.integer()),
      info_type: v.nullish(v.string()),
      info_types: v.nullish(v.array(v.string())),
    }),
  ),
});

/** PeeringDB: what networks say about themselves (https://www.peeringdb.com/apidocs/). */
export const peeringdb = {
  id: "peeringdb",
  name: "PeeringDB",
  family: "peeringdb",
  licence: "free under its acceptable use policy",
  notRedistributable: true,
  attribution: "PeeringDB",
  homepage: "https://www.peeringdb.com/",
  files: [
    {
      url: "https://www.peeringdb.com/api/net?fields=asn,info_type,info_types",
      maxBytes: 33_554_432,
      contentTypes: ["application/json"],
    },
  ],
  meanings: [],
  networks: true,
  cadenceMs: 604_800_000,
  minRows: 5_000,
  maxRows: 300_000,
  parse: readNetworks,
} as const satisfies Feed;

function readNetworks(content: FeedContent, sink: FeedSink): FeedFacts {
  for (const { asn, info_type, info_types } of parseFields(NetworksSchema, content.json()).data) {
    const types = new Set([...(info_types ?? []), ...(info_type ? [info_type] : [])]);
    const asClass = [...CLASSES].find(([type]) => types.has(type))?.[1];
    if (asClass !== undefined) sink.network(asn, { asClass });
  }
  return {};
}
