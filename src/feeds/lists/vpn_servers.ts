import * as v from "valibot";
import type { RangeInfo } from "#datasets";
import type { FeedFacts, FeedSink } from "../feed.ts";
import { type FeedContent, FeedError, parseJson } from "../feed_content.ts";
import { dateFact, parseFields } from "./readers.ts";

const PiaSchema = v.object({
  regions: v.array(v.object({ servers: v.record(v.string(), v.array(v.object({ ip: v.string() }))) })),
});

/** The first line is JSON, the others are its signature. */
export function readPia(content: FeedContent, sink: FeedSink, info: RangeInfo): FeedFacts {
  const text = content.text();
  const newline = text.indexOf("\n");
  const list = parseJson(newline < 0 ? text : text.slice(0, newline), "its first line is not JSON");
  const { regions } = parseFields(PiaSchema, list);
  const servers = regions.flatMap((region) => Object.values(region.servers).flat());
  for (const ip of new Set(servers.map((server) => server.ip))) sink.prefix(ip, info);
  return {};
}

/** One server: `<server name="…" ip="192.0.2.1" status="1" visible="1" />`, its attributes in any order. */
const SERVER = /<server\s([^<>]{0,2048})>/g;
const ADDRESS = /(?:^|\s)ip\s*=\s*["']([0-9a-fA-F:.]{2,45})["']/;

export function readWlvpn(content: FeedContent, sink: FeedSink, info: RangeInfo): FeedFacts {
  const servers = [...content.text().matchAll(SERVER)];
  if (servers.length === 0) throw new FeedError("it has no servers");
  const found = new Set(servers.flatMap(([, attributes = ""]) => ADDRESS.exec(attributes)?.[1] ?? []));
  if (found.size === 0) throw new FeedError("its servers have no addresses");
  for (const ip of found) sink.prefix(ip, info);
  return {};
}

/** An operator's servers that were last looked up longer ago than this are not read. */
const MAX_AGE_MS = 365 * 86_400_000;

const GluetunSchema = v.object({
  /** Seconds since the epoch. */
  timestamp: v.pipe(v.number(), v.minValue(0), v.maxValue(8_640_000_000_000)),
  servers: v.array(v.object({ ips: v.nullish(v.array(v.string())) })),
});

export function readGluetun(content: FeedContent, sink: FeedSink, info: RangeInfo): FeedFacts {
  const { timestamp, servers } = parseFields(GluetunSchema, content.json());
  const collectedMs = timestamp * 1_000;
  if (content.now !== undefined && content.now - collectedMs > MAX_AGE_MS) return {};
  for (const ip of new Set(servers.flatMap((server) => server.ips ?? []))) sink.prefix(ip, info);
  return content.index === 0 ? dateFact(new Date(collectedMs).toISOString()) : {};
}
