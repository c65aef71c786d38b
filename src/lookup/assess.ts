import {
  type Corrections,
  correctSurvey,
  type Evidence,
  type ListingEvidence,
  mergeEvidence,
  NO_CORRECTIONS,
  type Observation,
  type SourceRun,
  type Survey,
  shownState,
} from "#evidence";
import type {
  Assessment,
  Flag,
  Network,
  ReportedAbuse,
  ReportedListing,
  SourceAnswer,
  SourceState,
} from "#report";
import { FLAGS, LISTED_EXITS } from "#report";
import { copyMessageData, isAccusing, isBenign, SCORING_VERSION, score } from "#scoring";

/** Computes the assessment of a survey with the corrections about its address. Pure: a stored survey can be assessed again without a query. */
export function assess(given: Survey, corrections: Corrections = NO_CORRECTIONS): Assessment {
  const survey = correctSurvey(given, corrections);
  const evidence = mergeEvidence(survey);
  const { purity, coverage, range, band, confidence, verdict, factors, scenarios, note, unknowns } =
    score(evidence);
  return {
    address: survey.address,
    version: survey.version,
    surveyedAt: survey.surveyedAt,
    scoringVersion: SCORING_VERSION,
    usage: evidence.usage.type,
    native: evidence.native.type,
    ...(evidence.native.reason === undefined ? {} : { nativeReason: evidence.native.reason }),
    ...readFlags(evidence),
    ...(evidence.vpn === undefined ? {} : { vpn: evidence.vpn }),
    ...(evidence.geo === undefined ? {} : { geo: evidence.geo }),
    // A stored document must not share lists with the evidence.
    ...(evidence.countryClaims.length === 0
      ? {}
      : { countries: evidence.countryClaims.map((claim) => ({ ...claim, sources: [...claim.sources] })) }),
    ...(evidence.asn === undefined ? {} : { asn: readNetwork(evidence, evidence.asn) }),
    ...(evidence.reverse === undefined ? {} : { hostnames: [...evidence.reverse.names] }),
    ...(evidence.registry === undefined ? {} : { registry: evidence.registry }),
    purity,
    coverage,
    range,
    band,
    confidence,
    verdict: { id: verdict.id, data: copyMessageData(verdict.data) },
    factors: factors.map((factor) => ({ ...factor, data: copyMessageData(factor.data) })),
    scenarios,
    ...(note === undefined ? {} : { note: { id: note.id, data: copyMessageData(note.data) } }),
    listings: evidence.listings.map(readListing),
    abuse: evidence.abuse.map(readAbuse),
    ...(evidence.exposure === undefined ? {} : { exposure: evidence.exposure }),
    ...(evidence.sharing === undefined ? {} : { sharing: evidence.sharing }),
    sources: survey.runs.map(readState),
    unknowns: unknowns.map((unknown) => ({ id: unknown.id, data: copyMessageData(unknown.data) })),
  };
}

function readNetwork({ usage: { kind } }: Evidence, asn: Network): Network {
  return kind === undefined ? asn : { ...asn, kind };
}

/** Reads the flags, and of each that is set how many independent families agree. */
export function readFlags(evidence: Evidence): Pick<Assessment, "flags" | "agreement"> {
  const flags = {} as Record<Flag, boolean>;
  const agreement: Partial<Record<Flag, number>> = {};
  for (const flag of FLAGS) {
    const flagEvidence = evidence.flags[flag];
    flags[flag] = flagEvidence.value;
    if (flagEvidence.value) agreement[flag] = flagEvidence.agreement;
  }
  return { flags, agreement };
}

function readListing(listing: ListingEvidence): ReportedListing {
  const reported: ReportedListing = {
    zone: listing.zone,
    label: listing.label,
    listed: listing.listed,
    benign: isBenign(listing),
    unavailable: !listing.answered,
  };
  if (listing.codes.length > 0) reported.codes = [...listing.codes];
  if (listing.subnet === true) reported.subnet = true;
  const exit = LISTED_EXITS.find((meaning) => listing.meanings.includes(meaning));
  if (listing.listed && exit !== undefined && !isAccusing(listing)) reported.countedAs = exit;
  return reported;
}

function readAbuse(abuse: Evidence["abuse"][number]): ReportedAbuse {
  const byType = { ...abuse.attacks };
  const counts = Object.values(byType);
  const total = counts.reduce((sum, count) => sum + count, 0);
  return {
    source: abuse.source,
    ...(abuse.score === undefined ? {} : { score: abuse.score }),
    ...(abuse.reports === undefined ? {} : { reports: abuse.reports }),
    ...(counts.length === 0 ? {} : { attacks: { total, byType } }),
  };
}

function readState(run: SourceRun): SourceState {
  const dataDate = run.observation?.dataDate;
  const { id, name, kind, ms } = run;
  const state: SourceState = { id, name, kind, state: shownState(run), ms };
  // Optional fields are set one by one: a report has a hundred sources, and a spread for each costs more than
  // scoring.
  if (run.error !== undefined) state.error = run.error;
  if (run.skipped !== undefined) state.skipped = run.skipped;
  if (run.detail !== undefined) state.detail = run.detail;
  else if (run.observation !== undefined) {
    const { snapshot, updateRefused } = run.observation;
    if (snapshot === true) state.detail = updateRefused === true ? "list_snapshot_refused" : "list_snapshot";
    else if (updateRefused === true) state.detail = "list_update_refused";
  }
  if (dataDate !== undefined) state.dataDate = dataDate;
  const answer =
    run.state === "answered" && run.observation !== undefined ? readAnswer(run.observation) : undefined;
  if (answer !== undefined) state.answer = answer;
  if (run.carried !== undefined) state.carriedFrom = run.carried.heardAt.slice(0, 10);
  return state;
}

const FLAG_OF_EXIT = { tor: "isTor", vpn: "isVpn", proxy: "isProxy" } as const;

/** Reads what a source states of the facts that several sources can state. Undefined when it states none of them. */
function readAnswer({ usage, geo, flags, listings }: Observation): SourceAnswer | undefined {
  const answer: SourceAnswer = {};
  if (usage !== undefined && usage !== "unknown") answer.usageType = usage;
  if (geo?.country !== undefined) answer.country = geo.country;
  if (flags !== undefined && Object.keys(flags).length > 0) answer.flags = flags;
  for (const listing of listings ?? []) {
    if (!listing.listed) continue;
    if (isAccusing(listing)) answer.listed = true;
    for (const exit of LISTED_EXITS) {
      if (listing.meanings.includes(exit)) answer.flags = { ...answer.flags, [FLAG_OF_EXIT[exit]]: true };
    }
  }
  return Object.keys(answer).length === 0 ? undefined : answer;
}
