import { findPastedAddresses } from "./find_pasted_addresses.ts";

/**
 * The one address in what a person pasted into a field, in canonical form; undefined when there is none, or when there
 * are several, of which a person must choose.
 */
export function findPastedAddress(text: string): string | undefined {
  const [address, another] = findPastedAddresses(text);
  return another === undefined ? address?.text : undefined;
}
