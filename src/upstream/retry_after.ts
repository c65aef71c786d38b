/** The longest wait. A server may send a wrong or hostile time, so it is asked again after an hour. */
const MAX_WAIT_MS = 3_600_000;
/** Integer seconds. A number with too many digits still means a long wait. */
const SECONDS = /^\d{1,64}$/;
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
/** The three formats of HTTP-date (RFC 9110 section 5.6.7): IMF-fixdate, RFC 850 and asctime. */
const HTTP_DATES = [
  /^[a-z]{3}, (?<day>\d{2}) (?<month>[a-z]{3}) (?<year>\d{4}) (?<time>\d{2}:\d{2}:\d{2}) gmt$/i,
  /^[a-z]{6,9}, (?<day>\d{2})-(?<month>[a-z]{3})-(?<year>\d{2}) (?<time>\d{2}:\d{2}:\d{2}) gmt$/i,
  /^[a-z]{3} (?<month>[a-z]{3}) (?<day>[ \d]\d) (?<time>\d{2}:\d{2}:\d{2}) (?<year>\d{4})$/i,
];

/**
 * Reads a Retry-After header (RFC 9110 section 10.2.3: seconds or a date). Returns milliseconds from `nowMs`, from 0 to
 * one hour, or undefined when the header is absent or unreadable.
 */
export function parseRetryAfter(value: string | null, nowMs: number): number | undefined {
  if (value === null) return undefined;
  const text = value.trim();
  if (SECONDS.test(text)) return Math.min(Number(text) * 1000, MAX_WAIT_MS);
  const dateMs = parseHttpDate(text, nowMs);
  return dateMs === undefined ? undefined : Math.min(Math.max(dateMs - nowMs, 0), MAX_WAIT_MS);
}

function parseHttpDate(text: string, nowMs: number): number | undefined {
  const parts = HTTP_DATES.map((format) => format.exec(text)?.groups).find((groups) => groups !== undefined);
  if (parts === undefined) return undefined;
  const month = MONTHS.indexOf((parts.month ?? "").toLowerCase());
  const [hours = 0, minutes = 0, seconds = 0] = (parts.time ?? "").split(":").map(Number);
  const day = Number(parts.day);
  if (month < 0 || day < 1 || day > 31 || hours > 23 || minutes > 59 || seconds > 60) return undefined;
  return Date.UTC(fullYear(parts.year ?? "", nowMs), month, day, hours, minutes, seconds);
}

/** RFC 9110 section 5.6.7: a two-digit year that seems more than 50 years ahead is in the past century. */
function fullYear(digits: string, nowMs: number): number {
  if (digits.length === 4) return Number(digits);
  const thisYear = new Date(nowMs).getUTCFullYear();
  const year = Math.floor(thisYear / 100) * 100 + Number(digits);
  return year > thisYear + 50 ? year - 100 : year;
}
