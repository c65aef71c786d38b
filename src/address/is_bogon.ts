import type { Address } from "./address.ts";
import { findSpecialPurpose } from "./find_special_purpose.ts";

/** Whether the address cannot be anybody's on the public Internet; see {@link findSpecialPurpose}. */
export function isBogon(address: Address): boolean {
  return findSpecialPurpose(address) !== undefined;
}
