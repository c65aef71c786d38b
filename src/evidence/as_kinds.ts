import { AS_KINDS, type AsKind, type UsageType } from "#report";
import { readTsv } from "#tsv";
import type { Family } from "./observation.ts";
import table from "./tables/as_classes.tsv" with { type: "text" };
import published from "./tables/published_as_kinds.tsv" with { type: "text" };

/** What an AS of each kind is used for. The kind of a carrier shows no use. */
export const USE_OF_KIND: Readonly<Record<AsKind, UsageType>> = {
  vpn: "hosting",
  vpn_host: "hosting",
  tor: "hosting",
  hosting: "hosting",
  cdn: "hosting",
  gateway: "business",
  business: "business",
  education: "education",
  government: "government",
  mobile: "mobile",
  isp: "residential",
  satellite: "residential",
  carrier: "unknown",
};

/** The family of our own tables of networks. */
export const CLASS_FAMILY: Family = "as_class";

/** The name of the AS, the name of the block and their organisations are one fact, so they are one family. */
export const NAME_FAMILY: Family = "network_name";

/** Whose word a kind is, how much it counts in a conflict, and for whom it counts in an agreement. */
interface Origin {
  readonly weight: number;
  readonly family: Family;
}

/**
 * All origins of kinds, the strongest first. This is the whole precedence: of the uses that origins name, the one with
 * the largest sum of weights wins. A tie is decided by the strongest origin, then by the order of this table.
 *
 * `as_class` is checked by hand and outweighs all others together. `openasn` gives a reason for every line.
 * `bgp_tools_tags` describes operators. `x4bnet` (with bad-asn, which it contains) and `oxl` collect server networks and
 * include some access networks. A name says what its owner calls himself. In PeeringDB networks describe themselves, and
 * ipverse derives its category from such data. `oxl_isp` mixes backbones, business and home access, so every other
 * origin outweighs it. What ships with the program is one family: its lists are about the whole AS, not about the
 * address, and repeat each other.
 */
export const AS_ORIGINS = {
  as_class: { weight: 100, family: CLASS_FAMILY },
  openasn: { weight: 10, family: CLASS_FAMILY },
  bgp_tools_tags: { weight: 4, family: "bgp_tools" },
  x4bnet: { weight: 3, family: CLASS_FAMILY },
  as_name: { weight: 3, family: NAME_FAMILY },
  oxl: { weight: 2, family: CLASS_FAMILY },
  peeringdb: { weight: 2, family: "peeringdb" },
  as_metadata: { weight: 2, family: "ipverse" },
  oxl_isp: { weight: 1, family: CLASS_FAMILY },
} as const satisfies Readonly<Record<string, Origin>>;
export type AsOrigin = keyof typeof AS_ORIGINS;

/** What one origin says about the AS. */
export interface AsKindVote {
  readonly origin: AsOrigin;
  readonly kind: AsKind;
}

/** The kind of a class of AS. That somebody sells transit does not show what an address is used for, so it has none. */
export function kindOfClass(asClass: string | undefined): AsKind | undefined {
  return AS_KINDS.find((kind) => kind === asClass && kind !== "carrier");
}

/** Returns the origin whose list this source is, if it is a list of AS numbers. */
export function readOrigin(source: string): AsOrigin | undefined {
  return Object.hasOwn(AS_ORIGINS, source) ? (source as AsOrigin) : undefined; // a key of the table
}

/**
 * What is known about one autonomous system. `service`: the VPN service that the whole AS belongs to. `home`: the
 * countries in which a carrier registers its own space.
 */
export interface AsClass {
  readonly class: AsKind;
  readonly operator: string;
  readonly service?: string;
  readonly home?: readonly string[];
}

const CLASSES: ReadonlyMap<number, AsClass> = new Map(
  readTsv(table, ["kind", "operator", "service", "home", "numbers"]).flatMap((row) => {
    const known: AsClass = {
      class: readKind(row.kind),
      operator: row.operator,
      ...(row.service === "" ? {} : { service: row.service }),
      ...(row.home === "" ? {} : { home: row.home.split(" ") }),
    };
    return row.numbers.split(" ").map((number) => [Number(number), known] as const);
  }),
);

/** Returns the class of the autonomous system, or undefined when the table does not have it. */
export function findAsClass(asn: number): AsClass | undefined {
  return CLASSES.get(asn);
}

/** Returns the other autonomous systems of the same row of the table: those of the same operator and kind. */
export function findSiblings(asn: number): readonly number[] {
  const own = CLASSES.get(asn);
  if (own === undefined) return [];
  return [...CLASSES].flatMap(([number, known]) => (known === own && number !== asn ? [number] : []));
}

/** @throws Error when the text is not a kind of AS. */
export function readKind(text: string): AsKind {
  const kind = AS_KINDS.find((one) => one === text);
  if (kind === undefined) throw new Error(`Cannot read "${text}" as a kind of AS`);
  return kind;
}

const NO_VOTES: readonly AsKindVote[] = [];

/** Votes by AS number. Numbers with the same votes share one array. */
const VOTES = readVotes();

/** Returns what the published lists that ship with the program say about the AS. */
export function findPublishedKinds(asn: number): readonly AsKindVote[] {
  return VOTES.get(asn) ?? NO_VOTES;
}

function readVotes(): ReadonlyMap<number, readonly AsKindVote[]> {
  const votes = new Map<number, readonly AsKindVote[]>();
  const shared = new Map<string, readonly AsKindVote[]>();
  for (const row of readTsv(published, ["origin", "kind", "numbers"])) {
    const origin = readOrigin(row.origin);
    if (origin === undefined) throw new Error(`Cannot read "${row.origin}" as an origin`);
    const vote = { origin, kind: readKind(row.kind) };
    for (const number of row.numbers.split(" ").map(Number)) {
      const before = votes.get(number) ?? NO_VOTES;
      const key = [...before, vote].map((one) => `${one.origin} ${one.kind}`).join();
      const all = shared.get(key) ?? [...before, vote];
      shared.set(key, all);
      votes.set(number, all);
    }
  }
  return votes;
}
