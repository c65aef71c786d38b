import { type Address, parseAddress } from "#address";

/** Parses an address. @throws {Error} when the text is not one. */
export function readAddress(text: string): Address {
  const address = parseAddress(text);
  if (address === undefined) throw new Error(`Cannot parse address "${text}"`);
  return address;
}
