import type { UsageType } from "#report";
import type { Family } from "./observation.ts";

/** One reason to take a network for what it is: whose word, and what to call it in `because`. */
export interface Vote {
  readonly type: UsageType;
  readonly family: Family;
  readonly because: string;
}
