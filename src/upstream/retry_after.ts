const DAY_MS = 86_400_000;
/** Whole seconds; more digits than a day has are still an order to wait long. */
const SECONDS = /^\d{1,64}$/;
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
/** The three forms of HTTP-date that must be understood (RFC 9110 §5.6.7): IMF-fixdate, RFC 850 and asctime. */
const HTTP_DATES = [
  /^[a-z]{3}, (?<day>\d{2}) (?<month>[a-z]{3}) (?<year>\d{4}) (?<time>\d{2}:\d{2}:\d{2}) gmt$/i,
  /^[a-z]{6,9}, (?<day>\d{2})-(?<month>[a-z]{3})-(?<year>\d{2}) (?<time>\d{2}:\d{2}:\d{2}) gmt$/i,
  /^[a-z]{3} (?<month>[a-z]{3}) (?<day>[ \d]\d) (?<time>\d{2}:\d{2}:\d{2}) (?<year>\d{4})$/i,
];

/**
 * Reads a Retry-After header (RFC 9110 §10.2.3: seconds or a date) into milliseconds from `nowMs`,
 * at least 0 and at most 24 hours. `undefined` when absent or unreadable.
 */
export function parseRetryAfter(value: string | null, nowMs: number): number | undefined {
  if (value === null) return undefined;
  const text = value.trim();
  if (SECONDS.test(text)) return Math.min(Number(text) * 1000, DAY_MS);
  const dateMs = parseHttpDate(text, nowMs);
  return dateMs === undefined ? undefined : Math.min(Math.max(dateMs - nowMs, 0), DAY_MS);
}

function parseHttpDate(text: string, nowMs: number): number | undefined {
  const parts = HTTP_DATES.map((form) => form.exec(text)?.groups).find((groups) => groups !== undefined);
  if (parts === undefined) return undefined;
  const month = MONTHS.indexOf((parts.month ?? "").toLowerCase());
  const [hours = 0, minutes = 0, seconds = 0] = (parts.time ?? "").split(":").map(Number);
  const day = Number(parts.day);
  if (month < 0 || day < 1 || day > 31 || hours > 23 || minutes > 59 || seconds > 60) return undefined;
  return Date.UTC(fullYear(parts.year ?? "", nowMs), month, day, hours, minutes, seconds);
}

/** A year of two digits that would lie more than 50 years ahead is the last one that ended so. */
function fullYear(digits: string, nowMs: number): number {
  if (digits.length === 4) return Number(digits);
  const thisYear = new Date(nowMs).getUTCFullYear();
  const year = Math.floor(thisYear / 100) * 100 + Number(digits);
  return year > thisYear + 50 ? year - 100 : year;
}
