import { UpstreamError } from "#upstream";

/** A refusal that no waiting of ours ends is looked at again this seldom. */
const REFUSED_MS = 3_600_000;

/** A key that is wrong, or not entitled to what was asked. The vendor's words, which may repeat the key, are not. */
export function accessDenied(): UpstreamError {
  return new UpstreamError("unavailable", "access denied", { retryAfterMs: REFUSED_MS });
}
