import * as v from "valibot";
import { type Address, parseAddress } from "#address";
import type { AbuseRecord, Observation } from "#evidence";
import type { UsageType } from "#report";
import { UpstreamError } from "#upstream";
import { accessDenied } from "./access_denied.ts";
import { given } from "./given.ts";
import { httpSource } from "./http_source.ts";
import { knownCount } from "./known_count.ts";
import { knownMoment } from "./known_moment.ts";
import { knownText } from "./known_text.ts";

const MAX_AGE_DAYS = 90;

/** "Search Engine Spider" and "Reserved" are no use of a network. */
const USAGE_OF = new Map<string, UsageType>([
  ["commercial", "business"],
  ["organization", "business"],
  ["government", "government"],
  ["military", "government"],
  ["university/college/school", "education"],
  ["library", "education"],
  ["content delivery network", "hosting"],
  ["data center/web hosting/transit", "hosting"],
  ["fixed line isp", "residential"],
  ["mobile isp", "mobile"],
]);

const ErrorsSchema = v.object({ errors: v.pipe(v.array(v.object({ detail: v.string() })), v.minLength(1)) });
/** The one complaint that is about us and not about the account. */
const UNPROCESSABLE = 422;

const AnswerSchema = v.object({
  data: v.object({
    ipAddress: v.string(),
    isPublic: v.optional(v.nullable(v.boolean())),
    isWhitelisted: v.optional(v.nullable(v.boolean())),
    abuseConfidenceScore: v.pipe(v.number(), v.minValue(0), v.maxValue(100)),
    usageType: v.optional(v.unknown()),
    isTor: v.optional(v.nullable(v.boolean())),
    totalReports: v.optional(v.unknown()),
    lastReportedAt: v.optional(v.unknown()),
  }),
});
type Data = v.InferOutput<typeof AnswerSchema>["data"];

/**
 * AbuseIPDB's `check` (https://docs.abuseipdb.com/#check-endpoint), reports of the last 90 days. The reports themselves
 * are not asked for: their comments are other people's words and may name persons. Country and provider are bought
 * elsewhere and not read; its Tor mark repeats the Tor project's list.
 */
export const abuseipdb = httpSource({
  id: "abuseipdb",
  name: "AbuseIPDB",
  kind: "commercial",
  family: "abuseipdb",
  matters: ["network", "abuse"],
  weight: 2,
  versions: [4, 6],
  timeoutMs: 3000,
  secret: "required",
  daily: { keyless: 0, keyed: 1000 },
  hosts: ["api.abuseipdb.com"],
  request: (address, secret) => ({
    url: `https://api.abuseipdb.com/api/v2/check?ipAddress=${encodeURIComponent(address.text)}&maxAgeInDays=${MAX_AGE_DAYS}`,
    // Without this Accept its errors are web pages.
    headers: { key: secret ?? "", accept: "application/json" },
    as: "json",
    statuses: [401, 402, 403, 422],
    maxBytes: 65_536,
    maxDepth: 8,
  }),
  answer: v.union([AnswerSchema, ErrorsSchema]),
  read: (answer, address) => {
    if ("errors" in answer) throw refusalOf(answer.errors[0]?.detail ?? "");
    return observe(answer.data, address);
  },
  readStatus: (status) => {
    if (status === UNPROCESSABLE) throw new UpstreamError("shape", "question not accepted");
    if (status === 401 || status === 402 || status === 403) throw accessDenied();
    throw new UpstreamError("status", `HTTP ${status}`);
  },
});

function refusalOf(sentence: string): UpstreamError {
  if (/limit|exceeded/i.test(sentence)) return new UpstreamError("quota", "quota used up");
  return new UpstreamError("unavailable", "question not answered");
}

function observe(data: Data, address: Address): Observation | undefined {
  if (parseAddress(data.ipAddress)?.text !== address.text)
    throw new UpstreamError("shape", "another address");
  // Private space comes with an answer like any other, all zeros.
  if (data.isPublic === false) return undefined;
  const isTor = data.isTor ?? undefined;
  const observation = given({
    ...(isTor === undefined ? {} : { flags: { isTor }, echoes: ["tor"] }),
    usage: USAGE_OF.get(knownText(data.usageType)?.toLowerCase() ?? ""),
    abuse: abuseOf(data),
  });
  return Object.keys(observation).length === 0 ? undefined : observation;
}

/**
 * Anybody may report, and public services collect reports by the hundred: whoever stands on the white list is not
 * accused, and reports that came to a score of 0 count for none.
 */
function abuseOf(data: Data): AbuseRecord {
  if (data.isWhitelisted === true) return {};
  const score = Math.round(data.abuseConfidenceScore);
  if (score === 0) return { score };
  const reports = knownCount(data.totalReports);
  if (reports === undefined && data.totalReports != null) throw new UpstreamError("shape", "not a count");
  return given({
    score,
    reports,
    lastSeen: knownMoment(data.lastReportedAt),
  });
}
