import * as v from "valibot";
import type { AbuseRecord, Observation } from "#evidence";
import type { UsageType } from "#report";
import { UpstreamError } from "#upstream";
import { accessDenied } from "./access_denied.ts";
import { given } from "./given.ts";
import { httpSource } from "./http_source.ts";
import { knownAsn } from "./known_asn.ts";
import { knownCountry } from "./known_country.ts";
import { knownText } from "./known_text.ts";
import { knownTimezone } from "./known_timezone.ts";

/** At 0 it overlooks most VPN exits, 2 and 3 flag ordinary lines: the vendor's middle. */
const STRICTNESS = 1;
/** Where the vendor's own scale begins to call an address suspicious. */
const SUSPICIOUS = 75;
/** What stands in place of a field that the plan does not include: a text, whatever the field's type. */
const PAYWALL = /premium required/i;

const USAGE_OF = new Map<string, UsageType>([
  ["residential", "residential"],
  ["corporate", "business"],
  ["education", "education"],
  ["mobile", "mobile"],
  ["data center", "hosting"],
]);

/** Yes or no, or a paywall, which is neither; another text is another form of answer. */
const detection = v.optional(v.nullable(v.union([v.boolean(), v.pipe(v.string(), v.regex(PAYWALL))])));
const anything = v.optional(v.unknown());

const AnswerSchema = v.variant("success", [
  v.object({ success: v.literal(false), message: v.fallback(v.optional(v.string()), "") }),
  v.object({
    success: v.literal(true),
    fraud_score: anything,
    country_code: anything,
    region: anything,
    city: anything,
    timezone: anything,
    ISP: anything,
    ASN: anything,
    organization: anything,
    connection_type: anything,
    proxy: detection,
    vpn: detection,
    active_vpn: detection,
    tor: detection,
    active_tor: detection,
    recent_abuse: detection,
    frequent_abuser: detection,
    high_risk_attacks: detection,
    bot_status: detection,
  }),
]);
type Success = Extract<v.InferOutput<typeof AnswerSchema>, { success: true }>;

/**
 * IPQualityScore's proxy detection (https://www.ipqualityscore.com/documentation/proxy-detection-api/overview) at
 * strictness 1. Every error comes with HTTP 200. `proxy` is said of VPN and Tor exits too, so it counts only when it
 * stands alone; the fraud score says the same as the flags, so it counts as abuse only where they are silent and it
 * is at least what the vendor calls suspicious. `is_crawler` is hearsay, `mobile` is about a browser we have none of.
 */
export const ipqualityscore = httpSource({
  id: "ipqualityscore",
  name: "IPQualityScore",
  kind: "commercial",
  family: "ipqualityscore",
  matters: ["network", "location", "anonymity", "abuse"],
  weight: 2,
  versions: [4, 6],
  timeoutMs: 4000,
  secret: "required",
  scarce: true,
  daily: { keyless: 0, keyed: 35 },
  hosts: ["ipqualityscore.com"],
  request: (address, secret) => ({
    url: `https://ipqualityscore.com/api/json/ip?ip=${encodeURIComponent(address.text)}&strictness=${STRICTNESS}&allow_public_access_points=true&fast=true&lighter_penalties=false&mobile=false`,
    // The header keeps the key out of URLs and of the logs that keep them.
    headers: { "ipqs-key": secret ?? "" },
    as: "json",
    statuses: [401, 403],
    maxBytes: 65_536,
    maxDepth: 8,
  }),
  answer: AnswerSchema,
  read: (answer) => {
    if (!answer.success) throw refusalOf(answer.message ?? "");
    return observe(answer);
  },
  readStatus: (status) => {
    if (status === 401 || status === 403) throw accessDenied();
    throw new UpstreamError("status", `HTTP ${status}`);
  },
});

/** The vendor's sentences are not repeated; they are only told apart. */
function refusalOf(sentence: string): UpstreamError {
  if (/quota|insufficient credits|exceeded|too many/i.test(sentence)) {
    return new UpstreamError("quota", "quota used up");
  }
  if (/key|unauthori[sz]ed|account/i.test(sentence)) return accessDenied();
  if (/^invalid ipv4/i.test(sentence)) return new UpstreamError("shape", "question not accepted");
  return new UpstreamError("unavailable", "question not answered");
}

function observe(answer: Success): Observation | undefined {
  const isTor = either(answer.tor, answer.active_tor);
  const isVpn = either(answer.vpn, answer.active_vpn);
  const isMasked = isTor === true || isVpn === true;
  const isProxy = isMasked ? undefined : either(answer.proxy);
  const flags = given({ isProxy, isVpn, isTor });
  const observation = given({
    flags,
    usage: USAGE_OF.get(knownText(answer.connection_type)?.toLowerCase() ?? ""),
    geo: given({
      country: knownCountry(answer.country_code),
      region: paidText(answer.region),
      city: paidText(answer.city),
      timezone: knownTimezone(answer.timezone),
    }),
    asn: given({
      asn: knownAsn(answer.ASN),
      name: paidText(answer.ISP),
      org: paidText(answer.organization),
    }),
    abuse: abuseOf(answer, isMasked || isProxy === true),
  });
  if (Object.keys(observation).length === 0) return undefined;
  // Whoever names a place but not one detection gave a reduced answer, and must not pass for "nothing found".
  if (Object.keys(flags).length === 0) throw new UpstreamError("shape", "no detections");
  return observation;
}

/** A yes of any; a no of those that said something; a paywall says nothing. */
function either(...words: readonly (string | boolean | null | undefined)[]): boolean | undefined {
  if (words.includes(true)) return true;
  return words.includes(false) ? false : undefined;
}

function paidText(value: unknown): string | undefined {
  const text = knownText(value);
  return text === undefined || PAYWALL.test(text) ? undefined : text;
}

/** A mark counts once: the vendor gives no number for it. */
function abuseOf(answer: Success, isFlagged: boolean): AbuseRecord {
  const { fraud_score: score } = answer;
  if (typeof score === "number" && !(score >= 0 && score <= 100)) {
    throw new UpstreamError("shape", "not a score");
  }
  const isSuspicious = typeof score === "number" && score >= SUSPICIOUS;
  const marks = (["recent_abuse", "frequent_abuser", "high_risk_attacks", "bot_status"] as const).filter(
    (mark) => answer[mark] === true,
  );
  return given({
    score: isSuspicious && !isFlagged ? Math.round(score) : undefined,
    attacks: Object.fromEntries(marks.map((mark) => [mark, 1])),
  });
}
