import { findSpecialPurpose, parseAddress } from "#address";
import type { Exposure, Sharing } from "#report";
import { measureDays } from "./carry.ts";
import type { AbuseEvidence, Evidence, ListingEvidence } from "./evidence.ts";
import { listDisputes, mergeFlags } from "./flags.ts";
import { findKnownNetwork, mergeNetwork } from "./network.ts";
import type {
  Family,
  Infrastructure,
  Listing,
  ListingMeaning,
  ReverseName,
  SourceRun,
  Survey,
} from "./observation.ts";
import { compareCountries, mergePlace, mergeRegistry } from "./place.ts";
import { type Answer, isAnswered, isAskable, listAnswers, measureCoverage, sortRuns } from "./runs.ts";
import { collectVotes, mergeUsage } from "./usage.ts";

/**
 * Merges all answers of a survey. The order of the runs does not change the result. Runs that failed, were skipped or
 * were empty count only for coverage, for unavailable lists, and as a scan without a record. Accusations that are
 * carried forward are merged as if their sources had answered, but count as not obtained. Pure.
 */
export function mergeEvidence(survey: Survey): Evidence {
  const rest = mergeRuns(survey);
  const carrying = sortRuns(survey.runs).filter((run) => run.carried !== undefined && !isAnswered(run));
  if (carrying.length === 0) return rest;
  const runs = survey.runs.map((run): SourceRun => {
    if (run.carried === undefined || isAnswered(run)) return run;
    const { error, detail, skipped, carried, ...source } = run;
    return { ...source, state: "answered", observation: carried.observation };
  });
  const days = carrying.map(({ carried }) => measureDays(carried?.lostAt ?? "", survey.surveyedAt));
  return {
    ...mergeRuns({ ...survey, runs }),
    coverage: rest.coverage,
    carried: {
      sources: carrying.map(({ name, carried }) => ({ name, heardOn: carried?.heardAt.slice(0, 10) ?? "" })),
      lostDays: Math.min(...days),
      rest,
    },
  };
}

function mergeRuns(survey: Survey): Evidence {
  const runs = sortRuns(survey.runs);
  const answers = listAnswers(runs);
  const address = parseAddress(survey.address);
  const special = address === undefined ? undefined : findSpecialPurpose(address);
  const { registry, registered } = mergeRegistry(answers);
  const { asn, announced } = mergeNetwork(answers);
  const place = mergePlace(answers, registered);
  const { geo, countries, claims } = place;
  const known = findKnownNetwork(address, { asn, registry, registered, answers });
  const votes = collectVotes(answers, known, registry);
  const flags = mergeFlags({ answers, known, votes, special });
  const disputes = listDisputes(answers);
  const reverse = mergeReverse(answers);
  const infrastructure = findInfrastructure(answers, reverse?.crawler);
  const exposure = mergeExposure(answers, runs);
  const sharing = mergeSharing(answers);
  const operator = answers.find(({ observation }) => observation.vpn !== undefined)?.observation.vpn;
  const vpn = flags.isVpn.value ? (operator ?? known.vpn) : undefined;
  const isAnycast = answers.some(({ observation }) => observation.anycast === true);
  // A satellite network lends its addresses to places far from where they are registered.
  const isSatellite =
    known.kind.kind === "satellite" || answers.some(({ observation }) => observation.satellite === true);
  const placeless =
    special !== undefined
      ? "special"
      : infrastructure !== undefined
        ? "infrastructure"
        : isAnycast
          ? "anycast"
          : isSatellite
            ? "satellite"
            : undefined;
  return {
    version: survey.version,
    surveyedAt: survey.surveyedAt,
    ...(special === undefined ? {} : { special }),
    flags,
    usage: mergeUsage(votes, flags.isHosting.value, known.kind),
    native: compareCountries({ registered, place, placeless }),
    ...(geo === undefined ? {} : { geo }),
    countries,
    countryClaims: claims,
    ...(asn === undefined ? {} : { asn }),
    ...(announced === undefined ? {} : { announced }),
    ...(registry === undefined ? {} : { registry }),
    ...(vpn === undefined ? {} : { vpn }),
    ...(known.torOperator === undefined ? {} : { torOperator: known.torOperator }),
    ...(infrastructure === undefined ? {} : { infrastructure }),
    ...(reverse === undefined ? {} : { reverse }),
    isNameless:
      reverse === undefined && runs.some(({ id, state }) => id === "reverse_dns" && state === "empty"),
    listings: mergeListings(runs),
    abuse: answers.flatMap(readAbuse),
    ...(exposure === undefined ? {} : { exposure }),
    ...(sharing === undefined ? {} : { sharing }),
    hasResidentialProxyAnswer: answers.some(({ observation }) => observation.residentialProxy !== undefined),
    coverage: measureCoverage(runs),
    ...(disputes.length === 0 ? {} : { disputes }),
  };
}

function readAbuse({ run, observation: { abuse } }: Answer): readonly AbuseEvidence[] {
  return abuse === undefined ? [] : [{ ...abuse, source: run.name, family: run.family }];
}

/** Finds the public service on the address. A table of service addresses has priority over the name of a crawler. */
function findInfrastructure(
  answers: readonly Answer[],
  crawler: string | undefined,
): Infrastructure | undefined {
  const known = answers.flatMap(({ observation }) => observation.infrastructure ?? []);
  const service = known.find(({ role }) => role !== "crawler") ?? known[0];
  if (service !== undefined) return service;
  return crawler === undefined ? undefined : { role: "crawler", operator: crawler };
}

function mergeReverse(answers: readonly Answer[]): ReverseName | undefined {
  const records = answers.flatMap(({ observation }) => observation.reverse ?? []);
  if (records.length === 0) return undefined;
  const crawler = records.find((record) => record.crawler !== undefined)?.crawler;
  return {
    names: [...new Set(records.flatMap((record) => record.names))],
    ...(crawler === undefined ? {} : { crawler }),
  };
}

/**
 * Joins the results of scans. When no scanner has a record of the address, `observed` is false: open ports are then
 * unknown. Undefined when no scanner answered.
 */
function mergeExposure(answers: readonly Answer[], runs: readonly SourceRun[]): Exposure | undefined {
  const scanners = answers.filter(({ observation }) => observation.exposure !== undefined);
  if (scanners.length === 0) {
    const silent = runs.filter((run) => run.state === "empty" && run.matters.includes("exposure"));
    if (silent.length === 0) return undefined;
    return { observed: false, ports: [], vulns: [], sources: silent.map(({ name }) => name) };
  }
  const scans = scanners.flatMap(({ observation }) => observation.exposure ?? []);
  return {
    observed: scans.some((scan) => scan.observed),
    ports: [...new Set(scans.flatMap((scan) => scan.ports))].sort((a, b) => a - b),
    vulns: [...new Set(scans.flatMap((scan) => scan.vulns))].sort(),
    sources: scanners.map(({ run }) => run.name),
  };
}

/** Takes the largest number of devices that a source counted. */
function mergeSharing(answers: readonly Answer[]): Sharing | undefined {
  const counting = answers.filter(({ observation }) => observation.sharing !== undefined);
  const address = findLargest(counting.map(({ observation }) => observation.sharing?.address));
  const subnet = findLargest(counting.map(({ observation }) => observation.sharing?.subnet));
  if (address === undefined && subnet === undefined) return undefined;
  const sources = counting.map(({ run }) => run.name);
  return {
    ...(address === undefined ? {} : { address }),
    ...(subnet === undefined ? {} : { subnet }),
    sources,
  };
}

function findLargest(counts: readonly (number | undefined)[]): number | undefined {
  const known = counts.filter((count) => count !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}

/** Stands for the missing meaning of a listing without a code. */
const UNCLASSIFIED: readonly ListingMeaning[] = ["unclassified"];

/**
 * Returns one entry for every list that could have been asked, ordered by zone. A list that did not answer or is turned
 * off has `answered: false`; it never appears as "not listed". `runs` are sorted.
 */
function mergeListings(runs: readonly SourceRun[]): readonly ListingEvidence[] {
  const zones = new Map<string, ListingEvidence>();
  const add = (listing: ListingEvidence) => {
    const known = zones.get(listing.zone);
    zones.set(listing.zone, known === undefined ? listing : joinListings(known, listing));
  };
  for (const run of runs) {
    if (!isAskable(run)) continue;
    const { zone, family } = run;
    const reported = run.state === "answered" ? run.observation?.listings : undefined;
    if (reported !== undefined) for (const listing of reported) add(readListing(listing, family));
    if (zone === undefined || reported?.some((listing) => listing.zone === zone.id) === true) continue;
    const { id, label } = zone;
    add({ zone: id, label, listed: false, codes: [], meanings: [], family, answered: isAnswered(run) });
  }
  return [...zones.values()].sort((a, b) => (a.zone < b.zone ? -1 : 1));
}

/** Copies field by field: every survey has an entry for every list, and spreading objects is slow. */
function readListing(listing: Listing, family: Family): ListingEvidence {
  const { zone, label, listed, codes, voices, authoritative, subnet } = listing;
  const meanings = listed && listing.meanings.length === 0 ? UNCLASSIFIED : listing.meanings;
  const read = { zone, label, listed, codes, meanings, family, answered: true };
  if (voices === undefined && authoritative === undefined && subnet === undefined) return read;
  return {
    ...read,
    ...(voices === undefined ? {} : { voices }),
    ...(authoritative === undefined ? {} : { authoritative }),
    ...(subnet === undefined ? {} : { subnet }),
  };
}

/** Joins two runs about one list: an answer replaces no answer, and "listed" replaces "not listed". */
function joinListings(a: ListingEvidence, b: ListingEvidence): ListingEvidence {
  if (a.answered !== b.answered) return a.answered ? a : b;
  if (a.listed !== b.listed) return a.listed ? a : b;
  const { subnet, ...rest } = a;
  return {
    ...rest,
    ...(subnet === true && b.subnet === true ? { subnet } : {}),
    codes: [...new Set([...a.codes, ...b.codes])],
    meanings: [...new Set([...a.meanings, ...b.meanings])].sort(),
    ...(a.voices === undefined && b.voices === undefined
      ? {}
      : { voices: Math.max(a.voices ?? 1, b.voices ?? 1) }),
    ...(a.authoritative === true || b.authoritative === true ? { authoritative: true as const } : {}),
  };
}
