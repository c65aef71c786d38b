import type { Address } from "#address";
import { findCloudBlock } from "./cloud_blocks.ts";
import { isMobileBlock } from "./mobile_blocks.ts";

/** The blocks of our own tables that contain an address. */
export interface OwnBlocks {
  /** A block of a cloud. */
  readonly isCloud: boolean;
  /** A block of phones of the AS. */
  readonly isMobile: boolean;
}

/**
 * Finds the blocks of our own tables that contain the address. The evidence reads nothing else from the address itself,
 * except its special purpose.
 */
export function findOwnBlocks(address: Address, asn: number | undefined): OwnBlocks {
  return {
    isCloud: findCloudBlock(address) !== undefined,
    isMobile: asn !== undefined && isMobileBlock(address, asn),
  };
}
