import type { Feed } from "../feed.ts";
import { readPlainList } from "./readers.ts";

/** Emerging Threats: hosts known to be compromised (https://rules.emergingthreats.net/). */
export const etCompromised = {
  id: "et_compromised",
  name: "ET compromised",
  family: "emerging_threats",
  licence: "BSD",
  homepage: "https://rules.emergingthreats.net/",
  files: [{ url: "https://rules.emergingthreats.net/blockrules/compromised-ips.txt", maxBytes: 2_097_152 }],
  meanings: ["abuse"],
  cadenceMs: 86_400_000,
  minRows: 20,
  maxRows: 50_000,
  parse: (content, sink) => readPlainList(content, sink, { meaning: "abuse" }),
} as const satisfies Feed;
