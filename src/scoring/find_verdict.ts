import type { Evidence } from "#evidence";
import type { Confidence, Data, Factor } from "#report";
import { countLists } from "./count_lists.ts";
import { findNote } from "./find_note.ts";
import type { FactorId, VerdictId } from "./ids.ts";
import { isCoreHeard } from "./is_core_heard.ts";
import { isSharedLine } from "./is_shared_line.ts";
import { WEIGHTS } from "./weights.ts";

/** From this many points on, after relief, lists or abuse are the headline rather than a minor signal. */
const LISTS_HEADLINE = 10;
const ABUSE_HEADLINE = 6;

/** Kinds of exit, most telling first: the one that charges most wins, in a tie the first. */
const EXITS = ["tor_exit", "proxy", "vpn", "relay"] as const satisfies readonly FactorId[];

/** Why little stands behind a verdict. */
type Thinness = "tables" | "core" | "few";

/**
 * Says the one thing to know about an address: what it is, else what is worst about it, else how little was found.
 * With low confidence it also says how little was heard, whatever the purity.
 */
export function findVerdict(
  evidence: Evidence,
  factors: readonly Factor[],
  confidence: Confidence,
): { readonly id: VerdictId; readonly data: Data } {
  const { coverage } = evidence;
  const thin = evidence.special === undefined && confidence === "low" ? { thin: findThinness(evidence) } : {};
  const heard = { heard: coverage.answeredSources, planned: coverage.expectedSources, ...thin };
  const note = findNote(evidence);
  if (note !== undefined) return { id: note.id, data: { ...note.data, ...heard } };
  const id = findWorst(evidence, factors);
  if (id === "listed") {
    const { accusing, answered } = countLists(evidence);
    const near = accusing.filter((listing) => listing.subnet === true).length;
    return { id, data: { ...heard, listed: accusing.length, answered, ...(near === 0 ? {} : { near }) } };
  }
  const data = { ...heard, ...findDoubt(factors, id) };
  if (id === "vpn" && evidence.vpn !== undefined)
    return { id, data: { ...data, operator: evidence.vpn.name } };
  return { id, data };
}

/** Why the factor behind a verdict, named as the verdict is, does not count in full. */
function findDoubt(factors: readonly Factor[], id: VerdictId): Data {
  const data = factors.find((factor) => factor.id === id)?.data;
  if (data?.subnet === true) return { subnet: true };
  return data?.agreement === 1 || data?.lone === true ? { lone: true } : {};
}

function findThinness(evidence: Evidence): Thinness {
  if (evidence.coverage.liveAnswered === 0) return "tables";
  return isCoreHeard(evidence) ? "few" : "core";
}

function findWorst(evidence: Evidence, factors: readonly Factor[]): VerdictId {
  const pointsOf = (id: FactorId) => factors.find((factor) => factor.id === id)?.points ?? 0;
  for (const id of ["botnet_controller", "severe_listing"] as const) if (pointsOf(id) > 0) return id;
  if (pointsOf("vpn") > 0 && evidence.vpn !== undefined && pointsOf("tor_exit") === 0) return "vpn";
  const exit = EXITS.reduce((worst, next) => (pointsOf(next) > pointsOf(worst) ? next : worst));
  if (pointsOf(exit) > 0) return exit;
  const blame = isSharedLine(evidence) ? 1 - WEIGHTS.shared_line_relief.share : 1;
  if (pointsOf("blocklists") * blame >= LISTS_HEADLINE) return "listed";
  if ((pointsOf("abuse_score") + pointsOf("attack_history")) * blame >= ABUSE_HEADLINE) return "abused";
  if (pointsOf("hosting") > 0) return "hosting";
  if (evidence.coverage.liveAnswered === 0 || !isCoreHeard(evidence)) return "unheard";
  return factors.some((factor) => factor.points > 0) ? "minor_signals" : "no_signals";
}
