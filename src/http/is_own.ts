import type { Assessment } from "#report";
import type { Exchange } from "./exchange.ts";

/** Whether a report is about the very address it is asked from, and one that can be anybody's on the internet. */
export function isOwn({ client }: Exchange, assessment: Assessment): boolean {
  return client.address?.text === assessment.address && !assessment.flags.isBogon;
}
