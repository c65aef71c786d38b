import {
  type Address,
  addressFromWords,
  endsOf,
  findSpecialPurpose,
  type Prefix,
  parseLoosePrefix,
  prefixFromWords,
} from "#address";
import type { AsSummary, NetworkSummary } from "#report";
import type { Networks } from "./create_networks.ts";
import { WIDEST } from "./summarize_prefix.ts";

/** The neighbours of an address: the smallest prefix that networks exchange routes of. */
const NEIGHBOUR_BITS = { 4: 24, 6: 48 } as const;

/** Why a text names no network with a summary. */
export type NetworkProblem = "not_prefix" | "not_as" | "prefix_too_wide" | "special_space";

/** A text that is meant to be a prefix or an AS number. A bare number is not an AS. */
const NETWORK_TEXT = /^(?:AS\d+|[\da-f:.]+\/\d+)$/i;

/** Whether a text is meant to be a network rather than an address. */
export function isNetworkText(text: string): boolean {
  return NETWORK_TEXT.test(text);
}

/** The answer to a text for programs: the summary of the network without its cells or blocks, or why there is none. */
export async function summarizeText(
  text: string,
  networks: Networks,
): Promise<AsSummary | Omit<NetworkSummary, "cells"> | NetworkProblem | "not_announced" | "unavailable"> {
  const asn = parseAsn(text);
  if (asn !== undefined) {
    const found = (await networks.as(asn)) ?? "not_announced";
    return typeof found === "string" ? found : { ...found, blocks: [] };
  }
  const prefix = text.includes("/") ? readPrefix(text) : "not_as";
  if (typeof prefix === "string") return prefix;
  const found = await networks.prefixInTurn(prefix);
  if (found === "unavailable") return found;
  const { cells: _, ...summary } = found;
  return summary;
}

/** Reads a prefix that has a summary; host bits are cleared. */
export function readPrefix(text: string): Prefix | NetworkProblem {
  const prefix = text.includes("/") ? parseLoosePrefix(text) : undefined;
  if (prefix === undefined) return "not_prefix";
  const { address, bits } = prefix;
  // A block of a special purpose inside the prefix does not matter, not even one at its start or at its end.
  const { first, last } = endsOf(prefix);
  const isSpecial = [first, last].some((words) => {
    const block = findSpecialPurpose(addressFromWords(address.version, words))?.block;
    return block !== undefined && Number(block.slice(block.indexOf("/") + 1)) <= bits;
  });
  if (isSpecial) return "special_space";
  return bits < WIDEST[address.version] ? "prefix_too_wide" : prefix;
}

/** Reads an AS number, with or without `AS` before it; undefined for anything else. */
export function parseAsn(text: string): number | undefined {
  const digits = /^(?:AS)?([1-9]\d{0,9})$/i.exec(text)?.[1];
  return digits !== undefined && Number(digits) <= 0xffff_ffff ? Number(digits) : undefined;
}

/** The prefix around an address whose addresses are its neighbours. */
export function neighbourhoodOf({ version, words }: Address): Prefix {
  return prefixFromWords(words, NEIGHBOUR_BITS[version]);
}
