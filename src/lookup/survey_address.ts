import type { Address } from "#address";
import type { SourceRun, Survey } from "#evidence";
import { type RunPorts, run, type Source } from "#sources";
import type { UpstreamSession } from "#upstream";

/** What a survey needs: whom to ask, a session to ask through, and how long it may take. */
export interface SurveyOptions {
  readonly sources: readonly Source[];
  /** Opens what one survey asks through; closed when the survey ends, whatever happened. */
  readonly openSession: (signal: AbortSignal) => UpstreamSession;
  readonly ports: Omit<RunPorts, "upstream">;
  readonly deadlineMs: number;
}

/** Asks every source once, side by side, and never rejects; whoever is silent at the deadline has failed. */
export async function surveyAddress(address: Address, options: SurveyOptions): Promise<Survey> {
  const { ports } = options;
  const surveyedAt = new Date(ports.now()).toISOString();
  const deadline = new AbortController();
  // The reason matters: a silence that lasts to the deadline counts against the source.
  const timer = setTimeout(
    () => deadline.abort(new DOMException("Survey deadline", "TimeoutError")),
    options.deadlineMs,
  );
  const upstream = options.openSession(deadline.signal);
  try {
    const runs = await Promise.all(
      options.sources.map((source) => run(source, address, { ...ports, upstream }, deadline.signal)),
    );
    const heard = upstream.resolverSpeaks
      ? runs
      : runs.map((one, at) => doubtDenial(one, options.sources[at]));
    return { address: address.text, version: address.version, surveyedAt, runs: heard };
  } finally {
    clearTimeout(timer);
    upstream.close();
  }
}

/** Where the resolver denies every name there is, "no such name" from a DNS source is a failure, not an answer. */
function doubtDenial(heard: SourceRun, source: Source | undefined): SourceRun {
  const overDns = source !== undefined && source.local !== true && source.hosts === undefined;
  if (!overDns || (heard.state !== "answered" && heard.state !== "empty")) return heard;
  const { observation: _, ...rest } = heard;
  return { ...rest, state: "failed", error: "unavailable", detail: "the resolver denies every name" };
}
