import type { Address } from "#address";
import type { Survey } from "#evidence";
import { type RunPorts, run, type Source } from "#sources";

/** What a survey needs: whom to ask, a session to ask through, and how long it may take. */
export interface SurveyOptions {
  readonly sources: readonly Source[];
  /** Opens what one survey asks through; closed when the survey ends, whatever happened. */
  readonly openSession: (signal: AbortSignal) => RunPorts["upstream"] & { close(): void };
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
    return { address: address.text, version: address.version, surveyedAt, runs };
  } finally {
    clearTimeout(timer);
    upstream.close();
  }
}
