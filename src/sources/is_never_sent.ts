import { UpstreamError } from "#upstream";

/** True when a question failed before it left: no slot was free in the survey's pool in time. */
export function isNeverSent(error: unknown): boolean {
  return (
    error instanceof UpstreamError && error.kind === "timeout" && error.detail === "no free slot in time"
  );
}
