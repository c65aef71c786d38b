import type { Evidence, ListingEvidence } from "#evidence";
import { type Assessment, type Data, type Factor, SCENARIOS, type ScenarioId } from "#report";
import { findLow, hasAnswersOn, hasCoreAnswers } from "./confidence.ts";
import type { NoteId, ReasonId } from "./ids.ts";
import { RANGE_POINTS } from "./range_points.ts";
import { judgeRegion, listRegions, type RegionJudgement } from "./regions.ts";
import { readBetweenSteps, roundPoints, sumCappedPoints } from "./rule.ts";
import { isMobileLine, reportShareOf } from "./rules/shared_line_relief.ts";
import {
  CRITICAL_LISTING_COST,
  LEVEL_THRESHOLDS,
  MAX_SCORES,
  SCENARIO_TABLES,
  type ScenarioTable,
} from "./scenario_tables.ts";
import { computeShare, countLists, countVoices, findListings } from "./weighing.ts";
import { LONE_SHARE, SUBNET_SHARE, WEIGHTS } from "./weights.ts";

/**
 * The score of one use case: 100 minus the points of its reasons, at least 0. 95 % of such addresses reach `low` with all
 * evidence. The reason that decides the level comes first. `regions` is only in `ai`.
 */
export interface ScenarioJudgement extends Readonly<Omit<Assessment["scenarios"][number], "reasons">> {
  readonly reasons: readonly Reason[];
}

/** `points` are deducted from 100. */
interface Reason {
  readonly id: ReasonId;
  readonly data: Data;
  readonly points?: number;
}

type Deduction = Required<Reason>;

/** The facts that all use cases need, read from the evidence once. */
type Facts = ReturnType<typeof readFacts>;

const MIN_REASONS = 2;
/** From this score on, reasons in favour of the address are named. */
const GOOD_FROM = 50;
/** From this score on (good, excellent) the reasons in favour of the address come first. */
const HIGH_FROM = 70;

/**
 * Judges the six use cases, each by its own table. If they do not apply, `note` gives the reason, and there is no
 * score. `factors` are the score breakdown: abuse counts by its points there, so that old reports lose weight here too.
 */
export function judgeScenarios(
  evidence: Evidence,
  factors: readonly Factor[],
  note: { readonly id: NoteId; readonly data: Data } | undefined,
): readonly ScenarioJudgement[] {
  if (note !== undefined) {
    return SCENARIOS.map((id) => ({ id, score: null, level: "not_applicable", reasons: [note] }));
  }
  const facts = readFacts(evidence, factors);
  return SCENARIOS.map((id) => {
    const judged = judgeScenario(id, facts, judgeRegion(id, evidence));
    const regions = id === "ai" ? listRegions(evidence) : undefined;
    return { ...judged, ...(regions === undefined ? {} : { regions }) };
  });
}

function readFacts(evidence: Evidence, factors: readonly Factor[]) {
  const partOfWeight = (id: "botnet_controller" | "severe_listing") =>
    (factors.find((factor) => factor.id === id)?.points ?? 0) / WEIGHTS[id].points;
  const lists = countLists(evidence);
  return {
    evidence,
    lists,
    /** Labels of the lists that declare end-user space. */
    policy: findListings(evidence, "policy").map((listing) => listing.label),
    /** Points for abuse as a part of their cap, 0 to 1. */
    abuse: sumCappedPoints(factors, "abuse") / WEIGHTS.abuse_cap.cap,
    /** Points for critical listings as a part of their full weight, 0 to 1. */
    botnet: partOfWeight("botnet_controller"),
    severe: partOfWeight("severe_listing"),
    /** The part of the cost of lists and abuse that counts on this line, 0 to 1. */
    reportShare: reportShareOf(evidence),
    isMobile: isMobileLine(evidence),
    /** Whether it is known that the address has a reverse name, or none. */
    isNameKnown: evidence.reverse !== undefined || evidence.isNameless,
    hasCore: hasCoreAnswers(evidence),
    hasNeeded: { anonymity: hasAnswersOn(evidence, "anonymity"), lists: hasAnswersOn(evidence, "lists") },
    isUnlisted:
      lists.answered > 0 && !evidence.listings.some((listing) => listing.answered && listing.listed),
  };
}

function judgeScenario(id: ScenarioId, facts: Facts, region: RegionJudgement | undefined): ScenarioJudgement {
  if (region?.maxScore === null) return { id, score: null, level: "restricted", reasons: [region.reason] };
  const table = SCENARIO_TABLES[id];
  const deductions = [
    ...deductOrigin(table, facts.evidence),
    ...deductLists(table, facts),
    ...deductRest(table, facts),
  ]
    .map((deduction) => ({ ...deduction, points: roundPoints(deduction.points) }))
    .filter(({ points }) => points > 0);
  const sum = deductions.reduce((total, { points }) => total + points, 0);
  const maxScore = findMaxScore(table, facts);
  const most = Math.min(maxScore, region?.maxScore ?? 100);
  const score = Math.round(Math.min(Math.max(100 - sum, 0), most));
  const caps: readonly (readonly [max: number, Reason])[] = [
    ...(region === undefined ? [] : [[region.maxScore, region.reason] as const]),
    ...(maxScore < 100 ? [[maxScore, reason("thin_evidence")] as const] : []),
  ];
  // Only the lowest one deducts, and only what the deductions leave above it.
  const decisive = caps.findIndex(([max]) => max === most);
  const limits = caps.map(([, it], at) =>
    at === decisive && sum < 100 - most ? { ...it, points: 100 - most - sum } : it,
  );
  const costs = deductions.toSorted((a, b) => b.points - a.points);
  const others = findOtherReasons(table, facts, deductions, score >= GOOD_FROM);
  // What is good about the address explains a high score; what it still costs comes after it.
  const isHigh = score >= HIGH_FROM && limits.length === 0;
  const isEnough = limits.length + costs.length >= MIN_REASONS && (score < GOOD_FROM || limits.length > 0);
  const reasons = isHigh ? [...others, ...costs] : [...limits, ...costs, ...(isEnough ? [] : others)];
  const level = LEVEL_THRESHOLDS.find(([, from]) => score >= from)?.[0] ?? "unusable";
  const unsaid = facts.isNameKnown ? 0 : table.nameless;
  const low = Math.min(findLow(facts.evidence, RANGE_POINTS[id], 100 - sum - unsaid), score);
  return { id, score, low, level, reasons };
}

/** Returns the highest score that the evidence allows: with little evidence it is below excellent. */
function findMaxScore(table: ScenarioTable, facts: Facts): number {
  if (!facts.hasCore) return MAX_SCORES.withoutCore;
  return facts.hasNeeded[table.needs] ? 100 : MAX_SCORES.withoutNeeded;
}

/** The kinds of exit, the flag of each, and the column of its cost. */
const EXITS = [
  ["tor_exit", "isTor", "tor"],
  ["proxy", "isProxy", "proxy"],
  ["vpn", "isVpn", "vpn"],
  ["relay", "isRelay", "relay"],
] as const;

/**
 * Deducts for the exit with the highest cost and for the network. A VPN on a rented server is one machine, so the
 * lower of the two costs counts half.
 */
function deductOrigin(table: ScenarioTable, { usage, flags }: Evidence): readonly Deduction[] {
  const { type } = usage;
  // A hosting network counts as in the score: half where one family alone reports it.
  const share = type === "hosting" ? Math.max(computeShare(flags.isHosting), LONE_SHARE) : 1;
  const network = type !== "unknown" || usage.answered ? table.usage[type] * share : 0;
  let exit = 0;
  let exitId: ReasonId = EXITS[0][0];
  let exitShare = 1;
  for (const [id, flag, column] of EXITS) {
    const part = computeShare(flags[flag]);
    if (table[column] * part > exit) [exit, exitId, exitShare] = [table[column] * part, id, part];
  }
  const dataOf = (part: number): Data => (part < 1 ? { halved: true } : {});
  const isExitLower = exit < network;
  const networkCost = isExitLower ? network : network / 2;
  return [
    { id: exitId, points: isExitLower ? exit / 2 : exit, data: dataOf(exitShare) },
    type === "hosting"
      ? { id: "hosting", points: networkCost, data: dataOf(share) }
      : { id: "usage", points: networkCost, data: { usage: type } },
  ];
}

/** Deducts for lists by family. Every service refuses botnet controllers and criminal netblocks. */
function deductLists(
  table: ScenarioTable,
  { lists, botnet, severe, reportShare }: Facts,
): readonly Deduction[] {
  const { accusing, answered } = lists;
  if (accusing.length === 0) return [];
  const exact = accusing.filter((listing) => listing.subnet !== true);
  const cost = Math.max(costOfLists(table, exact), costOfLists(table, accusing) * SUBNET_SHARE);
  return [
    { id: "botnet_controller", points: botnet * CRITICAL_LISTING_COST, data: {} },
    { id: "severe_listing", points: severe * CRITICAL_LISTING_COST, data: {} },
    { id: "listed", points: cost * reportShare, data: { listed: accusing.length, answered } },
  ];
}

function costOfLists(table: ScenarioTable, accusing: readonly ListingEvidence[]): number {
  const [first, second, third] = table.lists;
  const steps = [
    { from: 3, points: third },
    { from: 2, points: second },
    { from: 1, points: first },
  ];
  return readBetweenSteps(steps, countVoices(accusing));
}

function deductRest(table: ScenarioTable, facts: Facts): readonly Deduction[] {
  const { evidence, policy, reportShare } = facts;
  const devices = evidence.sharing?.address ?? 0;
  const step = WEIGHTS.shared_address.steps.findIndex(({ from }) => devices >= from);
  const shared = step < 0 ? 0 : step === 0 ? table.shared : table.shared / 2;
  return [
    { id: "broadcast", points: evidence.native.type === "broadcast" ? table.broadcast : 0, data: {} },
    { id: "policy_listed", points: policy.length > 0 ? table.policy : 0, data: { lists: policy } },
    { id: "nameless", points: evidence.isNameless ? table.nameless : 0, data: {} },
    { id: "abused", points: facts.abuse * table.abuse * reportShare, data: {} },
    { id: "shared", points: facts.isMobile ? 0 : shared, data: { address: devices } },
  ];
}

/** Returns reasons that deduct nothing: the use of the network and, with a good score, what is good about the address. */
function findOtherReasons(
  table: ScenarioTable,
  facts: Facts,
  deductions: readonly Deduction[],
  isGood: boolean,
): readonly Reason[] {
  const { usage, native } = facts.evidence;
  const isNamed = deductions.some(({ id }) => id === "usage" || id === "hosting");
  const network = usage.type === "unknown" || isNamed ? [] : [reason("usage", { usage: usage.type })];
  if (!isGood) return network;
  const others = [
    ...network,
    ...(facts.isUnlisted ? [reason("not_listed")] : []),
    ...(native.type === "native" && table.broadcast > 0 ? [reason("native")] : []),
  ];
  return others.length === 0 && deductions.length === 0 && facts.hasCore ? [reason("no_signals")] : others;
}

function reason(id: ReasonId, data: Data = {}): Reason {
  return { id, data };
}
