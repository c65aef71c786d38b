import * as v from "valibot";
import { type Address, isWithin, parseLoosePrefix } from "#address";
import type { Observation } from "#evidence";
import { UpstreamError } from "#upstream";
import { httpSource } from "../http_source.ts";
import { anyField, parseAnswer } from "../read_answer.ts";
import { omitEmpty, readAsn, readText } from "../read_fields.ts";

const EnvelopeSchema = v.object({ status: v.string(), data_call_status: v.string(), data: v.unknown() });

const DataSchema = v.object({
  announced: v.nullable(v.boolean()),
  resource: v.string(),
  asns: v.array(v.object({ asn: v.unknown(), holder: anyField })),
});

/**
 * RIPEstat's prefix overview (https://stat.ripe.net/docs/data-api/api-endpoints/prefix-overview): which network
 * announced the prefix in the last eight hours, as RIPE's route collectors saw it. The registry part is not read.
 */
export const ripestat = httpSource({
  id: "ripestat",
  name: "RIPEstat",
  kind: "free",
  family: "ripe_ris",
  matters: ["network"],
  weight: 0.5,
  timeoutMs: 3500,
  hosts: ["stat.ripe.net"],
  request: (address) => ({
    url: `https://stat.ripe.net/data/prefix-overview/data.json?resource=${encodeURIComponent(address.text)}&sourceapp=limpid`,
    maxBytes: 262_144,
    maxDepth: 12,
  }),
  answer: EnvelopeSchema,
  read: ({ status, data_call_status, data }, address) => {
    if (status === "maintenance") throw new UpstreamError("unavailable", "under maintenance");
    if (status !== "ok") throw new UpstreamError("unavailable", "could not answer");
    // A remark may follow "supported"; with "deprecated" and the like the data cannot be trusted.
    if (!data_call_status.startsWith("supported")) {
      throw new UpstreamError("unavailable", "question no longer supported");
    }
    return observe(parseAnswer(DataSchema, data), address);
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
  // With several origins (MOAS) the lowest number comes first, because the order of the answer means nothing.
  const origins = asns
    .flatMap(({ asn, holder }) => {
      const number = readAsn(asn);
      return number === undefined ? [] : [{ asn: number, ...readHolder(holder) }];
    })
    .sort((a, b) => a.asn - b.asn);
  const [origin] = origins;
  if (origin === undefined || prefix.bits === 0) return undefined;
  return { asn: { ...origin, route: prefix.text }, announced: true };
}

/** `EXAMPLE-AS - Example Hosting`; older data has no handle. */
function readHolder(holder: unknown): { readonly name?: string; readonly org?: string } {
  const [handle, ...rest] = (readText(holder) ?? "").split(/ -(?: |$)/);
  return omitEmpty({ name: readText(handle), org: readText(rest.join(" - ")) });
}
