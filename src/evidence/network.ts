import { type Address, isWithin, type Prefix, parsePrefix } from "#address";
import type { Network, Registry } from "#report";
import { readTsv } from "#tsv";
import {
  type AsClass,
  type AsKindVote,
  type AsOrigin,
  CLASS_FAMILY,
  findAsClass,
  readOrigin,
} from "./as_kinds.ts";
import type { UsageVote } from "./evidence.ts";
import { findNetworkKind, findOriginFamily, type NetworkKind } from "./network_kind.ts";
import { classifyName } from "./network_names.ts";
import type { Family } from "./observation.ts";
import type { Answer } from "./runs.ts";
import table from "./tables/own_blocks.tsv" with { type: "text" };

/** Sources that read the current routing table, the most current first. */
const LIVE_ROUTING: readonly string[] = ["team_cymru", "ripestat"];

/**
 * Takes the network from live routing first, then from vendors, then from tables. The others complete it only where
 * they name the same AS.
 */
export function mergeNetwork(answers: readonly Answer[]): {
  readonly asn?: Network;
  readonly announced?: boolean;
} {
  const ranked = answers
    .filter(({ observation }) => observation.asn !== undefined || observation.announced !== undefined)
    .toSorted((a, b) => rankNetwork(a) - rankNetwork(b));
  const networks = ranked.flatMap(({ observation }) => observation.asn ?? []);
  const base = networks.find((network) => network.asn !== undefined) ?? networks[0];
  const announced = ranked.find(({ observation }) => observation.announced !== undefined)?.observation
    .announced;
  return {
    ...(base === undefined
      ? {}
      : { asn: joinFirst([base, ...networks.filter((network) => network.asn === base.asn)]) }),
    ...(announced === undefined ? {} : { announced }),
  };
}

function rankNetwork({ run }: Answer): number {
  const live = LIVE_ROUTING.indexOf(run.id);
  if (live >= 0) return live;
  return LIVE_ROUTING.length + (run.local ? 1 : 0);
}

/** Joins several records of one thing. Every field has the value of the first record that has the field. */
export function joinFirst<Fields extends object>(records: readonly Fields[]): Fields {
  const [only, another] = records;
  if (only !== undefined && another === undefined && !Object.values(only).includes(undefined))
    return { ...only };
  const fields = new Map<string, unknown>();
  for (const record of records) {
    for (const [name, value] of Object.entries(record)) {
      if (value !== undefined && !fields.has(name)) fields.set(name, value);
    }
  }
  return Object.fromEntries(fields) as Fields; // every field comes from one of the records
}

/** What is known about a network without asking anybody about the address. */
export type KnownNetwork = ReturnType<typeof findKnownNetwork>;

/** Origins that are downloaded, so their word is a statement of a source. */
const DOWNLOADED: ReadonlySet<AsOrigin> = new Set(["bgp_tools_tags", "peeringdb", "as_metadata"]);

const NO_FAMILIES: readonly Family[] = [];

/** Looks up the AS and the address in our own tables, and decides between them and what lists say about the AS. */
export function findKnownNetwork(
  address: Address | undefined,
  { asn, registry, registered, answers }: NetworkInputs,
) {
  /** The kind of the AS, and what all origins say about it. */
  const kind = findNetworkKind(asn, answers.flatMap(readKinds));
  const own = asn?.asn === undefined ? undefined : findAsClass(asn.asn);
  /** Votes of our own tables: the kind of the AS, and the block of a cloud (`cloud_block`) or of phones (`mobile_block`). */
  const uses: UsageVote[] = [];
  /** Votes of downloaded lists of AS numbers. */
  const listed: UsageVote[] = [];
  const named: UsageVote[] = [];
  for (const { origin, agrees } of kind.votes) {
    if (!agrees || kind.use === "unknown") continue;
    const vote: UsageVote = { type: kind.use, family: findOriginFamily(origin, kind), reason: origin };
    if (origin === "as_name") named.push(vote);
    else if (DOWNLOADED.has(origin)) listed.push(vote);
    else uses.push(vote);
  }
  const { isCloud = false, isMobile = false } = address === undefined ? {} : findOwnBlocks(address, asn?.asn);
  if (isMobile) {
    // The block is known better than the AS, which serves homes too.
    uses.splice(0, uses.length, { type: "mobile", family: CLASS_FAMILY, reason: "mobile_block" });
  }
  if (isCloud) uses.push({ type: "hosting", family: CLASS_FAMILY, reason: "cloud_block" });
  const isVpn = kind.kind === "vpn" || kind.kind === "vpn_host";
  /** The vote for hosting where a carrier announces space of somebody else. */
  const leased = isCloud ? undefined : findLease(own, registry, registered);
  return {
    kind,
    uses,
    listed,
    named,
    ...(leased === undefined ? {} : { leased }),
    /** Families by which the whole network belongs to VPN services or to those who rent servers to them. */
    vpnFamilies: isVpn ? findVpnFamilies(kind) : NO_FAMILIES,
    ...(own?.service === undefined ? {} : { vpn: { name: own.service } }),
    ...(kind.kind === "tor" ? { torOperator: { name: own?.operator ?? asn?.name ?? "" } } : {}),
  };
}

/** What the network is judged from: its AS, its registration, and the answers of all sources. */
interface NetworkInputs {
  readonly asn: Network | undefined;
  readonly registry: Registry | undefined;
  readonly registered: string | undefined;
  readonly answers: readonly Answer[];
}

function readKinds({ run, observation }: Answer): readonly AsKindVote[] {
  const origin = observation.asKinds === undefined ? undefined : readOrigin(run.id);
  if (origin === undefined) return [];
  return (observation.asKinds ?? []).map((kind) => ({ origin, kind }));
}

function findVpnFamilies(known: NetworkKind): readonly Family[] {
  const families = known.votes.flatMap(({ origin, kind }) =>
    kind === "vpn" || kind === "vpn_host" ? findOriginFamily(origin, known) : [],
  );
  return [...new Set(families)];
}

/**
 * Returns a vote for hosting where a carrier of transit announces a prefix that is registered to somebody else: such
 * space is leased, mostly to people who run servers. The country of the registration shows it, because a carrier
 * registers its own space at home; the holder shows it where a registry answered. Only one family concludes this, so it
 * has half of its weight until a source confirms it. A holder whose name shows another use (a bank, a ministry) is a
 * customer of the carrier with lines, not with servers. `home` of a class is set for carriers only.
 */
function findLease(
  own: AsClass | undefined,
  registry: Registry | undefined,
  registered: string | undefined,
): UsageVote | undefined {
  if (own?.home === undefined || registry === undefined) return undefined;
  const names = [registry.netName, registry.org].filter((name) => name !== undefined);
  const kinds = names.map((name) => classifyName(name));
  if (kinds.some((kind) => kind !== undefined && kind !== "hosting")) return undefined;
  const isAbroad = registered !== undefined && !own.home.includes(registered);
  if (!isAbroad && !isForeignHolder(own, registry.org)) return undefined;
  return { type: "hosting", family: "leased_space", reason: "leased_space" };
}

/** Whether the registry names a holder, and its name has no word of the carrier's. */
function isForeignHolder(own: AsClass, holder: string | undefined): boolean {
  if (holder === undefined) return false;
  const text = holder.toLowerCase();
  return !own.operator
    .toLowerCase()
    .split(/[^a-z0-9&]+/)
    .some((word) => word.length > 2 && text.includes(word));
}

interface Block {
  /** The number of the AS for a block of phones; absent for a block of a cloud. */
  readonly asn?: number;
  readonly prefix: Prefix;
}

/** Blocks by IP version and first eight bits, so that a lookup compares only a few. */
const BLOCKS: ReadonlyMap<string, readonly Block[]> = Map.groupBy(
  readTsv(table, ["kind", "operator", "asn", "blocks"]).flatMap(({ asn, blocks }) =>
    blocks.split(" ").map((text): Block => {
      const prefix = parsePrefix(text);
      if (prefix === undefined || prefix.bits < 8) throw new Error(`Cannot read "${text}" as a block`);
      return asn === "" ? { prefix } : { asn: Number(asn), prefix };
    }),
  ),
  ({ prefix }) => bucketOf(prefix.address),
);

/**
 * Finds whether blocks of our own tables contain the address: one of a cloud, one of phones of the AS. The evidence reads nothing else from the address itself,
 * except its special purpose.
 */
export function findOwnBlocks(address: Address, asn: number | undefined) {
  let isCloud = false;
  let isMobile = false;
  for (const block of BLOCKS.get(bucketOf(address)) ?? []) {
    if (!isWithin(address, block.prefix)) continue;
    if (block.asn === undefined) isCloud = true;
    else if (block.asn === asn) isMobile = true;
  }
  return { isCloud, isMobile };
}

/** Lists the blocks that {@link findOwnBlocks} knows. */
export function listOwnBlocks(): readonly Prefix[] {
  return [...BLOCKS.values()].flat().map(({ prefix }) => prefix);
}

function bucketOf({ version, words }: Address): string {
  return `${version}/${(words[0] ?? 0) >>> 24}`;
}
