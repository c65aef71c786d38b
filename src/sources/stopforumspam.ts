import * as v from "valibot";
import { type Address, parseAddress } from "#address";
import type { AbuseRecord, Observation } from "#evidence";
import { UpstreamError } from "#upstream";
import { accessDenied } from "./access_denied.ts";
import { given } from "./given.ts";
import { httpSource } from "./http_source.ts";
import { knownCount } from "./known_count.ts";
import { knownMoment } from "./known_moment.ts";

/** A number from 0 to `max`; older serialisations write numbers as texts. */
function numeric(max: number) {
  return v.pipe(
    v.union([v.number(), v.pipe(v.string(), v.regex(/^\d{1,15}(?:\.\d{1,9})?$/), v.transform(Number))]),
    v.number(),
    v.minValue(0),
    v.maxValue(max),
  );
}

const YES: readonly unknown[] = [1, "1", true];
const anything = v.optional(v.unknown());

const EnvelopeSchema = v.union([
  v.object({
    success: v.picklist([1, "1"]),
    ip: v.object({
      value: v.string(),
      appears: numeric(1),
      frequency: numeric(Number.MAX_SAFE_INTEGER),
      confidence: v.optional(v.nullable(numeric(100))),
      lastseen: anything,
      torexit: anything,
      blacklisted: anything,
    }),
  }),
  v.object({ success: v.picklist([0, "0"]), error: v.fallback(v.optional(v.string()), "") }),
]);
type Entry = Extract<v.InferOutput<typeof EnvelopeSchema>, { ip: unknown }>["ip"];

/**
 * StopForumSpam (https://www.stopforumspam.com/usage): who spams forums and forms. Whom it does not list nobody has
 * reported. Its Tor mark repeats the Tor project's list; its country and network are from elsewhere and not read.
 */
export const stopforumspam = httpSource({
  id: "stopforumspam",
  name: "StopForumSpam",
  kind: "free",
  family: "stopforumspam",
  matters: ["abuse"],
  weight: 1,
  versions: [4, 6],
  timeoutMs: 3000,
  daily: { keyless: 20_000, keyed: 20_000 },
  hosts: ["api.stopforumspam.org"],
  request: (address) => ({
    url: `https://api.stopforumspam.org/api?ip=${encodeURIComponent(address.text)}&json&confidence`,
    as: "json",
    statuses: [403],
    maxBytes: 32_768,
    maxDepth: 6,
  }),
  answer: EnvelopeSchema,
  read: (answer, address) => {
    if (!("ip" in answer)) throw refusalOf(answer.error ?? "");
    return observe(answer.ip, address);
  },
  readStatus: (status) => {
    if (status === 403) throw accessDenied();
    throw new UpstreamError("status", `HTTP ${status}`);
  },
});

/** Errors come with HTTP 200. */
function refusalOf(sentence: string): UpstreamError {
  if (/limit|quota|too many|exceeded/i.test(sentence)) return new UpstreamError("quota", "quota used up");
  if (/invalid|not valid/i.test(sentence)) return new UpstreamError("shape", "question not accepted");
  return new UpstreamError("unavailable", "question not answered");
}

function observe(entry: Entry, address: Address): Observation {
  if (parseAddress(entry.value)?.text !== address.text) throw new UpstreamError("shape", "another address");
  const abuse = abuseOf(entry);
  return YES.includes(entry.torexit) ? { flags: { isTor: true }, echoes: ["tor"], abuse } : { abuse };
}

/** A blacklisted address has the frequency 255, which is a mark and no count. */
function abuseOf(entry: Entry): AbuseRecord {
  if (entry.appears === 0) return { score: 0, reports: 0 };
  return given({
    score: typeof entry.confidence === "number" ? Math.round(entry.confidence) : undefined,
    reports: YES.includes(entry.blacklisted) ? undefined : knownCount(entry.frequency),
    lastSeen: knownMoment(entry.lastseen),
  });
}
