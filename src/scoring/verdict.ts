import { percentOf } from "#common";
import type { Evidence } from "#evidence";
import type { Confidence, Data, Factor, PurityRange, ReportedCoverage } from "#report";
import { CONFIDENCE_THRESHOLDS, hasCoreAnswers } from "./confidence.ts";
import type { FactorId, NoteId, VerdictId } from "./ids.ts";
import { reportShareOf } from "./rules/shared_line_relief.ts";
import { countLists } from "./weighing.ts";

/** From these points on, after relief, lists or abuse are the verdict. Below they are minor signals. */
const LISTS_HEADLINE = 10;
const ABUSE_HEADLINE = 6;

/** With less than this share of the evidence, the verdict says the coverage and the low end of the range. */
const RANGE_HEADLINE = CONFIDENCE_THRESHOLDS.high;

/** Kinds of exit. The one with the most points is the verdict; in a tie the first. */
const EXITS = ["tor_exit", "proxy", "vpn", "relay"] as const satisfies readonly FactorId[];

/** The reason why there is little evidence for a verdict. */
type Thinness = "tables" | "core" | "few";

/** Returns why the use cases do not apply: special-purpose space, or a public service, which nobody uses as an exit. */
export function findNote(evidence: Evidence): { readonly id: NoteId; readonly data: Data } | undefined {
  const { special, infrastructure } = evidence;
  if (special !== undefined) {
    return { id: "bogon", data: { block: special.block, purpose: special.purpose } };
  }
  if (infrastructure === undefined) return undefined;
  const { role, operator } = infrastructure;
  return role === "crawler"
    ? { id: "crawler", data: { operator } }
    : { id: "infrastructure", data: { operator, role } };
}

interface Judgement {
  readonly purity: number;
  readonly range: PurityRange;
  readonly coverage: ReportedCoverage;
  readonly factors: readonly Factor[];
  readonly confidence: Confidence;
}

/**
 * Finds the most important statement about an address: its kind, else the worst finding, else that there is little or
 * no finding. With low confidence the data also contains the reason why there is little evidence, and with a wide range
 * the coverage and the range.
 */
export function findVerdict(
  evidence: Evidence,
  { purity, range, coverage: shares, factors, confidence }: Judgement,
): { readonly id: VerdictId; readonly data: Data } {
  const thin = evidence.special === undefined && confidence === "low" ? { thin: findThinness(evidence) } : {};
  const { low, high } = range;
  const isOpen = shares.total < RANGE_HEADLINE && (low < purity || high > purity);
  const open = isOpen ? { purity, low, high, percent: percentOf(shares.total) } : {};
  const doubt = { ...thin, ...open };
  const note = findNote(evidence);
  if (note !== undefined) return { id: note.id, data: { ...note.data, ...doubt } };
  const id = findWorst(evidence, factors);
  if (id === "listed") {
    const { accusing, answered } = countLists(evidence);
    const near = accusing.filter((listing) => listing.subnet === true).length;
    return { id, data: { ...doubt, listed: accusing.length, answered, ...(near === 0 ? {} : { near }) } };
  }
  const data = { ...doubt, ...findDoubt(factors, id) };
  if (id === "vpn" && evidence.vpn !== undefined)
    return { id, data: { ...data, operator: evidence.vpn.name } };
  return { id, data };
}

/** Returns why the factor with the id of the verdict does not count in full. */
function findDoubt(factors: readonly Factor[], id: VerdictId): Data {
  const data = factors.find((factor) => factor.id === id)?.data;
  if (data?.subnet === true) return { subnet: true };
  return data?.agreement === 1 || data?.lone === true ? { lone: true } : {};
}

function findThinness(evidence: Evidence): Thinness {
  if (evidence.coverage.liveAnswered === 0) return "tables";
  return hasCoreAnswers(evidence) ? "few" : "core";
}

function findWorst(evidence: Evidence, factors: readonly Factor[]): VerdictId {
  const pointsOf = (id: FactorId) => factors.find((factor) => factor.id === id)?.points ?? 0;
  for (const id of ["botnet_controller", "severe_listing"] as const) if (pointsOf(id) > 0) return id;
  if (pointsOf("vpn") > 0 && evidence.vpn !== undefined && pointsOf("tor_exit") === 0) return "vpn";
  const exit = EXITS.reduce((worst, next) => (pointsOf(next) > pointsOf(worst) ? next : worst));
  if (pointsOf(exit) > 0) return exit;
  const share = reportShareOf(evidence);
  if (pointsOf("blocklists") * share >= LISTS_HEADLINE) return "listed";
  if ((pointsOf("abuse_score") + pointsOf("attack_history")) * share >= ABUSE_HEADLINE) return "abused";
  if (pointsOf("hosting") > 0) return "hosting";
  if (evidence.coverage.liveAnswered === 0 || !hasCoreAnswers(evidence)) return "unheard";
  return factors.some(({ points, category }) => points > 0 && category !== "coverage")
    ? "minor_signals"
    : "no_signals";
}
