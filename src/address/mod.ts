/** IP addresses: strict parsing, canonical text, blocks, reverse names, special-purpose space. Pure. */
export {
  type Address,
  addressFromWords,
  parseAddress,
  parseWords,
  reverseLabels,
  reversePointer,
} from "./address.ts";
export { findAddress, findPastedAddresses } from "./find_address.ts";
export {
  endsOf,
  isWithin,
  type Prefix,
  parseLoosePrefix,
  parsePrefix,
  parsePrefixEnds,
  prefixFromWords,
  stepPrefix,
  subnet64,
} from "./prefix.ts";
export * from "./special_addresses.ts";
