import * as v from "valibot";
import { type RangeInfo, readPlace } from "#datasets";
import type { FeedFacts, FeedSink } from "../feed.ts";
import { type FeedContent, FeedError } from "../feed_content.ts";
import { dateFact, parseFields } from "./readers.ts";

const AwsSchema = v.object({
  createDate: v.optional(v.string()),
  prefixes: v.array(v.object({ ip_prefix: v.string(), service: v.string() })),
  ipv6_prefixes: v.array(v.object({ ipv6_prefix: v.string(), service: v.string() })),
});

export function readAws(content: FeedContent, sink: FeedSink, info: RangeInfo): FeedFacts {
  const { createDate, prefixes, ipv6_prefixes } = parseFields(AwsSchema, content.json());
  const rows = [
    ...prefixes.map((row) => ({ prefix: row.ip_prefix, service: row.service })),
    ...ipv6_prefixes.map((row) => ({ prefix: row.ipv6_prefix, service: row.service })),
  ];
  const edge = rows.filter((row) => row.service === "CLOUDFRONT").map((row) => row.prefix);
  addCloud(sink, { edge, label: "Amazon CloudFront", all: rows.map((row) => row.prefix), info });
  // "2026-08-21-10-32-11": a day, then its time.
  return dateFact(createDate);
}

const AzureSchema = v.object({
  cloud: v.literal("Public"),
  values: v.array(
    v.object({ name: v.string(), properties: v.object({ addressPrefixes: v.array(v.string()) }) }),
  ),
});

export function readAzure(content: FeedContent, sink: FeedSink, info: RangeInfo): FeedFacts {
  const { values } = parseFields(AzureSchema, content.json());
  const collect = (isWanted: (name: string) => boolean) =>
    values.flatMap(({ name, properties }) => (isWanted(name) ? properties.addressPrefixes : []));
  const edge = collect((name) => /^AzureFrontDoor\b/.test(name));
  const all = collect((name) => name === "AzureCloud");
  if (all.length === 0) throw new FeedError("it has no tag AzureCloud");
  addCloud(sink, { edge, label: "Azure Front Door", all, info });
  const day = /_(\d{4})(\d\d)(\d\d)\.json$/.exec(content.url);
  return dateFact(day?.slice(1).join("-"));
}

/** Adds the content network of a cloud with its label, and its other prefixes with `info`, each once. */
function addCloud(
  sink: FeedSink,
  cloud: {
    readonly edge: readonly string[];
    readonly label: string;
    readonly all: readonly string[];
    readonly info: RangeInfo;
  },
): void {
  const edge = new Set(cloud.edge);
  for (const prefix of edge) sink.prefix(prefix, { meaning: "cdn", label: cloud.label });
  for (const prefix of new Set(cloud.all)) if (!edge.has(prefix)) sink.prefix(prefix, cloud.info);
}

const VultrSchema = v.object({
  updated: v.optional(v.string()),
  subnets: v.array(
    v.object({
      ip_prefix: v.string(),
      alpha2code: v.nullish(v.string()),
      region: v.nullish(v.string()),
      city: v.nullish(v.string()),
    }),
  ),
});

export function readVultr(content: FeedContent, sink: FeedSink, info: RangeInfo): FeedFacts {
  const { updated, subnets } = parseFields(VultrSchema, content.json());
  for (const { ip_prefix, alpha2code, region, city } of subnets) {
    const place = readPlace(alpha2code ?? undefined, region ?? undefined, city ?? undefined);
    sink.prefix(ip_prefix, place === undefined ? info : { ...info, place });
  }
  return dateFact(updated);
}

const GithubSchema = v.object({
  actions: v.array(v.string()),
  actions_macos: v.optional(v.array(v.string()), []),
  codespaces: v.optional(v.array(v.string()), []),
});

export function readGithubMeta(content: FeedContent, sink: FeedSink, info: RangeInfo): FeedFacts {
  const { actions, actions_macos, codespaces } = parseFields(GithubSchema, content.json());
  for (const prefix of new Set([...actions, ...actions_macos])) sink.prefix(prefix, info);
  for (const prefix of new Set(codespaces)) sink.prefix(prefix, { ...info, label: "GitHub Codespaces" });
  return {};
}
