import { parseAddress } from "#address";

/** Levels, least urgent first. */
export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Writes one event with its facts; never throws. It is given no client's address and no secret. */
export type Log = (level: LogLevel, event: string, fields?: Record<string, unknown>) => void;

/** Where lines go, what the time is, and whether a person or a program reads them. */
export interface LogOptions {
  readonly level: LogLevel;
  readonly readable: boolean;
  readonly now: () => number;
  readonly write: (line: string) => void;
  /** What must not stand in any line, whoever put it there; shorter than 8 characters it is not looked for. */
  readonly secrets?: readonly string[];
  /** Calls back once; must not keep the process alive. Absent = what was held back is told with the next line. */
  readonly setTimer?: (callback: () => void, delayMs: number) => void;
}

/** Lines of one event that may come at once, and a second; `debug` is for who wants them all. */
const BURST = 30;
const A_SECOND = 2;

/** How long after the first line that was held back their number is told, if nothing of that event came meanwhile. */
const TELL_MS = 10_000;

/** Events are named by the program, so there are few; should that ever be wrong, this bounds their memory. */
const MAX_EVENTS = 256;

const MAX_TEXT = 2000;
const MAX_DEPTH = 5;
const MAX_ITEMS = 200;
const LEAST_SECRET = 8;

/** Control characters that JSON leaves as they are, line separators, and what turns the direction of text. */
const INVISIBLE = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;

/** What may be an address, as it is written and as it stands in a URL. */
const CANDIDATE = new RegExp(
  [
    String.raw`[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){1,6}:\d{1,3}(?:\.\d{1,3}){3}`,
    "[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,8}",
    "[0-9a-f]{0,4}(?:%3a[0-9a-f]{0,4}){2,8}",
    String.raw`\d{1,3}(?:\.\d{1,3}){3}`,
  ].join("|"),
  "gi",
);
/** An IPv6 address as DNS lists are asked about it. */
const REVERSED6 = /(?:[0-9a-f]\.){31}[0-9a-f]/gi;

interface Bucket {
  tokens: number;
  filledAt: number;
  held: number;
}

/**
 * Builds a log of one JSON object a line (`time`, `level`, `event`, facts), or of readable lines for a terminal.
 *
 * Nothing that fails can flood it: of one event 30 lines may come at once and 2 a second after that, and how many were
 * held back is told by `held_back`. Whoever logs must not pass on addresses or secrets; should one come along in the
 * words of an error, it is taken out here: an address becomes `[address]`, a secret `[secret]`.
 */
export function createLog(options: LogOptions): Log {
  const { now, readable } = options;
  const least = LOG_LEVELS.indexOf(options.level);
  const buckets = new Map<string, Bucket>();
  const tame = createTamer(options.secrets ?? []);

  function write(level: LogLevel, event: string, fields: Record<string, unknown>): void {
    const time = new Date(now()).toISOString();
    const facts = tame(fields);
    if (!readable) {
      options.write(`${showInvisible(JSON.stringify({ time, level, event, ...facts }))}\n`);
      return;
    }
    const words = Object.entries(facts).map(
      ([name, value]) => ` ${/^\w+$/.test(name) ? name : JSON.stringify(name)}=${JSON.stringify(value)}`,
    );
    options.write(`${showInvisible(`${time.slice(11, 19)} ${level.padEnd(5)} ${event}${words.join("")}`)}\n`);
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
    bucket.tokens = Math.min(BURST, bucket.tokens + (passedMs * A_SECOND) / 1000);
    bucket.filledAt = now();
  }

  function tellHeld(level: LogLevel, event: string, bucket: Bucket): void {
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
        if (bucket.held === 1) options.setTimer?.(() => tellHeld(level, event, bucket), TELL_MS);
        return;
      }
      bucket.tokens -= 1;
      tellHeld(level, event, bucket);
      write(level, event, fields);
    } catch {
      // A log that fails must not take down what it tells of.
    }
  };
}

function showInvisible(line: string): string {
  return line.replace(INVISIBLE, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Makes facts printable: bounded, without cycles, and without addresses and secrets. */
function createTamer(
  secrets: readonly string[],
): (fields: Record<string, unknown>) => Record<string, unknown> {
  const wanted = secrets.filter((secret) => secret.length >= LEAST_SECRET);
  // As it is, as it stands in a URL, and as it stands in Basic authorisation.
  const forms = wanted.flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString("base64"),
  ]);
  forms.sort((a, b) => b.length - a.length);

  function tameText(text: string): string {
    let tamed = text.length > 4 * MAX_TEXT ? text.slice(0, 4 * MAX_TEXT) : text;
    for (const form of forms) if (tamed.includes(form)) tamed = tamed.replaceAll(form, "[secret]");
    tamed = hideAddresses(tamed);
    return tamed.length > MAX_TEXT ? `${tamed.slice(0, MAX_TEXT)}…` : tamed;
  }

  function tame(value: unknown, depth: number): unknown {
    switch (typeof value) {
      case "string":
        return tameText(value);
      case "number":
      case "boolean":
      case "undefined":
        return value;
      case "object":
        if (value === null) return value;
        break;
      default:
        return tameText(String(value));
    }
    if (value instanceof Error) return tameText(String(value));
    if (depth >= MAX_DEPTH) return "…";
    if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => tame(item, depth + 1));
    return tameAll(value, depth + 1);
  }

  function tameAll(fields: object, depth: number): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(fields)
        .slice(0, MAX_ITEMS)
        .map(([name, value]) => [tameText(name), tame(value, depth)]),
    );
  }

  return (fields) => tameAll(fields, 0);
}

function hideAddresses(text: string): string {
  if (!/[.:%]/.test(text)) return text;
  return text
    .replace(REVERSED6, "[address]")
    .replace(CANDIDATE, (found) => (isAddress(found) ? "[address]" : found));
}

/** "::" alone is too common in code to be taken for one. */
function isAddress(text: string): boolean {
  const plain = text.replaceAll(/%3a/gi, ":");
  return plain !== "::" && parseAddress(plain) !== undefined;
}
