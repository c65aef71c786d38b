import { UpstreamError } from "./upstream_error.ts";

const CANCELLED = "cancelled";
const NO_SLOT = "no free slot in time";

/**
 * The error for a question whose signal fired: a deadline (`TimeoutError`, as `AbortSignal.timeout` gives)
 * is a timeout of the upstream; anything else is somebody here who stopped listening.
 */
export function abortError(signal: AbortSignal): UpstreamError {
  return new UpstreamError("timeout", isDeadline(signal) ? "no answer in time" : CANCELLED);
}

/** The error for a question whose signal fired before its turn came: it was never sent. */
export function waitError(signal: AbortSignal): UpstreamError {
  return new UpstreamError("timeout", isDeadline(signal) ? NO_SLOT : CANCELLED);
}

/** True for failures that say nothing about the upstream: a breaker must not count them. */
export function isOurs(error: UpstreamError): boolean {
  return error.kind === "timeout" && (error.detail === CANCELLED || error.detail === NO_SLOT);
}

/** Aborts `controller` when one of `signals` fires; the returned function takes the listeners off again. */
export function linkAbort(controller: AbortController, signals: readonly AbortSignal[]): () => void {
  const listeners = signals.map((signal) => {
    const onAbort = () => controller.abort(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
    return () => signal.removeEventListener("abort", onAbort);
  });
  return () => {
    for (const unlisten of listeners) unlisten();
  };
}

/**
 * Waits for `work`, but no longer than the signal: what arrives later is dropped.
 * @throws {UpstreamError} kind `timeout` when the signal fires first
 */
export function raceAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(abortError(signal));
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
    const settle = () => signal.removeEventListener("abort", onAbort);
    work.then(
      (value) => {
        settle();
        resolve(value);
      },
      (error: unknown) => {
        settle();
        reject(error);
      },
    );
  });
}

function isDeadline(signal: AbortSignal): boolean {
  return signal.reason instanceof Error && signal.reason.name === "TimeoutError";
}
