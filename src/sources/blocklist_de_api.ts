import * as v from "valibot";
import { UpstreamError } from "#upstream";
import { given } from "./given.ts";
import { httpSource } from "./http_source.ts";
import { knownCount } from "./known_count.ts";

/**
 * blocklist.de's counts (https://www.blocklist.de/en/api.html): what servers with fail2ban report. The DNS list of the
 * same reports is the same voice. A zero is a "no", for the service knows of nothing but reports.
 */
export const blocklistDeApi = httpSource({
  id: "blocklist_de_api",
  name: "blocklist.de API",
  kind: "free",
  family: "blocklist_de",
  matters: ["abuse"],
  weight: 0.5,
  versions: [4, 6],
  timeoutMs: 3000,
  hosts: ["api.blocklist.de"],
  request: (address) => ({
    url: `https://api.blocklist.de/api.php?ip=${encodeURIComponent(address.text)}&format=json`,
    as: "json",
    // The content type of the script is not documented; what is no JSON is refused as such.
    contentTypes: ["application/json", "text/"],
    maxBytes: 4096,
    maxDepth: 4,
  }),
  answer: v.object({ attacks: v.unknown(), reports: v.unknown() }),
  read: (answer) => {
    const attacks = knownCount(answer.attacks);
    const reports = knownCount(answer.reports);
    if (attacks === undefined || reports === undefined) throw new UpstreamError("shape", "not a count");
    return {
      abuse: { reports, ...given({ attacks: attacks === 0 ? undefined : { reported_attack: attacks } }) },
    };
  },
});
