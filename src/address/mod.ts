/**
 * What an address is: strict parsing, canonical text, blocks, reverse names, special-purpose space.
 * Pure; imports no other room.
 */
export type { Address } from "./address.ts";
export { addressFromWords } from "./address_from_words.ts";
export { findPastedAddresses } from "./find_pasted_addresses.ts";
export { findSpecialPurpose } from "./find_special_purpose.ts";
export { isBogon } from "./is_bogon.ts";
export { isWithin } from "./is_within.ts";
export { parseAddress } from "./parse_address.ts";
export { parseLoosePrefix } from "./parse_loose_prefix.ts";
export { parsePrefix } from "./parse_prefix.ts";
export type { Prefix } from "./prefix.ts";
export { PURPOSE_IDS, type PurposeId } from "./purpose_ids.ts";
export { reverseLabels } from "./reverse_labels.ts";
export { reversePointer } from "./reverse_pointer.ts";
export type { SpecialPurpose } from "./special_purpose.ts";
export { subnet64 } from "./subnet64.ts";
