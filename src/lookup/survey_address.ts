import type { Address } from "#address";
import { mergeEvidence, type SourceRun, type Survey } from "#evidence";
import { type RunPorts, rankSource, runSource, type Source } from "#sources";
import type { UpstreamSession } from "#upstream";
import { createFreeTier } from "./free_tier.ts";
import { isSettled } from "./is_settled.ts";
import type { SurveyEvent } from "./lookup.ts";

/** Share of the deadline after which scarce sources no longer wait for stragglers. */
const FREE_SHARE = 0.6;

/** The last rank that is asked as soon as the survey begins. */
const LAST_AT_ONCE = 2;

/** What a survey needs: whom to ask, a session to ask through, and how long it may take. */
export interface SurveyOptions {
  readonly sources: readonly Source[];
  /** Opens what one survey asks through; closed when the survey ends, whatever happened. */
  readonly openSession: (signal: AbortSignal) => UpstreamSession;
  readonly ports: Omit<RunPorts, "upstream" | "settled">;
  readonly deadlineMs: number;
  /** Asks the scarce sources too, whatever the free ones say. */
  readonly everyone?: boolean;
  /**
   * Told whom the survey asks, and of each source as it ends; must not throw. What a DNS source said may still be
   * doubted at the very end, and then the survey has "failed" where the watcher saw an answer.
   */
  readonly watch?: (event: SurveyEvent) => void;
}

/**
 * Asks every source once and never rejects; whoever is silent at the deadline has failed. All are asked side by
 * side, but scarce sources wait for the free ones, and are spared when those have settled the address.
 */
export async function surveyAddress(address: Address, options: SurveyOptions): Promise<Survey> {
  const { ports, sources, watch } = options;
  const surveyedAt = new Date(ports.now()).toISOString();
  const deadline = new AbortController();
  // The reason matters: a silence that lasts to the deadline counts against the source.
  const timer = setTimeout(
    () => deadline.abort(new DOMException("Survey deadline", "TimeoutError")),
    options.deadlineMs,
  );
  const upstream = options.openSession(deadline.signal);
  const surveyOf = (runs: readonly SourceRun[]): Survey => ({
    address: address.text,
    version: address.version,
    surveyedAt,
    runs: upstream.isResolverWorking ? runs : runs.map((one) => doubtDenial(one, sources)),
  });
  const free = createFreeTier({
    sources: sources.filter((source) => source.scarce !== true),
    waitMs: options.deadlineMs * FREE_SHARE,
    judge: (runs) => isSettled(mergeEvidence(surveyOf(runs))),
  });
  const runPorts: RunPorts = {
    ...ports,
    upstream,
    ...(options.everyone === true ? {} : { settled: free.judged }),
  };
  try {
    watch?.({ kind: "started", sources: sources.map(({ id, name }) => ({ id, name })) });
    const ask = async (source: Source): Promise<SourceRun> => {
      const ended = await runSource(source, address, runPorts, deadline.signal);
      const { id, name, state, ms } = ended;
      watch?.({ kind: "source", id, name, state, ms });
      if (source.scarce !== true) free.end(ended);
      return ended;
    };
    return surveyOf(await askInOrder(sources, ports.breaker, ask));
  } finally {
    clearTimeout(timer);
    free.close();
    upstream.close();
  }
}

/**
 * Asks by rank, for whoever comes first has the first places: the lists and whom nobody counts on come when the others
 * have been counted, which takes a turn of the event loop or two. The runs are in the order of the sources.
 */
async function askInOrder(
  sources: readonly Source[],
  breaker: RunPorts["breaker"],
  ask: (source: Source) => Promise<SourceRun>,
): Promise<readonly SourceRun[]> {
  const runs = new Map<Source, Promise<SourceRun>>();
  const later: { readonly source: Source; readonly rank: number }[] = [];
  for (const source of sources) {
    const rank = source.local === true ? 0 : rankSource(source, breaker);
    if (rank > LAST_AT_ONCE) later.push({ source, rank });
    else runs.set(source, ask(source));
  }
  if (later.length > 0) {
    await nextTurn();
    await nextTurn();
    later.sort((a, b) => a.rank - b.rank);
    for (const { source } of later) runs.set(source, ask(source));
  }
  return Promise.all(sources.flatMap((source) => runs.get(source) ?? []));
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Where the resolver denies every name there is, "no such name" from a DNS source is a failure, not an answer. */
function doubtDenial(heard: SourceRun, sources: readonly Source[]): SourceRun {
  const source = sources.find(({ id }) => id === heard.id);
  const overDns = source !== undefined && source.local !== true && source.hosts === undefined;
  if (!overDns || (heard.state !== "answered" && heard.state !== "empty")) return heard;
  const { observation: _, ...rest } = heard;
  return { ...rest, state: "failed", error: "unavailable", detail: "the resolver denies every name" };
}
