import { type Evidence, NAME_FAMILY } from "#evidence";
import { type Rule, sumCappedPoints } from "../rule.ts";
import { WEIGHTS } from "../weights.ts";

/** Gives back half of the points for lists and abuse on a line that many ordinary people share, but keeps it listed. */
export const sharedLineRelief: Rule = {
  id: "shared_line_relief",
  category: "relief",
  judge: (evidence, before) => {
    if (!isSharedLine(evidence)) return undefined;
    const { share } = WEIGHTS.shared_line_relief;
    const lists = sumCappedPoints(before, "lists");
    const kept = Math.max(lists * (1 - share), Math.min(lists, WEIGHTS.blocklists.least));
    return { points: kept - lists - sumCappedPoints(before, "abuse") * share, data: {} };
  },
};

/**
 * Reports whether a source says that this is a mobile line and no source says that it is a server. The name of a
 * carrier alone is not enough: carriers run data centres too, and a mobile line gets relief.
 */
export function isMobileLine({ flags }: Evidence): boolean {
  return !flags.isHosting.value && flags.isMobile.yes.some((family) => family !== NAME_FAMILY);
}

/**
 * Reports whether many ordinary people share the address, so that reports about it may be about another person. Exits,
 * servers and public services are not shared lines: reports about them are about their own use.
 */
export function isSharedLine(evidence: Evidence): boolean {
  if (evidence.infrastructure !== undefined) return false;
  if (isMobileLine(evidence)) return true;
  const { isProxy, isVpn, isTor, isRelay, isHosting } = evidence.flags;
  const isExit = [isProxy, isVpn, isTor, isRelay, isHosting].some((flag) => flag.value);
  const many = Math.min(...WEIGHTS.shared_address.steps.map((step) => step.from));
  return !isExit && (evidence.sharing?.address ?? 0) >= many;
}

/** Returns the part of the points for lists and abuse that counts after the relief for shared lines, 0 to 1. */
export function reportShareOf(evidence: Evidence): number {
  return isSharedLine(evidence) ? 1 - WEIGHTS.shared_line_relief.share : 1;
}
