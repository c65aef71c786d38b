import * as v from "valibot";
import { reverseLabels } from "#address";
import { UpstreamError } from "#upstream";
import { checkZoneAnswers } from "./check_zone_answers.ts";
import { readShape } from "./read_shape.ts";
import type { Source } from "./source.ts";

const EXIT = "127.0.0.2";

const AnswerSchema = v.variant("found", [
  v.object({ found: v.literal(true), records: v.pipe(v.array(v.string()), v.minLength(1)) }),
  v.object({ found: v.literal(false) }),
]);

/**
 * The Tor Project's own DNS list of exits, IPv4 only (https://2019.www.torproject.org/projects/tordnsel.html.en).
 * A yes is an authority's; a no is one voice, since an exit may leave by an address nobody has measured yet.
 * It counts as a list and not as the matter of anonymity, of which Tor is only one kind.
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
    const heard = readShape(AnswerSchema, answer);
    if (!heard.found) return { flags: { isTor: false } };
    checkZoneAnswers(heard.records);
    if (heard.records.some((record) => record !== EXIT))
      throw new UpstreamError("shape", "undocumented code");
    return { flags: { isTor: true }, authority: ["isTor"] };
  },
} as const satisfies Source;
