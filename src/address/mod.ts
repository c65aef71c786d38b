/**
 * IP addresses: strict parsing, canonical text, blocks, reverse names, special-purpose space. Pure.
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
export {
  isWithin,
  type Prefix,
  parseLoosePrefix,
  parsePrefix,
  parsePrefixEnds,
  prefixFromWords,
  stepPrefix,
  subnet64,
} from "./prefix.ts";
export * from "./public_services.ts";
export * from "./special_purpose.ts";
