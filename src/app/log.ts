import { parseAddress } from "#address";
import { LOG_LEVELS, type Log, type LogLevel } from "#common";

/** Lines of one event at once, and per second. Debug lines are not limited. */
const BURST = 30;
const LINES_PER_SECOND = 2;

/** Delay between the first held back line and the report of their number, if the event does not occur in between. */
const REPORT_MS = 10_000;

/** Bounds the memory of the buckets. The program has fewer events. */
const MAX_EVENTS = 256;

const MAX_TEXT = 2000;
const MAX_DEPTH = 5;
const MAX_ITEMS = 200;
const MIN_SECRET = 8;

/** Control characters that JSON does not escape, line separators, and characters that change the text direction. */
const INVISIBLE = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;

/** Text that may be an address, as written or as encoded in a URL. */
const CANDIDATE = new RegExp(
  [
    String.raw`[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){1,6}:\d{1,3}(?:\.\d{1,3}){3}`,
    "[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,8}",
    "[0-9a-f]{0,4}(?:%3a[0-9a-f]{0,4}){2,8}",
    String.raw`\d{1,3}(?:\.\d{1,3}){3}`,
  ].join("|"),
  "gi",
);
/** An IPv6 address as in a query to a DNS list. */
const REVERSED6 = /(?:[0-9a-f]\.){31}[0-9a-f]/gi;

interface Bucket {
  tokens: number;
  filledAt: number;
  held: number;
}

/**
 * Creates a log of one JSON object per line (`time`, `level`, `event`, fields), or of readable lines for a terminal.
 *
 * One event can write 30 lines at once and 2 per second after that; the event `held_back` reports how many more there
 * were. Callers must not log addresses or secrets. If the text of an error contains one, it is replaced: an address by
 * `[address]`, a secret by `[secret]`.
 */
export function createLog(options: {
  readonly level: LogLevel;
  /** Lines are for a person on a terminal, not JSON. */
  readonly readable: boolean;
  readonly now: () => number;
  readonly write: (line: string) => void;
  /** Texts that are removed from every line; those shorter than 8 characters are ignored. */
  readonly secrets?: readonly string[];
  /** Calls back once; must not keep the process alive. Absent: held back lines are reported with the next line. */
  readonly setTimer?: (callback: () => void, delayMs: number) => void;
}): Log {
  const { now, readable } = options;
  const least = LOG_LEVELS.indexOf(options.level);
  const buckets = new Map<string, Bucket>();
  const sanitize = createSanitizer(options.secrets ?? []);

  function write(level: LogLevel, event: string, fields: Record<string, unknown>): void {
    const time = new Date(now()).toISOString();
    const sanitized = sanitize(fields);
    if (!readable) {
      options.write(`${showInvisible(JSON.stringify({ time, level, event, ...sanitized }))}\n`);
      return;
    }
    const pairs = Object.entries(sanitized).map(
      ([name, value]) => ` ${/^\w+$/.test(name) ? name : JSON.stringify(name)}=${JSON.stringify(value)}`,
    );
    options.write(`${showInvisible(`${time.slice(11, 19)} ${level.padEnd(5)} ${event}${pairs.join("")}`)}\n`);
  }

  function bucketOf(event: string): Bucket {
    const known = buckets.get(event);
    if (known !== undefined) return known;
    for (const oldest of buckets.keys()) {
      if (buckets.size < MAX_EVENTS) break;
      buckets.delete(oldest);
    }
    const fresh = { tokens: BURST, filledAt: now(), held: 0 };
    buckets.set(event, fresh);
    return fresh;
  }

  function refill(bucket: Bucket): void {
    const passedMs = Math.max(0, now() - bucket.filledAt);
    bucket.tokens = Math.min(BURST, bucket.tokens + (passedMs * LINES_PER_SECOND) / 1000);
    bucket.filledAt = now();
  }

  function reportHeld(level: LogLevel, event: string, bucket: Bucket): void {
    if (bucket.held === 0) return;
    write(level, "held_back", { of: event, lines: bucket.held });
    bucket.held = 0;
  }

  return (level, event, fields = {}) => {
    if (LOG_LEVELS.indexOf(level) < least) return;
    try {
      if (level === "debug") return write(level, event, fields);
      const bucket = bucketOf(event);
      refill(bucket);
      if (bucket.tokens < 1) {
        bucket.held += 1;
        if (bucket.held === 1) options.setTimer?.(() => reportHeld(level, event, bucket), REPORT_MS);
        return;
      }
      bucket.tokens -= 1;
      reportHeld(level, event, bucket);
      write(level, event, fields);
    } catch {
      // A failure of the log must not end its caller.
    }
  };
}

function showInvisible(line: string): string {
  return line.replace(INVISIBLE, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Creates a function that bounds fields, removes cycles, and replaces addresses and secrets. */
function createSanitizer(
  secrets: readonly string[],
): (fields: Record<string, unknown>) => Record<string, unknown> {
  const removed = secrets.filter((secret) => secret.length >= MIN_SECRET);
  // Plain, as in a URL, and as in Basic authentication.
  const encodings = removed.flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString("base64"),
  ]);
  encodings.sort((a, b) => b.length - a.length);

  function sanitizeText(text: string): string {
    let sanitized = text.length > 4 * MAX_TEXT ? text.slice(0, 4 * MAX_TEXT) : text;
    for (const secret of encodings) {
      if (sanitized.includes(secret)) sanitized = sanitized.replaceAll(secret, "[secret]");
    }
    sanitized = hideAddresses(sanitized);
    return sanitized.length > MAX_TEXT ? `${sanitized.slice(0, MAX_TEXT)}…` : sanitized;
  }

  function sanitizeValue(value: unknown, depth: number): unknown {
    if (value === null || ["number", "boolean", "undefined"].includes(typeof value)) return value;
    if (typeof value !== "object" || value instanceof Error) return sanitizeText(String(value));
    if (depth >= MAX_DEPTH) return "…";
    if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => sanitizeValue(item, depth + 1));
    return sanitizeFields(value, depth + 1);
  }

  function sanitizeFields(fields: object, depth: number): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(fields)
        .slice(0, MAX_ITEMS)
        .map(([name, value]) => [sanitizeText(name), sanitizeValue(value, depth)]),
    );
  }

  return (fields) => sanitizeFields(fields, 0);
}

function hideAddresses(text: string): string {
  if (!/[.:%]/.test(text)) return text;
  return text
    .replace(REVERSED6, "[address]")
    .replace(CANDIDATE, (found) => (isAddress(found) ? "[address]" : found));
}

/** Whether a text is an address. "::" alone is not one here: it is common in code. */
function isAddress(text: string): boolean {
  const plain = text.replaceAll(/%3a/gi, ":");
  return plain !== "::" && parseAddress(plain) !== undefined;
}
