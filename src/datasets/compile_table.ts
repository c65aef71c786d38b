import { encodeTable } from "./encode_table.ts";
import { flattenRanges } from "./flatten_ranges.ts";
import type { RangeSet } from "./range_set.ts";
import type { ValuePool } from "./value_pool.ts";

/** Ranges as they were read, and the pool their value ids belong to. A family left out is not covered. */
export interface TableSource {
  readonly id: string;
  readonly origin: string;
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly ipv4?: RangeSet;
  readonly ipv6?: RangeSet;
  readonly values: ValuePool;
}

/**
 * Compiles ranges into the bytes of a table file. Where ranges overlap the narrowest speaks ({@link flattenRanges});
 * whoever wants another rule cuts the partition differently and calls {@link encodeTable} with it.
 * @throws RangeError when the table is too large for the format.
 */
export function compileTable(source: TableSource): Uint8Array<ArrayBuffer> {
  const { ipv4, ipv6, ...rest } = source;
  return encodeTable({
    ...rest,
    ...(ipv4 === undefined ? {} : { ipv4: flattenRanges(ipv4) }),
    ...(ipv6 === undefined ? {} : { ipv6: flattenRanges(ipv6) }),
  });
}
