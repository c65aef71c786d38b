import * as v from "valibot";
import { type Address, isWithin, parseLoosePrefix } from "#address";
import type { Observation } from "#evidence";
import { UpstreamError } from "#upstream";
import { given } from "./given.ts";
import { httpSource } from "./http_source.ts";
import { knownAsn } from "./known_asn.ts";
import { knownText } from "./known_text.ts";
import { readShape } from "./read_shape.ts";

const EnvelopeSchema = v.object({ status: v.string(), data_call_status: v.string(), data: v.unknown() });

const DataSchema = v.object({
  announced: v.nullable(v.boolean()),
  resource: v.string(),
  asns: v.array(v.object({ asn: v.unknown(), holder: v.optional(v.unknown()) })),
});

/**
 * RIPEstat's prefix overview (https://stat.ripe.net/docs/data-api/api-endpoints/prefix-overview): who announces the
 * prefix, as RIPE's route collectors saw it in the last eight hours. The registries' part of the answer is not read.
 */
export const ripestat = httpSource({
  id: "ripestat",
  name: "RIPEstat",
  kind: "free",
  family: "ripe_ris",
  matters: ["network"],
  weight: 0.5,
  versions: [4, 6],
  timeoutMs: 3500,
  hosts: ["stat.ripe.net"],
  request: (address) => ({
    url: `https://stat.ripe.net/data/prefix-overview/data.json?resource=${encodeURIComponent(address.text)}&sourceapp=limpid`,
    as: "json",
    maxBytes: 262_144,
    maxDepth: 12,
  }),
  answer: EnvelopeSchema,
  read: ({ status, data_call_status, data }, address) => {
    if (status === "maintenance") throw new UpstreamError("unavailable", "under maintenance");
    if (status !== "ok") throw new UpstreamError("unavailable", "could not answer");
    // "supported", perhaps with a remark behind it; "deprecated" and the like are no promise about the data.
    if (!data_call_status.startsWith("supported")) {
      throw new UpstreamError("unavailable", "question no longer supported");
    }
    return observe(readShape(DataSchema, data), address);
  },
});

function observe(
  { announced, resource, asns }: v.InferOutput<typeof DataSchema>,
  address: Address,
): Observation | undefined {
  if (announced === null) return undefined;
  const prefix = parseLoosePrefix(resource);
  if (prefix === undefined || !isWithin(address, prefix)) throw new UpstreamError("shape", "another prefix");
  if (!announced) return { announced: false };
  // With several origins (MOAS) the lowest number stands first: no order of the answer means anything.
  const origins = asns
    .flatMap(({ asn, holder }) => {
      const number = knownAsn(asn);
      return number === undefined ? [] : [{ asn: number, ...readHolder(holder) }];
    })
    .sort((a, b) => a.asn - b.asn);
  const [origin] = origins;
  if (origin === undefined || prefix.bits === 0) return undefined;
  return { asn: { ...origin, route: prefix.text }, announced: true };
}

/** `EXAMPLE-AS - Example Hosting`, by older data without the handle. */
function readHolder(holder: unknown): { readonly name?: string; readonly org?: string } {
  const [handle, ...rest] = (knownText(holder) ?? "").split(/ -(?: |$)/);
  return given({ name: knownText(handle), org: knownText(rest.join(" - ")) });
}
