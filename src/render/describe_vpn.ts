import type { PartialTexts } from "#locale";
import type { Report } from "#report";
import type { Field } from "./describe_network.ts";

/** What is known of the commercial VPN behind the address, as fields, without its web address. */
export function describeVpn(vpn: NonNullable<Report["vpnOperator"]>, texts: PartialTexts): readonly Field[] {
  const words = texts.headings;
  const answer = (yes: boolean | undefined) => (yes === undefined ? undefined : yes ? words.yes : words.no);
  const rows: readonly (readonly [string, string | undefined])[] = [
    [words.vpnName, vpn.name],
    [words.anonymity, vpn.anonymity],
    [words.popularity, vpn.popularity],
    [words.protocols, vpn.protocols?.join(", ")],
    [words.logging, answer(vpn.logging)],
    [words.freeAccess, answer(vpn.freeAccess)],
  ];
  return rows.filter((row): row is Field => row[1] !== undefined && row[1] !== "");
}
