import * as v from "valibot";
import { parseAddress } from "#address";
import { UpstreamError } from "#upstream";
import { accessDenied } from "./access_denied.ts";
import { given } from "./given.ts";
import { httpSource } from "./http_source.ts";
import { knownCount } from "./known_count.ts";
import { knownMoment } from "./known_moment.ts";
import { knownText } from "./known_text.ts";

/** Anybody may post a list of a million addresses: one author alone proves nothing. */
const MIN_AUTHORS = 2;
const MAX_PULSES = 256;

const notes = v.optional(v.nullable(v.array(v.unknown())));

const PulseSchema = v.object({
  created: v.optional(v.unknown()),
  modified: v.optional(v.unknown()),
  author: v.fallback(v.object({ username: v.optional(v.unknown()) }), {}),
});

/** Its 404 names what it looked for: where the question itself has moved, it says "endpoint". */
const NothingSchema = v.object({ detail: v.pipe(v.string(), v.regex(/^(?!.*endpoint).*not found/i)) });

/**
 * AlienVault OTX (https://otx.alienvault.com/api): mentions in lists that anybody may post, often bulk dumps. Mentions
 * are counted by author and carry no score; its `reputation` is no longer kept.
 */
export const otx = httpSource({
  id: "otx",
  name: "AlienVault OTX",
  kind: "commercial",
  family: "otx",
  matters: ["abuse"],
  weight: 0.25,
  versions: [4, 6],
  timeoutMs: 3500,
  secret: "required",
  hosts: ["otx.alienvault.com"],
  request: (address, secret) => ({
    url: `https://otx.alienvault.com/api/v1/indicators/IPv${address.version}/${address.text}/general`,
    headers: { "x-otx-api-key": secret ?? "" },
    as: "json",
    statuses: [401, 403, 404],
    maxBytes: 2_097_152,
    maxDepth: 16,
  }),
  answer: v.object({
    indicator: v.string(),
    pulse_info: v.object({ count: v.unknown(), pulses: v.array(PulseSchema) }),
    validation: notes,
    false_positive: notes,
  }),
  read: ({ indicator, pulse_info, validation, false_positive }, address) => {
    if (parseAddress(indicator)?.text !== address.text) throw new UpstreamError("shape", "another address");
    const count = knownCount(pulse_info.count);
    if (count === undefined) throw new UpstreamError("shape", "not a count");
    // Whoever is on its list of harmless addresses is mentioned all the same.
    if ((validation ?? []).length > 0 || (false_positive ?? []).length > 0) return undefined;
    if (count === 0) return { abuse: { reports: 0 } };
    const pulses = pulse_info.pulses.slice(0, MAX_PULSES);
    const authors = new Set(pulses.flatMap((pulse) => knownText(pulse.author.username) ?? []));
    if (authors.size < MIN_AUTHORS) return undefined;
    const moments = pulses.flatMap((pulse) => knownMoment(pulse.modified ?? pulse.created) ?? []).sort();
    return { abuse: { reports: authors.size, ...given({ lastSeen: moments.at(-1) }) } };
  },
  readStatus: (status, body) => {
    if (status === 404 && v.is(NothingSchema, body)) return undefined;
    if (status === 401 || status === 403) throw accessDenied();
    throw new UpstreamError("status", `HTTP ${status}`);
  },
});
