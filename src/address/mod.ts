/**
 * IP addresses: strict parsing, canonical text, blocks, reverse names, special-purpose space. Pure.
 * Imports no other module.
 */
export {
  type Address,
  addressFromWords,
  parseAddress,
  parseWords,
  reverseLabels,
  reversePointer,
} from "./address.ts";
export { type FoundAddress, findAddress } from "./find_address.ts";
export { findPastedAddresses } from "./find_pasted_addresses.ts";
export { isWithin, type Prefix, parseLoosePrefix, parsePrefix, parsePrefixEnds, subnet64 } from "./prefix.ts";
export { findSpecialPurpose, isBogon, type SpecialPurpose } from "./special_purpose.ts";
export { PURPOSE_IDS, type PurposeId } from "./special_purpose_blocks.ts";
