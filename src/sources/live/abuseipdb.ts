import * as v from "valibot";
import type { Address } from "#address";
import type { AbuseRecord, Observation } from "#evidence";
import type { UsageType } from "#report";
import { UpstreamError } from "#upstream";
import { httpSource } from "../http_source.ts";
import {
  accessDenied,
  anyField,
  checkAddress,
  classifyMessage,
  optionalBoolean,
  parseCount,
  statusError,
} from "../read_answer.ts";
import { omitEmpty, readTimestamp, readUsage } from "../read_fields.ts";
import usages from "./usages.json" with { type: "json" };

const MAX_AGE_DAYS = 90;

/** "Search Engine Spider" and "Reserved" do not describe how a network is used. */
const USAGE_OF = new Map(Object.entries(usages.abuseipdb as Record<string, UsageType>));

const ErrorsSchema = v.object({ errors: v.pipe(v.array(v.object({ detail: v.string() })), v.minLength(1)) });
/** The status of a request that AbuseIPDB does not accept. The other error statuses are about the account. */
const UNPROCESSABLE = 422;

const AnswerSchema = v.object({
  data: v.object({
    ipAddress: v.string(),
    isPublic: optionalBoolean,
    isWhitelisted: optionalBoolean,
    abuseConfidenceScore: v.pipe(v.number(), v.minValue(0), v.maxValue(100)),
    usageType: anyField,
    isTor: optionalBoolean,
    totalReports: anyField,
    lastReportedAt: anyField,
  }),
});
type Data = v.InferOutput<typeof AnswerSchema>["data"];

/**
 * AbuseIPDB's `check` (https://docs.abuseipdb.com/#check-endpoint), reports of the last 90 days. The reports themselves
 * are not requested: their comments are free text and may name persons. Country and provider come from another vendor
 * and are not read. Its Tor flag repeats the Tor Project's list.
 */
export const abuseipdb = httpSource({
  id: "abuseipdb",
  name: "AbuseIPDB",
  kind: "commercial",
  matters: ["network", "abuse"],
  weight: 2,
  secret: "required",
  daily: { keyless: 0, keyed: 1000 },
  hosts: ["api.abuseipdb.com"],
  request: (address, secret) => ({
    url: `https://api.abuseipdb.com/api/v2/check?ipAddress=${encodeURIComponent(address.text)}&maxAgeInDays=${MAX_AGE_DAYS}`,
    // Without this Accept header its errors are web pages.
    headers: { key: secret ?? "", accept: "application/json" },
    statuses: [402, 422],
  }),
  answer: v.union([AnswerSchema, ErrorsSchema]),
  read: (answer, address) => {
    if ("errors" in answer) {
      throw classifyMessage(answer.errors[0]?.detail ?? "", { quota: /limit|exceeded/i });
    }
    return observe(answer.data, address);
  },
  readStatus: (status) => {
    if (status === UNPROCESSABLE) throw new UpstreamError("shape", "question not accepted");
    throw status === 402 ? accessDenied() : statusError(status);
  },
});

function observe(data: Data, address: Address): Observation | undefined {
  checkAddress(data.ipAddress, address);
  // For private space the answer is ordinary and all its values are 0.
  if (data.isPublic === false) return undefined;
  const isTor = data.isTor ?? undefined;
  return omitEmpty({
    ...(isTor === undefined ? {} : { flags: { isTor }, echoes: ["tor"] }),
    usage: readUsage(USAGE_OF, data.usageType),
    abuse: abuseOf(data),
  });
}

/**
 * Anybody may report, so public services have hundreds of reports. Therefore a whitelisted address is not accused, and
 * reports do not count if the score is 0.
 */
function abuseOf(data: Data): AbuseRecord {
  if (data.isWhitelisted === true) return {};
  const score = Math.round(data.abuseConfidenceScore);
  if (score === 0) return { score };
  return omitEmpty({
    score,
    reports: parseCount(data.totalReports),
    lastSeen: readTimestamp(data.lastReportedAt),
  });
}
