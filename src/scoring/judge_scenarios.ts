import type { Evidence, ListingEvidence } from "#evidence";
import { type Data, type Factor, SCENARIOS, type ScenarioId, type ScenarioLevel } from "#report";
import { chargeOf } from "./charge_of.ts";
import { countLists, type ListCount } from "./count_lists.ts";
import { findListed } from "./find_listed.ts";
import type { NoteId, ReasonId } from "./ids.ts";
import { isCoreHeard } from "./is_core_heard.ts";
import { isHeardOn } from "./is_heard_on.ts";
import { isMobileLine } from "./is_mobile_line.ts";
import { isSharedLine } from "./is_shared_line.ts";
import { judgeRegion, type RegionJudgement } from "./judge_region.ts";
import {
  GRAVE_COST,
  HALF_HEARD_MOST,
  LEVEL_CUTS,
  SCENARIO_TABLES,
  type ScenarioTable,
  UNHEARD_MOST,
} from "./scenarios.ts";
import { shareOf } from "./share_of.ts";
import { SUBNET_SHARE, WEIGHTS } from "./weights.ts";

/** One use with its reading; reasons that decided first. */
export interface ScenarioJudgement {
  readonly id: ScenarioId;
  readonly score: number | null;
  readonly level: ScenarioLevel;
  readonly reasons: readonly { readonly id: ReasonId; readonly data: Data }[];
}

/** What all six uses look at, read out of the evidence once. */
interface Facts {
  readonly evidence: Evidence;
  readonly lists: ListCount;
  readonly policy: readonly string[];
  /** Parts of the abuse cap charged, and of the grave listings' whole weights. */
  readonly abuse: number;
  readonly botnet: number;
  readonly severe: number;
  /** How much of what is reported the one who asks must answer for; as in the bill. */
  readonly blame: number;
  readonly isMobile: boolean;
  readonly isCoreHeard: boolean;
  readonly isHeardOn: Readonly<Record<ScenarioTable["needs"], boolean>>;
  readonly isUnlisted: boolean;
}

/** A reading: why, and what it takes from 100. */
interface Reading {
  readonly id: ReasonId;
  readonly cost: number;
  readonly data: Data;
}

const LEAST_REASONS = 2;
const MOST_REASONS = 3;
/** From this score on, what speaks for an address is worth telling. */
const GOOD_FROM = 50;

/**
 * Judges the six uses, each by its own table. Where uses do not apply, `note` says why and no score is given.
 * `factors` are the bill before scenarios: abuse enters by its points, so that it fades here as it does there.
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
    const region = id === "ai" ? judgeRegion(evidence) : undefined;
    if (region?.most === null) return { id, score: null, level: "restricted", reasons: [region.reason] };
    return judgeScenario(id, facts, region);
  });
}

function readFacts(evidence: Evidence, factors: readonly Factor[]): Facts {
  const shareOfWhole = (id: "botnet_controller" | "severe_listing") =>
    (factors.find((factor) => factor.id === id)?.points ?? 0) / WEIGHTS[id].points;
  const lists = countLists(evidence);
  return {
    evidence,
    lists,
    policy: findListed(evidence, "policy").map((listing) => listing.label),
    abuse: chargeOf(factors, "abuse") / WEIGHTS.abuse_cap.cap,
    botnet: shareOfWhole("botnet_controller"),
    severe: shareOfWhole("severe_listing"),
    blame: isSharedLine(evidence) ? 1 - WEIGHTS.shared_line_relief.share : 1,
    isMobile: isMobileLine(evidence),
    isCoreHeard: isCoreHeard(evidence),
    isHeardOn: { anonymity: isHeardOn(evidence, "anonymity"), lists: isHeardOn(evidence, "lists") },
    isUnlisted:
      lists.answered > 0 && !evidence.listings.some((listing) => listing.answered && listing.listed),
  };
}

function judgeScenario(id: ScenarioId, facts: Facts, region: RegionJudgement | undefined): ScenarioJudgement {
  const table = SCENARIO_TABLES[id];
  const readings: Reading[] = [];
  readOrigin(table, facts.evidence, readings);
  readRest(table, facts, readings);
  const heardMost = mostFor(table, facts);
  const sum = readings.reduce((total, reading) => total + reading.cost, 0);
  const score = Math.round(Math.min(Math.max(100 - sum, 0), heardMost, region?.most ?? 100));
  const reasons = [
    ...(region === undefined ? [] : [region.reason]),
    ...(heardMost < 100 ? [say("thin_evidence")] : []),
    ...readings.toSorted((a, b) => b.cost - a.cost).map((reading) => say(reading.id, reading.data)),
  ];
  const isEnough = reasons.length >= LEAST_REASONS;
  const others = isEnough ? [] : findOthers(table, facts, readings, score >= GOOD_FROM);
  return { id, score, level: levelOf(score), reasons: [...reasons, ...others].slice(0, MOST_REASONS) };
}

function levelOf(score: number): ScenarioLevel {
  return LEVEL_CUTS.find(([, from]) => score >= from)?.[0] ?? "unusable";
}

/** Only what takes something is told. */
function read(readings: Reading[], id: ReasonId, cost: number, data: Data = {}): void {
  if (cost > 0) readings.push({ id, cost, data });
}

/** What hides whoever uses the address, the flag that says so, and where the table has its cost. */
const EXITS = [
  ["tor_exit", "isTor", "tor"],
  ["proxy", "isProxy", "proxy"],
  ["vpn", "isVpn", "vpn"],
  ["relay", "isRelay", "relay"],
] as const;

/**
 * What the network and the exit say. A VPN on a rented server is one machine: the lesser of the two counts by half.
 */
function readOrigin(table: ScenarioTable, { usage, flags }: Evidence, readings: Reading[]): void {
  const { type } = usage;
  const isAsked = type !== "unknown" || usage.answered;
  const network = isAsked ? table.usage[type] : 0;
  let exit = 0;
  let exitId: ReasonId = EXITS[0][0];
  for (const [id, flag, column] of EXITS) {
    const cost = table[column] * shareOf(flags[flag]);
    if (cost > exit) [exit, exitId] = [cost, id];
  }
  const isExitLess = exit < network;
  read(readings, exitId, isExitLess ? exit / 2 : exit);
  const half = isExitLess ? network : network / 2;
  if (type === "hosting") read(readings, "hosting", half);
  else read(readings, "usage", half, { usage: type });
}

function readRest(table: ScenarioTable, facts: Facts, readings: Reading[]): void {
  const { evidence, policy, blame } = facts;
  const devices = evidence.sharing?.address ?? 0;
  const step = WEIGHTS.shared_address.steps.findIndex(({ from }) => devices >= from);
  const shared = step < 0 ? 0 : step === 0 ? table.shared : table.shared / 2;
  readLists(table, facts, readings);
  read(readings, "broadcast", evidence.native.type === "broadcast" ? table.broadcast : 0);
  read(readings, "policy_listed", policy.length > 0 ? table.policy : 0, { lists: policy });
  read(readings, "abused", facts.abuse * table.abuse * blame);
  read(readings, "shared", facts.isMobile ? 0 : shared, { address: devices });
}

/** Lists by family, those of the /64 only by half. A botnet's controller or a criminal netblock is refused everywhere. */
function readLists(table: ScenarioTable, { lists, botnet, severe, blame }: Facts, readings: Reading[]): void {
  const { accusing, answered } = lists;
  read(readings, "botnet_controller", botnet * GRAVE_COST);
  read(readings, "severe_listing", severe * GRAVE_COST);
  if (accusing.length === 0) return;
  const all = costOfLists(table, accusing);
  const direct = accusing.filter((listing) => listing.subnet !== true);
  const exact = direct.length === accusing.length ? all : costOfLists(table, direct);
  const listed = Math.max(exact, all * SUBNET_SHARE) * blame;
  read(readings, "listed", listed, { listed: accusing.length, answered });
}

function costOfLists(table: ScenarioTable, accusing: readonly ListingEvidence[]): number {
  if (accusing.length === 0) return 0;
  const [first, second, third] = table.lists;
  const abuse = accusing.filter((listing) => listing.meanings.includes("abuse"));
  const families = new Set(abuse.map((listing) => listing.family)).size;
  const undocumented = accusing.some((it) => it.meanings.includes("unclassified")) ? first / 3 : 0;
  return [undocumented, first, second, third][Math.min(families, 3)] ?? 0;
}

/** Nothing excellent may be said of what was not heard. */
function mostFor(table: ScenarioTable, facts: Facts): number {
  if (!facts.isCoreHeard) return UNHEARD_MOST;
  return facts.isHeardOn[table.needs] ? 100 : HALF_HEARD_MOST;
}

/** Facts beside the readings: what speaks for the address where it does well, else only what network it is on. */
function findOthers(
  table: ScenarioTable,
  facts: Facts,
  readings: readonly Reading[],
  isGood: boolean,
): ScenarioJudgement["reasons"] {
  const { usage, native } = facts.evidence;
  const isSaid = readings.some((reading) => reading.id === "usage" || reading.id === "hosting");
  const network = usage.type === "unknown" || isSaid ? [] : [say("usage", { usage: usage.type })];
  if (!isGood) return network;
  const others = [
    ...network,
    ...(facts.isUnlisted ? [say("not_listed")] : []),
    ...(native.type === "native" && table.broadcast > 0 ? [say("native")] : []),
  ];
  return others.length === 0 && readings.length === 0 && facts.isCoreHeard ? [say("no_signals")] : others;
}

function say(id: ReasonId, data: Data = {}): { readonly id: ReasonId; readonly data: Data } {
  return { id, data };
}
