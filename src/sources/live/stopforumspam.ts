import * as v from "valibot";
import type { Address } from "#address";
import type { AbuseRecord, Observation } from "#evidence";
import { httpSource } from "../http_source.ts";
import { anyFields, checkAddress, classifyMessage } from "../read_answer.ts";
import { omitEmpty, readCount, readTimestamp } from "../read_fields.ts";

/** A number from 0 to `max`; older formats write numbers as text. */
function numeric(max: number) {
  return v.pipe(
    v.union([v.number(), v.pipe(v.string(), v.regex(/^\d{1,15}(?:\.\d{1,9})?$/), v.transform(Number))]),
    v.number(),
    v.minValue(0),
    v.maxValue(max),
  );
}

/** Errors come with HTTP 200. */
const REFUSALS = { quota: /limit|quota|too many|exceeded/i, question: /invalid|not valid/i };

const TRUE_VALUES: readonly unknown[] = [1, "1", true];

const EnvelopeSchema = v.union([
  v.object({
    success: v.picklist([1, "1"]),
    ip: v.object({
      value: v.string(),
      appears: numeric(1),
      frequency: numeric(Number.MAX_SAFE_INTEGER),
      confidence: v.optional(v.nullable(numeric(100))),
      ...anyFields("lastseen", "torexit", "blacklisted"),
    }),
  }),
  v.object({ success: v.picklist([0, "0"]), error: v.fallback(v.optional(v.string()), "") }),
]);
type Entry = Extract<v.InferOutput<typeof EnvelopeSchema>, { ip: unknown }>["ip"];

/**
 * StopForumSpam (https://www.stopforumspam.com/usage): addresses that spam forums and forms. Nobody has reported an
 * address that is not listed. Its Tor flag repeats the Tor Project's list; its country and network come from elsewhere
 * and are not read.
 */
export const stopforumspam = httpSource({
  id: "stopforumspam",
  name: "StopForumSpam",
  kind: "free",
  matters: ["abuse"],
  weight: 1,
  daily: { keyless: 20_000, keyed: 20_000 },
  delistUrl: "https://www.stopforumspam.com/removal",
  hosts: ["api.stopforumspam.org"],
  request: (address) => ({
    url: `https://api.stopforumspam.org/api?ip=${encodeURIComponent(address.text)}&json&confidence`,
    statuses: [403],
    maxBytes: 32_768,
    maxDepth: 6,
  }),
  answer: EnvelopeSchema,
  read: (answer, address) => {
    if (!("ip" in answer)) throw classifyMessage(answer.error ?? "", REFUSALS);
    return observe(answer.ip, address);
  },
});

function observe(entry: Entry, address: Address): Observation {
  checkAddress(entry.value, address);
  const abuse = abuseOf(entry);
  return TRUE_VALUES.includes(entry.torexit) ? { flags: { isTor: true }, echoes: ["tor"], abuse } : { abuse };
}

/** A blacklisted address has the frequency 255, which is not a count. */
function abuseOf(entry: Entry): AbuseRecord {
  if (entry.appears === 0) return { score: 0, reports: 0 };
  return omitEmpty({
    score: typeof entry.confidence === "number" ? Math.round(entry.confidence) : undefined,
    reports: TRUE_VALUES.includes(entry.blacklisted) ? undefined : readCount(entry.frequency),
    lastSeen: readTimestamp(entry.lastseen),
  });
}
