import * as v from "valibot";
import { type Address, parseAddress } from "#address";
import type { AbuseRecord, Observation } from "#evidence";
import { UpstreamError } from "#upstream";
import { accessDenied } from "./access_denied.ts";
import { given } from "./given.ts";
import { httpSource } from "./http_source.ts";
import { knownMoment } from "./known_moment.ts";
import { readShape } from "./read_shape.ts";

const AnswerSchema = v.object({
  ip: v.string(),
  noise: v.boolean(),
  riot: v.boolean(),
  classification: v.optional(v.nullable(v.string())),
  last_seen: v.optional(v.unknown()),
  spoofable: v.optional(v.nullable(v.boolean())),
});
type Answer = v.InferOutput<typeof AnswerSchema>;

/**
 * GreyNoise's community interface (https://docs.greynoise.io/reference/getcommunityip): whether the address scans the
 * whole internet, or is a common business service. Most addresses are neither, which says nothing about them. IPv4 only.
 */
export const greynoise = httpSource({
  id: "greynoise",
  name: "GreyNoise",
  kind: "commercial",
  family: "greynoise",
  matters: ["abuse"],
  weight: 1,
  versions: [4],
  timeoutMs: 3000,
  secret: "optional",
  scarce: true,
  // A free account has 50 questions a week.
  daily: { keyless: 10, keyed: 7 },
  hosts: ["api.greynoise.io"],
  request: (address, secret) => ({
    url: `https://api.greynoise.io/v3/community/${address.text}`,
    ...(secret === undefined ? {} : { headers: { key: secret } }),
    as: "json",
    statuses: [401, 403, 404],
    maxBytes: 16_384,
    maxDepth: 4,
  }),
  answer: AnswerSchema,
  read: observe,
  readStatus: (status, body, address) => {
    if (status === 401 || status === 403) throw accessDenied();
    if (status !== 404) throw new UpstreamError("status", `HTTP ${status}`);
    // Its 404 is an answer, and has an answer's body; one without means that the service has moved.
    return observe(readShape(AnswerSchema, body), address);
  },
});

function observe(answer: Answer, address: Address): Observation | undefined {
  if (parseAddress(answer.ip)?.text !== address.text) throw new UpstreamError("shape", "another address");
  const abuse = abuseOf(answer);
  return abuse === undefined ? undefined : { abuse };
}

/** Scanners that study the internet and services that everybody uses are known, and nothing is held against them. */
function abuseOf({ noise, riot, classification, last_seen, spoofable }: Answer): AbuseRecord | undefined {
  const word = classification?.trim().toLowerCase();
  if (!noise) return riot ? { score: 0 } : undefined;
  if (word === "benign") return { score: 0 };
  // Never finished a handshake: anybody could have sent these packets in the address's name.
  if (spoofable === true) return undefined;
  const attack = word === "malicious" ? "malicious_scanning" : "internet_scanning";
  return given({ attacks: { [attack]: 1 }, lastSeen: knownMoment(last_seen) });
}
