import * as v from "valibot";
import { isBogon } from "#address";
import { parseAnswer } from "../read_answer.ts";
import type { Source } from "../source.ts";

const AnswerSchema = v.object({ isBogon: v.boolean() });

/** Whether the address is in space that is not globally reachable, by the IANA registries in `#address`. */
export const specialPurpose = {
  id: "special_purpose",
  name: "IANA special-purpose registries",
  kind: "free",
  family: "iana",
  matters: [],
  weight: 0,
  versions: [4, 6],
  timeoutMs: 1000,
  local: true,
  ask: (address) => ({ isBogon: isBogon(address) }),
  read: (answer) => ({ flags: parseAnswer(AnswerSchema, answer), authority: ["isBogon"] }),
} as const satisfies Source;
