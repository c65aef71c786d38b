const DAY_MS = 86_400_000;
/** IMF-fixdate, the one form of HTTP-date that may be sent (RFC 9110 §5.6.7). */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Reads a Retry-After header (RFC 9110 §10.2.3: seconds or a date) into milliseconds from `nowMs`,
 * at least 0 and at most 24 hours. `undefined` when absent or unreadable.
 */
export function parseRetryAfter(value: string | null, nowMs: number): number | undefined {
  if (value === null) return undefined;
  const text = value.trim();
  if (/^\d{1,15}$/.test(text)) return Math.min(Number(text) * 1000, DAY_MS);
  if (!HTTP_DATE.test(text)) return undefined;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.min(Math.max(date - nowMs, 0), DAY_MS);
}
