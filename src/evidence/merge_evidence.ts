import { findSpecialPurpose, parseAddress } from "#address";
import { collectVotes } from "./collect_votes.ts";
import { compareCountries } from "./compare_countries.ts";
import type { Evidence, HeardAbuse } from "./evidence.ts";
import { findHeard, type Heard } from "./heard.ts";
import { measureCoverage } from "./measure_coverage.ts";
import { mergeExposure } from "./merge_exposure.ts";
import { mergeFlags } from "./merge_flags.ts";
import { mergeListings } from "./merge_listings.ts";
import { mergeNetwork } from "./merge_network.ts";
import { mergePlace } from "./merge_place.ts";
import { mergeRegistry } from "./merge_registry.ts";
import { mergeSharing } from "./merge_sharing.ts";
import { mergeUsage } from "./merge_usage.ts";
import type { Infrastructure, ReverseName, Survey } from "./observation.ts";
import { sortRuns } from "./sort_runs.ts";

/**
 * Merges everything a survey heard. Pure, and the same whatever the order of the runs; what failed, was
 * skipped or had nothing to say contributes to coverage and to unavailable lists, and to nothing else.
 */
export function mergeEvidence(survey: Survey): Evidence {
  const runs = sortRuns(survey.runs);
  const heard = findHeard(runs);
  const address = parseAddress(survey.address);
  const special = address === undefined ? undefined : findSpecialPurpose(address);
  const { registry, registered } = mergeRegistry(heard);
  const { asn, announced } = mergeNetwork(heard);
  const { geo, countries } = mergePlace(heard, registered);
  const votes = collectVotes(heard, address, asn, registry);
  const flags = mergeFlags(heard, votes, special);
  const infrastructure = findInfrastructure(heard);
  const reverse = mergeReverse(heard);
  const exposure = mergeExposure(heard, survey.runs);
  const sharing = mergeSharing(heard);
  const named = heard.find(({ said }) => said.vpn !== undefined)?.said.vpn;
  const vpn = flags.isVpn.value ? (named ?? votes.known.vpn) : undefined;
  const isAnycast = heard.some(({ said }) => said.anycast === true);
  const isNowhere = special !== undefined || infrastructure !== undefined || isAnycast;
  return {
    version: survey.version,
    surveyedAt: survey.surveyedAt,
    ...(special === undefined ? {} : { special }),
    flags,
    usage: mergeUsage(votes, flags.isHosting.value),
    native: compareCountries(registered, geo?.country, isNowhere),
    ...(geo === undefined ? {} : { geo }),
    countries,
    ...(asn === undefined ? {} : { asn }),
    ...(announced === undefined ? {} : { announced }),
    ...(registry === undefined ? {} : { registry }),
    ...(vpn === undefined ? {} : { vpn }),
    ...(infrastructure === undefined ? {} : { infrastructure }),
    ...(reverse === undefined ? {} : { reverse }),
    listings: mergeListings(runs),
    abuse: heard.flatMap(readAbuse),
    ...(exposure === undefined ? {} : { exposure }),
    ...(sharing === undefined ? {} : { sharing }),
    coverage: measureCoverage(runs),
  };
}

function readAbuse({ run, said }: Heard): readonly HeardAbuse[] {
  return said.abuse === undefined ? [] : [{ ...said.abuse, source: run.name, family: run.family }];
}

/** A service address by an exact table beats a crawler by its name. */
function findInfrastructure(heard: readonly Heard[]): Infrastructure | undefined {
  const known = heard.flatMap(({ said }) => said.infrastructure ?? []);
  const service = known.find(({ role }) => role !== "crawler") ?? known[0];
  if (service !== undefined) return service;
  const operator = heard.find(({ said }) => said.reverse?.crawler !== undefined)?.said.reverse?.crawler;
  return operator === undefined ? undefined : { role: "crawler", operator };
}

function mergeReverse(heard: readonly Heard[]): ReverseName | undefined {
  const words = heard.flatMap(({ said }) => said.reverse ?? []);
  if (words.length === 0) return undefined;
  const crawler = words.find((word) => word.crawler !== undefined)?.crawler;
  return {
    names: [...new Set(words.flatMap((word) => word.names))],
    ...(crawler === undefined ? {} : { crawler }),
  };
}
