import * as v from "valibot";
import { type Address, parseAddress } from "#address";
import type { AbuseRecord, Observation } from "#evidence";
import { UpstreamError } from "#upstream";
import { accessDenied } from "./access_denied.ts";
import { given } from "./given.ts";
import { httpSource } from "./http_source.ts";
import { knownMoment } from "./known_moment.ts";

/** The quota is a month's: asking again before tomorrow is in vain. */
const MONTH_SPENT_MS = 86_400_000;
const MAX_BEHAVIORS = 32;
const MAX_TOTAL = 5;
/** The least total that goes with a reputation (https://docs.crowdsec.net/u/cti_api/taxonomy/cti_object/). */
const LEAST_TOTAL = new Map([
  ["known", 1],
  ["suspicious", 2],
  ["malicious", 4],
]);
/** Reputations under which nothing on record is held against the address. */
const TRUSTED: ReadonlySet<string> = new Set(["safe", "benign"]);

const anything = v.optional(v.unknown());
const names = v.optional(v.nullable(v.array(v.object({ name: v.string() }))));
const total = v.optional(
  v.nullable(v.object({ total: v.nullable(v.pipe(v.number(), v.minValue(0), v.maxValue(MAX_TOTAL))) })),
);

const NothingSchema = v.object({ message: v.pipe(v.string(), v.regex(/not found/i)) });
const RefusalSchema = v.object({ message: v.string() });

const AnswerSchema = v.object({
  ip: v.string(),
  reputation: v.optional(v.nullable(v.string())),
  behaviors: names,
  classifications: v.optional(v.nullable(v.object({ false_positives: names, classifications: names }))),
  history: v.optional(v.nullable(v.object({ last_seen: anything }))),
  scores: v.optional(v.nullable(v.object({ overall: total }))),
});
type Answer = v.InferOutput<typeof AnswerSchema>;

/**
 * CrowdSec's threat intelligence on one address (https://docs.crowdsec.net/u/cti_api/), 120 questions a month for
 * free. Place and network are copied from elsewhere and not read. An address it does not know is a 404.
 */
export const crowdsecCti = httpSource({
  id: "crowdsec_cti",
  name: "CrowdSec CTI",
  kind: "commercial",
  family: "crowdsec",
  matters: ["abuse"],
  weight: 1,
  versions: [4, 6],
  timeoutMs: 3000,
  secret: "required",
  scarce: true,
  daily: { keyless: 0, keyed: 4 },
  hosts: ["cti.api.crowdsec.net"],
  request: (address, secret) => ({
    url: `https://cti.api.crowdsec.net/v2/smoke/${address.text}`,
    headers: { "x-api-key": secret ?? "" },
    as: "json",
    statuses: [401, 403, 404, 429],
    maxBytes: 1_048_576,
    maxDepth: 16,
  }),
  answer: AnswerSchema,
  read: observe,
  readStatus: (status, body) => {
    if (status === 404 && v.is(NothingSchema, body)) return undefined;
    if (status === 401 || status === 403) throw accessDenied();
    if (status === 429) throw quotaOf(body);
    throw new UpstreamError("status", `HTTP ${status}`);
  },
});

/** "Too Many Requests" is a burst; "Limit Exceeded" and "request quota exceeded" are the month's end. */
function quotaOf(body: unknown): UpstreamError {
  const isSpent = v.is(RefusalSchema, body) && /limit exceeded|quota/i.test(body.message);
  return isSpent
    ? new UpstreamError("quota", "quota used up", { retryAfterMs: MONTH_SPENT_MS })
    : new UpstreamError("quota", "too many at once");
}

function observe(answer: Answer, address: Address): Observation | undefined {
  if (parseAddress(answer.ip)?.text !== address.text) throw new UpstreamError("shape", "another address");
  const flags = flagsOf(answer);
  // Exits of Tor are known from Tor's own list, whoever names them.
  const echoes = flags?.isTor === true ? ["tor"] : [];
  const observation = given({ flags, echoes, abuse: abuseOf(answer) });
  return Object.keys(observation).length === 0 ? undefined : observation;
}

/** Tags are only ever a yes. One of them means "VPN or proxy" and is taken for the lesser of the two. */
function flagsOf({ classifications }: Answer): Observation["flags"] {
  const tags = new Set(classifications?.classifications?.map(({ name }) => name.toLowerCase()));
  return given({
    isTor: tags.has("proxy:tor") ? true : undefined,
    isVpn: tags.has("proxy:vpn") || tags.has("crowdsec:ai_vpn_proxy") ? true : undefined,
    isHosting: tags.has("range:data_center") ? true : undefined,
  });
}

function abuseOf({ reputation, behaviors, classifications, history, scores }: Answer): AbuseRecord {
  const word = reputation?.toLowerCase();
  // Last reported more than three months ago: nothing of it is a word on today.
  if (word === undefined || word === "unknown") return {};
  if (TRUSTED.has(word) || (classifications?.false_positives ?? []).length > 0) return { score: 0 };
  const overall = scores?.overall?.total ?? LEAST_TOTAL.get(word);
  const kinds = (behaviors ?? []).slice(0, MAX_BEHAVIORS).flatMap(({ name }) => kindOf(name) ?? []);
  return given({
    score: overall === undefined ? undefined : Math.round((overall / MAX_TOTAL) * 100),
    attacks: Object.fromEntries(kinds.map((kind) => [kind, 1])),
    lastSeen: knownMoment(history?.last_seen),
  });
}

/** `pop3/imap:bruteforce` becomes `pop3_imap_bruteforce`. Seen is seen: the service gives no numbers. */
function kindOf(behavior: string): string | undefined {
  const kind = behavior.toLowerCase().replaceAll(/[:/.-]+/g, "_");
  return /^[a-z][a-z0-9_]{0,63}$/.test(kind) ? kind : undefined;
}
