import * as v from "valibot";
import type { Address } from "#address";
import type { AbuseRecord, Observation } from "#evidence";
import { httpSource } from "../http_source.ts";
import { anyField, checkAddress, optionalBoolean, parseAnswer, statusError } from "../read_answer.ts";
import { omitEmpty, readTimestamp } from "../read_fields.ts";

const AnswerSchema = v.object({
  ip: v.string(),
  noise: v.boolean(),
  riot: v.boolean(),
  classification: v.optional(v.nullable(v.string())),
  last_seen: anyField,
  spoofable: optionalBoolean,
});
type Answer = v.InferOutput<typeof AnswerSchema>;

/**
 * GreyNoise's community API (https://docs.greynoise.io/reference/getcommunityip): whether the address scans the whole
 * internet, or is a common business service. Most addresses are neither, which says nothing about them. IPv4 only.
 */
export const greynoise = httpSource({
  id: "greynoise",
  name: "GreyNoise",
  kind: "commercial",
  matters: ["abuse"],
  weight: 1,
  versions: [4],
  secret: "optional",
  scarce: true,
  // A free account has 50 requests a week.
  daily: { keyless: 10, keyed: 7 },
  hosts: ["api.greynoise.io"],
  request: (address, secret) => ({
    url: `https://api.greynoise.io/v3/community/${address.text}`,
    ...(secret === undefined ? {} : { headers: { key: secret } }),
    statuses: [404],
    maxBytes: 16_384,
    maxDepth: 4,
  }),
  answer: AnswerSchema,
  read: observe,
  readStatus: (status, body, address) => {
    if (status !== 404) throw statusError(status);
    // Its 404 carries an ordinary answer; a 404 without one means that the service has moved.
    return observe(parseAnswer(AnswerSchema, body), address);
  },
});

function observe(answer: Answer, address: Address): Observation | undefined {
  checkAddress(answer.ip, address);
  const abuse = abuseOf(answer);
  return abuse === undefined ? undefined : { abuse };
}

/** Known research scanners and common services get a score of 0. */
function abuseOf({ noise, riot, classification, last_seen, spoofable }: Answer): AbuseRecord | undefined {
  const verdict = classification?.trim().toLowerCase();
  if (!noise) return riot ? { score: 0 } : undefined;
  if (verdict === "benign") return { score: 0 };
  // It never finished a TCP handshake, so anybody could have sent these packets with its address.
  if (spoofable === true) return undefined;
  const attack = verdict === "malicious" ? "malicious_scanning" : "internet_scanning";
  return omitEmpty({ attacks: { [attack]: 1 }, lastSeen: readTimestamp(last_seen) });
}
