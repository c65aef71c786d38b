import type { Address } from "#address";
import type { Network, UsageType, VpnOperator } from "#report";
import { type AsClassId, findAsClass } from "./as_classes.ts";
import { findCloudBlock } from "./cloud_blocks.ts";
import type { Family } from "./observation.ts";
import type { Answer } from "./runs.ts";

/** Sources that read the current routing table, the most current first. */
const LIVE_ROUTING: readonly string[] = ["team_cymru", "ripestat"];

/** The network, and whether it is announced. */
export interface NetworkEvidence {
  readonly asn?: Network;
  readonly announced?: boolean;
}

/**
 * Takes the network from live routing first, then from vendors, then from tables. The others complete it only where
 * they name the same AS.
 */
export function mergeNetwork(answers: readonly Answer[]): NetworkEvidence {
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

/** The family of our own tables of networks. */
export const CLASS_FAMILY: Family = "as_class";

/** The data of our own tables about a network. `hasClass`: the AS itself is known, so its name does not matter. */
export interface KnownNetwork {
  /** Use by the class of the AS (`as_class`) and by the block of a cloud (`cloud_block`). */
  readonly uses: readonly { readonly type: UsageType; readonly reason: "as_class" | "cloud_block" }[];
  readonly hasClass: boolean;
  readonly isVpn: boolean;
  /** The VPN service that the whole AS belongs to. */
  readonly vpn?: VpnOperator;
}

const USES: Readonly<Record<AsClassId, UsageType>> = {
  vpn: "hosting",
  vpn_host: "hosting",
  hosting: "hosting",
  cdn: "hosting",
  education: "education",
  government: "government",
  mobile: "mobile",
  isp: "residential",
};

/** Looks up the AS and the address in our own tables. */
export function findKnownNetwork(address: Address | undefined, asn: number | undefined): KnownNetwork {
  const known = asn === undefined ? undefined : findAsClass(asn);
  const isCloud = address !== undefined && findCloudBlock(address) !== undefined;
  return {
    uses: [
      ...(known === undefined ? [] : [{ type: USES[known.class], reason: "as_class" as const }]),
      ...(isCloud ? [{ type: "hosting" as const, reason: "cloud_block" as const }] : []),
    ],
    hasClass: known !== undefined,
    isVpn: known?.class === "vpn" || known?.class === "vpn_host",
    ...(known?.service === undefined ? {} : { vpn: { name: known.service } }),
  };
}
