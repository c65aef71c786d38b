import * as v from "valibot";
import type { AbuseRecord, Observation } from "#evidence";
import type { UsageType } from "#report";
import { UpstreamError } from "#upstream";
import { httpSource } from "../http_source.ts";
import { anyFields, classifyMessage, requireDetections } from "../read_answer.ts";
import { countOnce, omitEmpty, readNetwork, readPlace, readText, readUsage } from "../read_fields.ts";

/** From 0 to 3. At 0 it misses most VPN exits; at 2 and 3 it flags ordinary lines. */
const STRICTNESS = 1;
/** From this score on, the vendor calls an address suspicious. */
const SUSPICIOUS = 75;
/** The text in place of a field that the plan does not include, whatever the field's type. */
const PAYWALL = /premium required/i;

const REFUSALS = {
  quota: /quota|insufficient credits|exceeded|too many/i,
  denied: /key|unauthori[sz]ed|account/i,
  question: /^invalid ipv4/i,
};

const USAGE_OF = new Map<string, UsageType>([
  ["residential", "residential"],
  ["corporate", "business"],
  ["education", "education"],
  ["mobile", "mobile"],
  ["data center", "hosting"],
]);

/** A boolean, or the paywall text, which says nothing. Any other text is a wrong format. */
const detection = v.optional(v.nullable(v.union([v.boolean(), v.pipe(v.string(), v.regex(PAYWALL))])));

const AnswerSchema = v.variant("success", [
  v.object({ success: v.literal(false), message: v.fallback(v.optional(v.string()), "") }),
  v.object({
    success: v.literal(true),
    ...anyFields("country_code", "region", "city", "timezone"),
    ...anyFields("ISP", "ASN", "organization", "connection_type", "fraud_score"),
    ...v.entriesFromList(["proxy", "vpn", "active_vpn", "tor", "active_tor"], detection),
    ...v.entriesFromList(["recent_abuse", "frequent_abuser", "high_risk_attacks", "bot_status"], detection),
  }),
]);
type Success = Extract<v.InferOutput<typeof AnswerSchema>, { success: true }>;

/**
 * IPQualityScore's proxy detection (https://www.ipqualityscore.com/documentation/proxy-detection-api/overview) at
 * strictness 1. Every error comes with HTTP 200. `proxy` is also true for VPN and Tor exits, so it counts only when both
 * are false. The fraud score repeats the flags, so it counts as abuse only when no flag is true and the vendor calls it
 * suspicious. Not read: `is_crawler`, which is not verified, and `mobile`, which is about a browser.
 */
export const ipqualityscore = httpSource({
  id: "ipqualityscore",
  name: "IPQualityScore",
  kind: "commercial",
  matters: ["network", "location", "anonymity", "abuse"],
  weight: 2,
  timeoutMs: 4000,
  secret: "required",
  scarce: true,
  daily: { keyless: 0, keyed: 35 },
  hosts: ["ipqualityscore.com"],
  request: (address, secret) => ({
    url: `https://ipqualityscore.com/api/json/ip?ip=${encodeURIComponent(address.text)}&strictness=${STRICTNESS}&allow_public_access_points=true&fast=true&lighter_penalties=false&mobile=false`,
    // A header keeps the key out of URLs, and so out of logs.
    headers: { "ipqs-key": secret ?? "" },
  }),
  answer: AnswerSchema,
  read: (answer) => {
    if (!answer.success) throw classifyMessage(answer.message ?? "", REFUSALS);
    return observe(answer);
  },
});

function observe(answer: Success): Observation | undefined {
  const isTor = either(answer.tor, answer.active_tor);
  const isVpn = either(answer.vpn, answer.active_vpn);
  const isMasked = isTor === true || isVpn === true;
  const isProxy = isMasked ? undefined : either(answer.proxy);
  const flags = omitEmpty({ isProxy, isVpn, isTor });
  const usage = readUsage(USAGE_OF, answer.connection_type);
  const isOfPeople = usage === "residential" || usage === "mobile";
  const observation = omitEmpty({
    flags,
    usage,
    geo: readPlace(answer.country_code, paidText(answer.region), paidText(answer.city), answer.timezone),
    asn: readNetwork({ asn: answer.ASN, name: paidText(answer.ISP), org: paidText(answer.organization) }),
    abuse: abuseOf(answer, isMasked || isProxy === true),
    // The vendor looks for residential proxies too. A "yes" says which kind only on a line of people.
    residentialProxy: isProxy === true ? isOfPeople || undefined : isProxy,
  });
  return requireDetections(observation, flags);
}

/** Returns true if one value is true, else false if one value is false, else undefined. Ignores the paywall text. */
function either(...values: readonly (string | boolean | null | undefined)[]): boolean | undefined {
  if (values.includes(true)) return true;
  return values.includes(false) ? false : undefined;
}

function paidText(value: unknown): string | undefined {
  const text = readText(value);
  return text === undefined || PAYWALL.test(text) ? undefined : text;
}

function abuseOf(answer: Success, isFlagged: boolean): AbuseRecord {
  const { fraud_score: score } = answer;
  if (typeof score === "number" && !(score >= 0 && score <= 100)) {
    throw new UpstreamError("shape", "not a score");
  }
  const isSuspicious = typeof score === "number" && score >= SUSPICIOUS;
  const { recent_abuse, frequent_abuser, high_risk_attacks, bot_status } = answer;
  return omitEmpty({
    score: isSuspicious && !isFlagged ? Math.round(score) : undefined,
    attacks: countOnce({ recent_abuse, frequent_abuser, high_risk_attacks, bot_status }),
  });
}
