import type { Address } from "#address";
import { mergeEvidence, type SourceRun, type Survey } from "#evidence";
import { type RunPorts, run, type Source } from "#sources";
import type { UpstreamSession } from "#upstream";
import { createFreeTier } from "./free_tier.ts";
import { isSettled } from "./is_settled.ts";
import type { SurveyEvent } from "./lookup.ts";

/** Share of the deadline after which scarce sources no longer wait for stragglers. */
const FREE_SHARE = 0.6;

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
    runs: upstream.resolverSpeaks ? runs : runs.map((one) => doubtDenial(one, sources)),
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
    const runs = await Promise.all(
      sources.map(async (source) => {
        const ended = await run(source, address, runPorts, deadline.signal);
        const { id, name, state, ms } = ended;
        watch?.({ kind: "source", id, name, state, ms });
        if (source.scarce !== true) free.end(ended);
        return ended;
      }),
    );
    return surveyOf(runs);
  } finally {
    clearTimeout(timer);
    free.close();
    upstream.close();
  }
}

/** Where the resolver denies every name there is, "no such name" from a DNS source is a failure, not an answer. */
function doubtDenial(heard: SourceRun, sources: readonly Source[]): SourceRun {
  const source = sources.find(({ id }) => id === heard.id);
  const overDns = source !== undefined && source.local !== true && source.hosts === undefined;
  if (!overDns || (heard.state !== "answered" && heard.state !== "empty")) return heard;
  const { observation: _, ...rest } = heard;
  return { ...rest, state: "failed", error: "unavailable", detail: "the resolver denies every name" };
}
