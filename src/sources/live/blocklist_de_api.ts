import * as v from "valibot";
import { UpstreamError } from "#upstream";
import { httpSource } from "../http_source.ts";
import { omitEmpty, readCount } from "../read_fields.ts";

/**
 * blocklist.de's counts (https://www.blocklist.de/en/api.html) of what servers with fail2ban report. Its DNS list is
 * made of the same reports, so both are one family. A zero is a "no", because reports are the only data of the service.
 */
export const blocklistDeApi = httpSource({
  id: "blocklist_de_api",
  name: "blocklist.de (API)",
  kind: "free",
  family: "blocklist_de",
  matters: ["abuse"],
  weight: 0.5,
  hosts: ["api.blocklist.de"],
  request: (address) => ({
    url: `https://api.blocklist.de/api.php?ip=${encodeURIComponent(address.text)}&format=json`,
    // The content type is not documented; a body that is not JSON is refused anyway.
    contentTypes: ["application/json", "text/"],
    maxBytes: 4096,
    maxDepth: 4,
  }),
  answer: v.object({ attacks: v.unknown(), reports: v.unknown() }),
  read: (answer) => {
    const attacks = readCount(answer.attacks);
    const reports = readCount(answer.reports);
    if (attacks === undefined || reports === undefined) throw new UpstreamError("shape", "not a count");
    return {
      abuse: { reports, ...omitEmpty({ attacks: attacks === 0 ? undefined : { reported_attack: attacks } }) },
    };
  },
});
