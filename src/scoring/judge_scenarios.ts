import type { Evidence } from "#evidence";
import { type Data, type Factor, type Flag, SCENARIOS, type ScenarioId, type ScenarioLevel } from "#report";
import { AI_REGIONS, isUnsupportedByAll } from "./ai_regions.ts";
import { chargeOf } from "./charge_of.ts";
import { countLists } from "./count_lists.ts";
import { findListed } from "./find_listed.ts";
import type { FactorId, NoteId, ReasonId } from "./ids.ts";
import { isCoreHeard } from "./is_core_heard.ts";
import { isHeardOn } from "./is_heard_on.ts";
import { isMobileLine } from "./is_mobile_line.ts";
import { isSharedLine } from "./is_shared_line.ts";
import {
  GRAVE_COST,
  HALF_HEARD_MOST,
  LEVEL_CUTS,
  SCENARIO_TABLES,
  type ScenarioTable,
  UNHEARD_MOST,
} from "./scenarios.ts";
import { LONE_SHARE, WEIGHTS } from "./weights.ts";

/** One use with its reading; reasons that decided first. */
export interface ScenarioJudgement {
  readonly id: ScenarioId;
  readonly score: number | null;
  readonly level: ScenarioLevel;
  readonly reasons: readonly { readonly id: ReasonId; readonly data: Data }[];
}

/** A reading: why, and what it takes from 100. */
interface Reading {
  readonly id: ReasonId;
  readonly cost: number;
  readonly data: Data;
}

const MOST_REASONS = 3;
/** From this score on, what speaks for an address is worth telling. */
const GOOD_FROM = 50;
const DEVICES_MANY = 1001;
const DEVICES_SOME = 101;

/**
 * Judges the six uses, each by its own table. Where uses do not apply, `note` says why and no score is given.
 * `factors` are the bill before scenarios: abuse enters by its points, so that it fades here as it does there.
 */
export function judgeScenarios(
  evidence: Evidence,
  factors: readonly Factor[],
  note: { readonly id: NoteId; readonly data: Data } | undefined,
): readonly ScenarioJudgement[] {
  return SCENARIOS.map((id) => {
    if (note !== undefined) return { id, score: null, level: "not_applicable", reasons: [note] };
    return (id === "ai" ? judgeRegion(evidence) : undefined) ?? judgeScenario(id, evidence, factors);
  });
}

/** The country of use decides over AI before anything else, but only when nobody places the address elsewhere. */
function judgeRegion({ geo, countries }: Evidence): ScenarioJudgement | undefined {
  const named = countries.length > 0 ? countries : [geo?.country ?? ""];
  if (!named.every(isUnsupportedByAll)) return undefined;
  const country = geo?.country ?? named[0] ?? "";
  const vendors = AI_REGIONS.vendors.map((vendor) => vendor.name);
  const data = { country, asOf: AI_REGIONS.asOf, vendors };
  return { id: "ai", score: null, level: "restricted", reasons: [{ id: "restricted", data }] };
}

function judgeScenario(id: ScenarioId, evidence: Evidence, factors: readonly Factor[]): ScenarioJudgement {
  const table = SCENARIO_TABLES[id];
  const origin = readOrigin(table, evidence);
  const readings = [...origin, ...readRest(table, evidence, factors)].filter((reading) => reading.cost > 0);
  const most = Math.min(mostFor(table, evidence), mostAcrossBorder(id, evidence));
  const sum = readings.reduce((total, reading) => total + reading.cost, 0);
  const score = Math.round(Math.min(Math.max(100 - sum, 0), most));
  const reasons = [
    ...(most < 100 ? [say("thin_evidence")] : []),
    ...readings.toSorted((a, b) => b.cost - a.cost).map((reading) => say(reading.id, reading.data)),
  ];
  const good = reasons.length < 2 && score >= GOOD_FROM ? findGood(table, evidence, readings) : [];
  return { id, score, level: levelOf(score), reasons: [...reasons, ...good].slice(0, MOST_REASONS) };
}

function levelOf(score: number): ScenarioLevel {
  return LEVEL_CUTS.find(([, from]) => score >= from)?.[0] ?? "unusable";
}

/**
 * What the network and the exit say. A VPN on a rented server is one machine: the lesser of the two counts by half.
 */
function readOrigin(table: ScenarioTable, evidence: Evidence): readonly Reading[] {
  const { type } = evidence.usage;
  const isAsked = type !== "unknown" || evidence.usage.heard;
  const network: Reading =
    type === "hosting"
      ? { id: "hosting", cost: table.usage.hosting, data: {} }
      : { id: "usage", cost: isAsked ? table.usage[type] : 0, data: { usage: type } };
  const exits = (
    [
      ["tor_exit", "isTor", table.tor],
      ["proxy", "isProxy", table.proxy],
      ["vpn", "isVpn", table.vpn],
      ["relay", "isRelay", table.relay],
    ] as const
  ).map(([id, flag, cost]): Reading => ({ id, cost: cost * shareOf(evidence, flag), data: {} }));
  const exit = exits.reduce((worst, next) => (next.cost > worst.cost ? next : worst));
  const lesser = exit.cost < network.cost ? exit : network;
  return [exit, network].map((reading) =>
    reading === lesser ? { ...reading, cost: reading.cost / 2 } : reading,
  );
}

function shareOf({ flags }: Evidence, flag: Flag): number {
  if (!flags[flag].value) return 0;
  return flags[flag].agreement < 2 ? LONE_SHARE : 1;
}

function readRest(table: ScenarioTable, evidence: Evidence, factors: readonly Factor[]): readonly Reading[] {
  const policy = findListed(evidence, "policy").map((listing) => listing.label);
  const abuse = (chargeOf(factors, "abuse") / WEIGHTS.abuse_cap.cap) * table.abuse * blameOf(evidence);
  const devices = evidence.sharing?.address ?? 0;
  const shared = devices >= DEVICES_MANY ? table.shared : devices >= DEVICES_SOME ? table.shared / 2 : 0;
  return [
    ...readLists(table, evidence, factors),
    { id: "broadcast", cost: evidence.native.type === "broadcast" ? table.broadcast : 0, data: {} },
    { id: "policy_listed", cost: policy.length > 0 ? table.policy : 0, data: { lists: policy } },
    { id: "abused", cost: abuse, data: {} },
    { id: "shared", cost: isMobileLine(evidence) ? 0 : shared, data: { address: devices } },
  ];
}

/** Lists by family. A controller of a botnet or a criminal netblock is refused everywhere. */
function readLists(table: ScenarioTable, evidence: Evidence, factors: readonly Factor[]): readonly Reading[] {
  const { accusing, answered } = countLists(evidence);
  const families = new Set(findListed(evidence, "abuse").map((listing) => listing.family)).size;
  const [first, second, third] = table.lists;
  const undocumented = accusing.length > 0 ? first / 3 : 0;
  const cost = [undocumented, first, second, third][Math.min(families, 3)] ?? 0;
  const listed = Math.max(cost * blameOf(evidence), costOf(factors, "botnet_controller"));
  return [
    { id: "severe_listing", cost: costOf(factors, "severe_listing"), data: {} },
    { id: "listed", cost: listed, data: { listed: accusing.length, answered } },
  ];
}

/** How much of what is reported the one who asks must answer for; as in the bill. */
function blameOf(evidence: Evidence): number {
  return isSharedLine(evidence) ? 1 - WEIGHTS.shared_line_relief.share : 1;
}

function costOf(factors: readonly Factor[], id: FactorId): number {
  const factor = factors.find((it) => it.id === id);
  if (factor === undefined) return 0;
  return factor.floor === undefined ? GRAVE_COST * LONE_SHARE : GRAVE_COST;
}

/** Nothing excellent may be said of what was not heard. */
function mostFor(table: ScenarioTable, evidence: Evidence): number {
  if (!isCoreHeard(evidence)) return UNHEARD_MOST;
  return isHeardOn(evidence, table.needs) ? 100 : HALF_HEARD_MOST;
}

/** Some place the address where AI is not offered and some do not: nobody can promise that it works. */
function mostAcrossBorder(id: ScenarioId, { countries }: Evidence): number {
  return id === "ai" && countries.some(isUnsupportedByAll) ? UNHEARD_MOST : 100;
}

/** What speaks for the address, where little or nothing speaks against it. */
function findGood(table: ScenarioTable, evidence: Evidence, readings: readonly Reading[]) {
  const { usage, native } = evidence;
  const heard = evidence.listings.filter((listing) => listing.heard);
  const isUnlisted = heard.length > 0 && !heard.some((listing) => listing.listed);
  const isSaid = readings.some((reading) => reading.id === "usage" || reading.id === "hosting");
  const facts = [
    ...(usage.type === "unknown" || isSaid ? [] : [say("usage", { usage: usage.type })]),
    ...(isUnlisted ? [say("not_listed")] : []),
    ...(native.type === "native" && table.broadcast > 0 ? [say("native")] : []),
  ];
  return facts.length === 0 && readings.length === 0 && isCoreHeard(evidence) ? [say("no_signals")] : facts;
}

function say(id: ReasonId, data: Data = {}): { readonly id: ReasonId; readonly data: Data } {
  return { id, data };
}
