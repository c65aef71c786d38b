import * as v from "valibot";
import { UpstreamError } from "#upstream";
import { httpSource } from "../http_source.ts";
import { anyField, anyObject, checkAddress } from "../read_answer.ts";
import { omitEmpty, readCount, readText, readTimestamp } from "../read_fields.ts";

/** Anybody may post a list of a million addresses, so one author proves nothing. */
const MIN_AUTHORS = 2;
const MAX_PULSES = 256;

const notes = v.optional(v.nullable(v.array(v.unknown())));

const PulseSchema = v.object({ created: anyField, modified: anyField, author: anyObject("username") });

/** Its 404 names what was not found. "endpoint not found" means that the API has moved. */
const NotFoundSchema = v.object({ detail: v.pipe(v.string(), v.regex(/^(?!.*endpoint).*not found/i)) });

/**
 * AlienVault OTX (https://otx.alienvault.com/api): mentions in lists that anybody may post, often in bulk. Mentions are
 * counted by author and carry no score. Its `reputation` is no longer maintained.
 */
export const otx = httpSource({
  id: "otx",
  name: "AlienVault OTX",
  kind: "commercial",
  matters: ["abuse"],
  weight: 0.25,
  timeoutMs: 3500,
  secret: "required",
  hosts: ["otx.alienvault.com"],
  request: (address, secret) => ({
    url: `https://otx.alienvault.com/api/v1/indicators/IPv${address.version}/${address.text}/general`,
    headers: { "x-otx-api-key": secret ?? "" },
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
    checkAddress(indicator, address);
    const count = readCount(pulse_info.count);
    if (count === undefined) throw new UpstreamError("shape", "not a count");
    // Addresses on its list of harmless addresses are mentioned too, and are not accused.
    if ((validation ?? []).length > 0 || (false_positive ?? []).length > 0) return undefined;
    if (count === 0) return { abuse: { reports: 0 } };
    const pulses = pulse_info.pulses.slice(0, MAX_PULSES);
    const authors = new Set(pulses.flatMap((pulse) => readText(pulse.author.username) ?? []));
    if (authors.size < MIN_AUTHORS) return undefined;
    const timestamps = pulses.flatMap((pulse) => readTimestamp(pulse.modified ?? pulse.created) ?? []).sort();
    return { abuse: { reports: authors.size, ...omitEmpty({ lastSeen: timestamps.at(-1) }) } };
  },
  notFound: NotFoundSchema,
});
