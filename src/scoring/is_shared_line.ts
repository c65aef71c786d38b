import type { Evidence } from "#evidence";
import { isMobileLine } from "./is_mobile_line.ts";
import { isNobodysExit } from "./is_nobodys_exit.ts";
import { WEIGHTS } from "./weights.ts";

/**
 * Whether many ordinary people share the address, so that reports against it need not concern the one who asks.
 * Not exits that are shared on purpose, nor servers: there the reports are about what the address is for.
 */
export function isSharedLine(evidence: Evidence): boolean {
  if (isNobodysExit(evidence)) return false;
  if (isMobileLine(evidence)) return true;
  const { isProxy, isVpn, isTor, isRelay, isHosting } = evidence.flags;
  const isExit = [isProxy, isVpn, isTor, isRelay, isHosting].some((flag) => flag.value);
  const large = Math.min(...WEIGHTS.shared_address.steps.map((step) => step.from));
  return !isExit && (evidence.sharing?.address ?? 0) >= large;
}
