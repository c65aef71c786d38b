import * as v from "valibot";
import type { Feed, FeedFacts, FeedFile, FeedSink } from "../feed.ts";
import { type FeedContent, FeedError } from "../feed_content.ts";
import { dateFact, parseFields } from "./readers.ts";

const FOLDER = "https://raw.githubusercontent.com/qdm12/gluetun-servers/main/pkg/servers/";

/** Operators that publish host names only, or nothing without an account; gluetun resolves the names. */
const OPERATORS: readonly (readonly [file: string, label: string])[] = [
  ["surfshark", "Surfshark"],
  ["ipvanish", "IPVanish"],
  ["cyberghost", "CyberGhost"],
  ["expressvpn", "ExpressVPN"],
  ["purevpn", "PureVPN"],
  ["torguard", "TorGuard"],
  ["hidemyass", "HMA"],
  ["fastestvpn", "FastestVPN"],
  ["privatevpn", "PrivateVPN"],
  ["vyprvpn", "VyprVPN"],
  ["slickvpn", "SlickVPN"],
  ["vpnsecure", "VPNSecure"],
];

/** An operator's servers that were last looked up longer ago than this are not read. */
const MAX_AGE_MS = 365 * 86_400_000;

const ServersSchema = v.object({
  /** Seconds since the epoch. */
  timestamp: v.pipe(v.number(), v.minValue(0), v.maxValue(8_640_000_000_000)),
  servers: v.array(v.object({ ips: v.nullish(v.array(v.string())) })),
});

/**
 * Servers of VPN operators as the gluetun project collects them every month, one file for each operator
 * (https://github.com/qdm12/gluetun-servers). It is not the operators' own list, and not an authority.
 */
export const gluetunServers = {
  id: "gluetun_servers",
  name: "gluetun servers",
  family: "gluetun",
  licence: "MIT",
  attribution: "gluetun (Quentin McGaw)",
  homepage: "https://github.com/qdm12/gluetun-servers",
  files: OPERATORS.map(
    ([file], index): FeedFile => ({
      url: `${FOLDER}${file}.json`,
      maxBytes: 16_777_216,
      ...(index === 0 ? {} : { optional: true }),
    }),
  ),
  meanings: ["vpn"],
  cadenceMs: 604_800_000,
  minRows: 100,
  maxRows: 100_000,
  parse: readServers,
} as const satisfies Feed;

function readServers(content: FeedContent, sink: FeedSink): FeedFacts {
  const { timestamp, servers } = parseFields(ServersSchema, content.json());
  const label = OPERATORS[content.index]?.[1];
  if (label === undefined) throw new FeedError("it belongs to no operator");
  const collectedMs = timestamp * 1_000;
  if (content.now !== undefined && content.now - collectedMs > MAX_AGE_MS) return {};
  const ips = new Set(servers.flatMap((server) => server.ips ?? []));
  for (const ip of ips) sink.prefix(ip, { meaning: "vpn", label });
  return content.index === 0 ? dateFact(new Date(collectedMs).toISOString()) : {};
}
