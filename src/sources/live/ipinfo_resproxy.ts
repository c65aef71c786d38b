import * as v from "valibot";
import type { Address } from "#address";
import { UpstreamError } from "#upstream";
import { httpSource } from "../http_source.ts";
import { anyField, checkAddress, parseAnswer } from "../read_answer.ts";
import { readText } from "../read_fields.ts";

/** An empty object means that the address is in none of the proxy services. */
const EntrySchema = v.union([
  v.object({
    ip: v.string(),
    service: v.string(),
    /** Share of the last seven days on which the address was seen. */
    percent_days_seen: anyField,
  }),
  v.strictObject({}),
]);

/**
 * IPinfo's residential proxy detection (https://ipinfo.io/developers/residential-proxy-api), for accounts that have it.
 * A service may also be of phones (`…_mobile`) or of data centres (`…_datacenter`). It says nothing about other proxies
 * and VPNs. It is asked as a batch of one, because that answer repeats the question: a bare `{}` could be about anything.
 */
export const ipinfoResproxy = httpSource({
  id: "ipinfo_resproxy",
  name: "IPinfo residential proxies",
  kind: "commercial",
  family: "ipinfo",
  matters: ["anonymity"],
  weight: 1,
  secret: "required",
  scarce: true,
  // The vendor states no daily quota. This bounds what a paid account spends.
  daily: { keyless: 0, keyed: 1000 },
  hosts: ["ipinfo.io"],
  request: (address, secret) => ({
    url: "https://ipinfo.io/batch",
    method: "POST",
    // A header keeps the key out of URLs, and so out of logs.
    headers: { authorization: `Bearer ${secret ?? ""}`, "content-type": "application/json" },
    body: JSON.stringify([questionOf(address)]),
    maxBytes: 16_384,
    maxDepth: 4,
  }),
  answer: v.record(v.string(), v.unknown()),
  read: (answer, address) => {
    const question = questionOf(address);
    if (!Object.hasOwn(answer, question)) throw new UpstreamError("shape", "no answer for the address");
    const entry = parseAnswer(EntrySchema, answer[question]);
    if (!("ip" in entry)) return { residentialProxy: false };
    checkAddress(entry.ip, address);
    const service = readText(entry.service)?.toLowerCase();
    if (service === undefined || entry.percent_days_seen === 0) return { residentialProxy: false };
    return { flags: { isProxy: true }, residentialProxy: !service.endsWith("_datacenter") };
  },
});

function questionOf(address: Address): string {
  return `resproxy/${address.text}`;
}
