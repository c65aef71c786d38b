import * as v from "valibot";
import { type AsClass, readCountry } from "#datasets";
import type { FeedFacts, FeedSink, ListRow } from "../feed.ts";
import { type FeedContent, FeedError } from "../feed_content.ts";
import { readJsonElements } from "./json_elements.ts";
import { parseFields } from "./readers.ts";

/** `AS64496,Name`; the row has a class for each file. */
export function readAsTags(content: FeedContent, sink: FeedSink, { files }: ListRow): FeedFacts {
  const asClass = files[content.index]?.asClass;
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

/**
 * The class for each type; other types (exchanges, "Network Services", "Not Disclosed") have no class. Of several types
 * the first in this order counts: who sells access lines has mostly lines, whatever else he sells.
 */
const CLASS_OF_TYPE: ReadonlyMap<string, AsClass> = new Map([
  ["Cable/DSL/ISP", "isp"],
  ["Educational/Research", "education"],
  ["Government", "government"],
  ["Content", "content"],
  ["NSP", "carrier"],
  ["Enterprise", "business"],
  ["Non-Profit", "business"],
]);

const PeeringdbSchema = v.object({
  data: v.array(
    v.object({
      asn: v.pipe(v.number(), v.integer()),
      info_type: v.nullish(v.string()),
      info_types: v.nullish(v.array(v.string())),
    }),
  ),
});

export function readPeeringdb(content: FeedContent, sink: FeedSink): FeedFacts {
  for (const { asn, info_type, info_types } of parseFields(PeeringdbSchema, content.json()).data) {
    const types = new Set([...(info_types ?? []), ...(info_type ? [info_type] : [])]);
    const asClass = [...CLASS_OF_TYPE].find(([type]) => types.has(type))?.[1];
    if (asClass !== undefined) sink.network(asn, { asClass });
  }
  return {};
}

/** The class for each `category`. */
const CLASS_OF_CATEGORY: ReadonlyMap<string, AsClass> = new Map([
  ["isp", "isp"],
  ["hosting", "hosting"],
  ["business", "business"],
  ["education_research", "education"],
  ["government_admin", "government"],
]);

/** Values of `networkRole` of networks that sell transit: their category is "isp", but they have no lines. */
const TRANSIT_ROLES: ReadonlySet<string> = new Set(["tier1_transit", "major_transit"]);

const MetadataSchema = v.object(
  v.entriesFromList(
    ["handle", "description", "countryCode", "category", "networkRole", "registered"],
    v.nullish(v.string(), ""),
  ),
);
const AsMetadataSchema = v.object({ asn: v.pipe(v.number(), v.integer()), metadata: MetadataSchema });

export function readAsMetadata(content: FeedContent, sink: FeedSink): FeedFacts {
  for (const element of readJsonElements(content)) {
    const parsed = v.safeParse(AsMetadataSchema, element);
    if (!parsed.success) throw new FeedError("an element has another form");
    const { asn, metadata } = parsed.output;
    if (asn === 0) continue;
    const { networkRole, category } = metadata;
    const name = metadata.description.trim() || metadata.handle.trim();
    const country = readCountry(metadata.countryCode);
    const asClass = TRANSIT_ROLES.has(networkRole) ? "carrier" : CLASS_OF_CATEGORY.get(category);
    const registered = /^\d{4}-\d\d-\d\d$/.test(metadata.registered) ? metadata.registered : undefined;
    sink.network(asn, {
      ...(asClass === undefined ? {} : { asClass }),
      ...(name === "" ? {} : { name }),
      ...(country === undefined ? {} : { country }),
      ...(registered === undefined ? {} : { registered }),
    });
  }
  return {};
}
