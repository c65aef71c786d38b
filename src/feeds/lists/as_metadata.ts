import * as v from "valibot";
import { type AsClass, readCountry } from "#datasets";
import type { Feed, FeedFacts, FeedSink } from "../feed.ts";
import { type FeedContent, FeedError } from "../feed_content.ts";
import { readJsonElements } from "./json_elements.ts";

/** The class for each `category`. */
const CLASSES: ReadonlyMap<string, AsClass> = new Map([
  ["isp", "isp"],
  ["hosting", "hosting"],
  ["business", "business"],
  ["education_research", "education"],
  ["government_admin", "government"],
]);

/** Values of `networkRole` of networks that sell transit: their category is "isp", but they have no lines. */
const TRANSIT_ROLES: ReadonlySet<string> = new Set(["tier1_transit", "major_transit"]);

const text = v.nullish(v.string(), "");
const ElementSchema = v.object({
  asn: v.pipe(v.number(), v.integer()),
  metadata: v.object({
    handle: text,
    description: text,
    countryCode: text,
    category: text,
    networkRole: text,
    registered: text,
  }),
});

/**
 * ipverse: names, countries, kinds and dates of registration of all assigned AS numbers, from the data of the five
 * registries and of route collectors (https://github.com/ipverse/as-metadata#field-descriptions).
 */
export const asMetadata = {
  id: "as_metadata",
  name: "ipverse AS metadata",
  family: "rir",
  licence: "CC0",
  homepage: "https://github.com/ipverse/as-metadata",
  files: [
    {
      url: "https://raw.githubusercontent.com/ipverse/as-metadata/master/as.json",
      maxBytes: 134_217_728,
      contentTypes: ["text/plain", "application/json"],
    },
  ],
  meanings: [],
  networks: true,
  cadenceMs: 604_800_000,
  minRows: 60_000,
  maxRows: 400_000,
  parse: readNetworks,
} as const satisfies Feed;

function readNetworks(content: FeedContent, sink: FeedSink): FeedFacts {
  for (const element of readJsonElements(content)) {
    const parsed = v.safeParse(ElementSchema, element);
    if (!parsed.success) throw new FeedError("an element has another form");
    const { asn, metadata } = parsed.output;
    if (asn === 0) continue;
    const name = metadata.description.trim() || metadata.handle.trim();
    const country = readCountry(metadata.countryCode);
    const asClass = TRANSIT_ROLES.has(metadata.networkRole) ? "carrier" : CLASSES.get(metadata.category);
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
