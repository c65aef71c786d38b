import type { Address } from "#address";
import type { UsageType, VpnOperator } from "#report";
import type { AsClassId } from "./as_classes.ts";
import { findAsClass } from "./find_as_class.ts";
import { findCloudBlock } from "./find_cloud_block.ts";
import type { Family } from "./observation.ts";
import type { Vote } from "./vote.ts";

/** What is known of well-known networks without asking: our own table, one voice. */
export const CLASS_FAMILY: Family = "as_class";

/** What a network is known for. `isClassed`: the AS itself is known, so that its name need not be read. */
export interface KnownNetwork {
  readonly votes: readonly Vote[];
  readonly isClassed: boolean;
  readonly isVpn: boolean;
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

const VPN_CLASSES: ReadonlySet<AsClassId> = new Set(["vpn", "vpn_host"]);

/** Looks the address up among the blocks of clouds and its AS among the classes. */
export function knowNetwork(address: Address | undefined, asn: number | undefined): KnownNetwork {
  const vote = (type: UsageType, because: string): Vote => ({ type, family: CLASS_FAMILY, because });
  const known = asn === undefined ? undefined : findAsClass(asn);
  const isCloud = address !== undefined && findCloudBlock(address) !== undefined;
  return {
    votes: [
      ...(known === undefined ? [] : [vote(USES[known.class], "as_class")]),
      ...(isCloud ? [vote("hosting", "cloud_block")] : []),
    ],
    isClassed: known !== undefined,
    isVpn: known !== undefined && VPN_CLASSES.has(known.class),
    ...(known?.service === undefined ? {} : { vpn: { name: known.service } }),
  };
}
