import type { TableId } from "./datasets.ts";
import type { RangeSet } from "./range_set.ts";
import type { ValuePool } from "./value_pool.ts";

/** What a data package says, before it is compiled. */
export interface SeedRanges {
  readonly ipv4: RangeSet;
  readonly ipv6: RangeSet;
  readonly values: ValuePool;
}

/** How one table is made from one npm data package. */
export interface SeedRecipe {
  readonly id: TableId;
  readonly package: string;
  /** Raised when the recipe changes what it makes of the same package. */
  readonly revision: number;
  /** Fewer ranges mean that something is wrong with the package. */
  readonly minimumRanges: { readonly ipv4: number; readonly ipv6: number };
  /** Reads the unpacked package. @throws {DatasetError} naming the file that is wrong. */
  readonly read: (folder: string) => Promise<SeedRanges>;
}
