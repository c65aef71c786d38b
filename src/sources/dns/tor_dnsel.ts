import { reverseLabels } from "#address";
import { UpstreamError } from "#upstream";
import { checkZoneRecords, DnsAnswerSchema, parseAnswer } from "../read_answer.ts";
import type { Source } from "../source.ts";

const EXIT = "127.0.0.2";

/**
 * The Tor Project's own DNS list of exits, IPv4 only (https://2019.www.torproject.org/projects/tordnsel.html.en). A
 * "yes" is authoritative. A "no" is one opinion, since an exit may use an address that nobody has measured yet. It
 * counts as a list, not as a source on anonymity, because Tor is only one kind of anonymity.
 */
export const torDnsel = {
  id: "tor_dnsel",
  name: "Tor DNSEL",
  kind: "free",
  family: "tor",
  matters: ["lists"],
  weight: 0.25,
  versions: [4],
  timeoutMs: 2500,
  ask: async (address, { upstream }, signal) =>
    upstream.a(`${reverseLabels(address)}.dnsel.torproject.org`, signal),
  read: (answer) => {
    const parsed = parseAnswer(DnsAnswerSchema, answer);
    if (!parsed.found) return { flags: { isTor: false } };
    checkZoneRecords(parsed.records);
    if (parsed.records.some((record) => record !== EXIT))
      throw new UpstreamError("shape", "undocumented code");
    return { flags: { isTor: true }, authority: ["isTor"] };
  },
} as const satisfies Source;
