import * as v from "valibot";
import type { Address } from "#address";
import type { AbuseRecord, Observation } from "#evidence";
import { UpstreamError } from "#upstream";
import { httpSource } from "../http_source.ts";
import { anyField, checkAddress, statusError } from "../read_answer.ts";
import { countOnce, omitEmpty, readTimestamp } from "../read_fields.ts";

/** The pause after the quota is used up. The quota is monthly, so a retry on the same day is useless. */
const MONTH_SPENT_MS = 86_400_000;
const MAX_BEHAVIORS = 32;
const MAX_TOTAL = 5;
/** Lowest total score of a reputation (https://docs.crowdsec.net/u/cti_api/taxonomy/cti_object/). */
const LEAST_TOTAL = new Map([
  ["known", 1],
  ["suspicious", 2],
  ["malicious", 4],
]);
/** Addresses with these reputations are not accused, even if other data accuses them. */
const TRUSTED: ReadonlySet<string> = new Set(["safe", "benign"]);

const names = v.optional(v.nullable(v.array(v.object({ name: v.string() }))));
const total = v.optional(
  v.nullable(v.object({ total: v.nullable(v.pipe(v.number(), v.minValue(0), v.maxValue(MAX_TOTAL))) })),
);

const NotFoundSchema = v.object({ message: v.pipe(v.string(), v.regex(/not found/i)) });
const RefusalSchema = v.object({ message: v.string() });

const AnswerSchema = v.object({
  ip: v.string(),
  reputation: v.optional(v.nullable(v.string())),
  behaviors: names,
  classifications: v.optional(v.nullable(v.object({ false_positives: names, classifications: names }))),
  history: v.optional(v.nullable(v.object({ last_seen: anyField }))),
  scores: v.optional(v.nullable(v.object({ overall: total }))),
});
type Answer = v.InferOutput<typeof AnswerSchema>;

/**
 * CrowdSec's threat intelligence on one address (https://docs.crowdsec.net/u/cti_api/), 120 free requests a month.
 * Location and network come from other vendors and are not read. It answers 404 for an address it does not know.
 */
export const crowdsecCti = httpSource({
  id: "crowdsec_cti",
  name: "CrowdSec CTI",
  kind: "commercial",
  family: "crowdsec",
  matters: ["abuse"],
  weight: 1,
  secret: "required",
  scarce: true,
  daily: { keyless: 0, keyed: 4 },
  hosts: ["cti.api.crowdsec.net"],
  request: (address, secret) => ({
    url: `https://cti.api.crowdsec.net/v2/smoke/${address.text}`,
    headers: { "x-api-key": secret ?? "" },
    statuses: [429],
    maxBytes: 1_048_576,
    maxDepth: 16,
  }),
  answer: AnswerSchema,
  read: observe,
  notFound: NotFoundSchema,
  readStatus: (status, body) => {
    throw status === 429 ? quotaError(body) : statusError(status);
  },
});

/** "Too Many Requests" means too many at once; "Limit Exceeded" and "request quota exceeded" mean the monthly quota. */
function quotaError(body: unknown): UpstreamError {
  const isSpent = v.is(RefusalSchema, body) && /limit exceeded|quota/i.test(body.message);
  return isSpent
    ? new UpstreamError("quota", "quota used up", { retryAfterMs: MONTH_SPENT_MS })
    : new UpstreamError("quota", "too many at once");
}

function observe(answer: Answer, address: Address): Observation {
  checkAddress(answer.ip, address);
  const flags = flagsOf(answer);
  // Vendors copy Tor exits from Tor's own list.
  const echoes = flags?.isTor === true ? ["tor"] : [];
  return omitEmpty({ flags, echoes, abuse: abuseOf(answer) });
}

/** A tag means "yes"; a missing tag means nothing. The tag for "VPN or proxy" is read as VPN, which weighs less. */
function flagsOf({ classifications }: Answer): Observation["flags"] {
  const tags = new Set(classifications?.classifications?.map(({ name }) => name.toLowerCase()));
  return omitEmpty({
    isTor: tags.has("proxy:tor") ? true : undefined,
    isVpn: tags.has("proxy:vpn") || tags.has("crowdsec:ai_vpn_proxy") ? true : undefined,
    isHosting: tags.has("range:data_center") ? true : undefined,
  });
}

function abuseOf({ reputation, behaviors, classifications, history, scores }: Answer): AbuseRecord {
  const rating = reputation?.toLowerCase();
  // "unknown": last reported more than three months ago, so it says nothing about today.
  if (rating === undefined || rating === "unknown") return {};
  if (TRUSTED.has(rating) || (classifications?.false_positives ?? []).length > 0) return { score: 0 };
  const overall = scores?.overall?.total ?? LEAST_TOTAL.get(rating);
  const kinds = (behaviors ?? []).slice(0, MAX_BEHAVIORS).flatMap(({ name }) => kindOf(name) ?? []);
  return omitEmpty({
    score: overall === undefined ? undefined : Math.round((overall / MAX_TOTAL) * 100),
    attacks: countOnce(Object.fromEntries(kinds.map((kind) => [kind, true]))),
    lastSeen: readTimestamp(history?.last_seen),
  });
}

/** `pop3/imap:bruteforce` becomes `pop3_imap_bruteforce`. */
function kindOf(behavior: string): string | undefined {
  const kind = behavior.toLowerCase().replaceAll(/[:/.-]+/g, "_");
  return /^[a-z][a-z0-9_]{0,63}$/.test(kind) ? kind : undefined;
}
