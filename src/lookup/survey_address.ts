import type { Address } from "#address";
import type { Evidence, FlagEvidence, SourceRun, Survey } from "#evidence";
import { mergeEvidence, shownState } from "#evidence";
import { isBenign } from "#scoring";
import { describeRun, type RunPorts, rankSource, runSource, type Source } from "#sources";
import type { UpstreamSession } from "#upstream";
import type { SurveyEvent } from "./answer.ts";

/** Share of the deadline after which scarce sources no longer wait for the other ones. */
const FREE_SHARE = 0.6;

const LAST_RANK_AT_ONCE = 2;

/** Families that must agree on a flag; the score, too, counts a flag in full only from two families. */
const AGREED = 2;

/**
 * Share of the expected weight that must answer before an address without findings is clear. It is below 1, so that
 * lists that never answer do not use up the quota of scarce sources.
 */
const NEARLY_ALL = 0.9;

/** What a survey needs: its sources, a session to query them, and its deadline. */
export interface SurveyOptions {
  readonly sources: readonly Source[];
  /** Opens the session of one survey; it is closed when the survey ends. */
  readonly openSession: (signal: AbortSignal) => UpstreamSession;
  readonly ports: Omit<RunPorts, "upstream" | "isConclusive">;
  readonly deadlineMs: number;
  /** Queries the scarce sources too, whatever the other ones answer. */
  readonly askAll?: boolean;
  /**
   * Receives the sources and the end of each; must not throw. The answer of a DNS source may be discarded at the very
   * end: then the survey contains "failed" although the watcher received "answered".
   */
  readonly watch?: (event: SurveyEvent) => void;
}

/**
 * Queries every source once. A source that has not answered at the deadline has failed. All are queried at the same
 * time, but scarce sources wait for the others and are skipped when those already give a conclusion. Never rejects.
 */
export async function surveyAddress(address: Address, options: SurveyOptions): Promise<Survey> {
  const { ports, sources, watch } = options;
  const surveyedAt = new Date(ports.now()).toISOString();
  const deadline = new AbortController();
  // The reason must be a TimeoutError: a source that does not answer until then counts as failing.
  const timer = setTimeout(
    () => deadline.abort(new DOMException("Survey deadline", "TimeoutError")),
    options.deadlineMs,
  );
  const upstream = options.openSession(deadline.signal);
  const surveyOf = (runs: readonly SourceRun[]): Survey => ({
    address: address.text,
    version: address.version,
    surveyedAt,
    runs: upstream.isResolverWorking ? runs : runs.map((one) => discardDenial(one, sources)),
  });
  const free = createFreeTier({
    sources: sources.filter((source) => source.scarce !== true),
    waitMs: options.deadlineMs * FREE_SHARE,
    isConclusive: (runs) => isConclusive(mergeEvidence(surveyOf(runs))),
  });
  const runPorts: RunPorts = {
    ...ports,
    upstream,
    ...(options.askAll === true ? {} : { isConclusive: free.waitForConclusion }),
  };
  try {
    watch?.({ kind: "started", sources: sources.map(({ id, name }) => ({ id, name })) });
    const query = async (source: Source): Promise<SourceRun> => {
      const ended = await runSource(source, address, runPorts, deadline.signal);
      const { id, name, ms } = ended;
      watch?.({ kind: "source", id, name, state: shownState(ended), ms });
      if (source.scarce !== true) free.add(ended);
      return ended;
    };
    return surveyOf(await queryInOrder(sources, ports.breaker, query));
  } finally {
    clearTimeout(timer);
    free.close();
    upstream.close();
  }
}

/**
 * Queries by rank, because the first queries get the first free connections. Lists and unreliable sources follow one or
 * two turns of the event loop later. Returns the runs in the order of the sources.
 */
async function queryInOrder(
  sources: readonly Source[],
  breaker: RunPorts["breaker"],
  query: (source: Source) => Promise<SourceRun>,
): Promise<readonly SourceRun[]> {
  const runs = new Map<Source, Promise<SourceRun>>();
  const later: { readonly source: Source; readonly rank: number }[] = [];
  for (const source of sources) {
    const rank = source.local === true ? 0 : rankSource(source, breaker);
    if (rank > LAST_RANK_AT_ONCE) later.push({ source, rank });
    else runs.set(source, query(source));
  }
  if (later.length > 0) {
    await nextTurn();
    await nextTurn();
    later.sort((a, b) => a.rank - b.rank);
    for (const { source } of later) runs.set(source, query(source));
  }
  return Promise.all(sources.flatMap((source) => runs.get(source) ?? []));
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Turns the answer of a DNS source into a failure, because the resolver answers "no such name" for every name. */
function discardDenial(ended: SourceRun, sources: readonly Source[]): SourceRun {
  const source = sources.find(({ id }) => id === ended.id);
  const isDns = source !== undefined && source.local !== true && source.hosts === undefined;
  if (!isDns || (ended.state !== "answered" && ended.state !== "empty")) return ended;
  const { observation: _, ...rest } = ended;
  return { ...rest, state: "failed", error: "unavailable", detail: "the resolver denies every name" };
}

/**
 * Collects the runs of `sources`, those of one survey that are not scarce. A source without an answer after `waitMs`
 * counts as failed.
 */
function createFreeTier(options: {
  readonly sources: readonly Source[];
  readonly waitMs: number;
  readonly isConclusive: (runs: readonly SourceRun[]) => boolean;
}) {
  const { sources } = options;
  const ended = new Map<string, SourceRun>();
  const over = Promise.withResolvers<void>();
  let timer: Timer | undefined;
  let decision: Promise<boolean> | undefined;

  async function decide(): Promise<boolean> {
    if (ended.size < sources.length) {
      timer = setTimeout(over.resolve, options.waitMs);
      await over.promise;
    }
    const timeout = { ms: 0, state: "failed", error: "timeout" } as const;
    return options.isConclusive(
      sources.map((source) => ended.get(source.id) ?? { ...describeRun(source), ...timeout }),
    );
  }

  return {
    add(run: SourceRun): void {
      ended.set(run.id, run);
      if (ended.size >= sources.length) over.resolve();
    },
    /** Whether they settle the address, decided once: when all have ended, or after `waitMs`. */
    waitForConclusion(): Promise<boolean> {
      decision ??= decide();
      return decision;
    },
    close(): void {
      clearTimeout(timer);
    },
  };
}

/**
 * Whether further answers would hardly change the conclusion, so that scarce sources need not be queried. Pure.
 * That is so for: special-purpose addresses, public resolvers and crawlers; addresses that hide their users, according
 * to an authoritative list or two families; hosting networks, when a source has answered that they are not a VPN or
 * proxy; and other addresses about which nearly every source answered and none reported a problem.
 */
export function isConclusive(evidence: Evidence): boolean {
  const { special, infrastructure, flags } = evidence;
  return (
    special !== undefined ||
    infrastructure !== undefined ||
    isAgreed(flags.isSearchEngineBot) ||
    isHiding(evidence) ||
    // Most VPN exits are in hosting networks, so "hosting" alone says little.
    (isAgreed(flags.isHosting) && isNotHiding(evidence)) ||
    isWithoutFindings(evidence)
  );
}

/** Whether the address hides its users: agreed Tor, relay, VPN or proxy, or a hijacked or controlled netblock by an authoritative list. */
function isHiding({ flags, listings }: Evidence): boolean {
  return (
    [flags.isTor, flags.isRelay, flags.isVpn, flags.isProxy].some(isAgreed) ||
    listings.some(
      ({ listed, authoritative, meanings }) =>
        listed && authoritative === true && meanings.some((one) => one === "severe" || one === "botnet"),
    )
  );
}

function isWithoutFindings(evidence: Evidence): boolean {
  const { flags, usage, listings, abuse, exposure, coverage } = evidence;
  const isCovered =
    coverage.answeredWeight >= coverage.expectedWeight * NEARLY_ALL &&
    coverage.liveAnswered > 0 &&
    coverage.expectedCategories.every((category) => coverage.answeredCategories.includes(category));
  const isListed = listings.some((listing) => listing.listed && !isBenign(listing));
  const isReported = abuse.some(
    ({ score = 0, reports = 0, attacks = {} }) => score > 0 || reports > 0 || Object.keys(attacks).length > 0,
  );
  return (
    isCovered &&
    isNotHiding(evidence) &&
    flags.isHosting.yes.length === 0 &&
    usage.type !== "unknown" &&
    usage.agreement >= AGREED &&
    !isListed &&
    !isReported &&
    (exposure === undefined || exposure.vulns.length === 0)
  );
}

/** Whether no source reports Tor, relay, VPN or proxy, and at least one reports that there is no VPN or no proxy. */
function isNotHiding({ flags: { isTor, isRelay, isVpn, isProxy } }: Evidence): boolean {
  const isRaised = isTor.value || isRelay.value || isVpn.value || isProxy.value;
  return !isRaised && isVpn.no.length + isProxy.no.length > 0;
}

/** Whether two families agree on the flag, and at least one answer is about the address, not only about its /64. */
function isAgreed(flag: FlagEvidence): boolean {
  return flag.value && flag.agreement >= AGREED && flag.exact > 0;
}
