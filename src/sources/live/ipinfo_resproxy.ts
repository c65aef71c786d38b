import * as v from "valibot";
import { httpSource } from "../http_source.ts";
import { anyField, checkAddress } from "../read_answer.ts";
import { readText } from "../read_fields.ts";

/**
 * IPinfo's residential proxy detection (https://ipinfo.io/developers/residential-proxy-api), for accounts that have it.
 * It answers an empty object for an address that is in none of the proxy services that it watches. A service may also
 * be of phones (`…_mobile`) or of data centres (`…_datacenter`). It says nothing about other proxies and VPNs.
 */
export const ipinfoResproxy = httpSource({
  id: "ipinfo_resproxy",
  name: "IPinfo residential proxies",
  kind: "commercial",
  family: "ipinfo",
  matters: ["anonymity"],
  weight: 1,
  versions: [4, 6],
  timeoutMs: 3000,
  secret: "required",
  scarce: true,
  // The vendor states no daily quota. This bounds what a paid account spends.
  daily: { keyless: 0, keyed: 1000 },
  hosts: ["ipinfo.io"],
  request: (address, secret) => ({
    url: `https://ipinfo.io/resproxy/${address.text}`,
    // A header keeps the key out of URLs, and so out of logs.
    headers: { authorization: `Bearer ${secret ?? ""}` },
    as: "json",
    statuses: [401, 403],
    maxBytes: 16_384,
    maxDepth: 4,
  }),
  answer: v.union([
    v.object({
      ip: v.string(),
      service: v.string(),
      /** Share of the last seven days on which the address was seen. */
      percent_days_seen: anyField,
    }),
    v.strictObject({}),
  ]),
  read: (answer, address) => {
    if (!("ip" in answer)) return { residentialProxy: false };
    checkAddress(answer.ip, address);
    const service = readText(answer.service)?.toLowerCase();
    if (service === undefined || answer.percent_days_seen === 0) return { residentialProxy: false };
    return { flags: { isProxy: true }, residentialProxy: !service.endsWith("_datacenter") };
  },
});
