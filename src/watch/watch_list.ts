import { type Address, isBogon, parseAddress } from "#address";
import {
  findContradiction,
  isAskingNothing,
  POLICY_WORDS,
  type Policy,
  type PolicyWord,
  readWords,
  SCENARIOS,
  SCORE_PATTERN,
  type ScenarioId,
} from "#report";

const MAX_ENTRIES = 1000;
const MAX_LABEL = 100;

/** A row of the list: an address, or a name whose addresses are watched. */
export interface WatchEntry {
  readonly target: Address | string;
  readonly label?: string;
  /** A change of its decision is an event too. */
  readonly policy?: Policy;
}

/** RFC 1123 host name with at least two labels, so that a misspelt address is not a name. */
const NAME = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Reads rows of `address or name, label, policy`; label and policy may be left out. A policy is written as for `/auth`:
 * `min=70&deny=proxy,vpn`. Empty lines and lines that begin with `#` are comments.
 * @throws {Error} that names the row by its line when one is wrong, doubled, or the 1001st.
 */
export function parseWatchList(text: string): readonly WatchEntry[] {
  const rows: WatchEntry[] = [];
  const seen = new Set<string>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    const refuse = (why: string) => new Error(`row ${index + 1}: ${why}`);
    const [first = "", label = "", ...rest] = line.split(",").map((field) => field.trim());
    const address = parseAddress(first);
    const name = first.toLowerCase().replace(/\.$/, "");
    if (address === undefined && !NAME.test(name)) throw refuse("expected an address or a host name");
    if (address !== undefined && isBogon(address)) throw refuse("the address is not public");
    if (label.length > MAX_LABEL || /[\p{C}\p{Zl}\p{Zp}]/u.test(label))
      throw refuse(`expected a label of at most ${MAX_LABEL} characters`);
    const policy = rest.length === 0 ? undefined : readPolicy(rest.join(","));
    if (typeof policy === "string") throw refuse(policy);
    const key = address?.text ?? name;
    if (seen.has(key)) throw refuse("an earlier row is about the same");
    if (rows.length >= MAX_ENTRIES) throw refuse(`more than ${MAX_ENTRIES} rows`);
    seen.add(key);
    rows.push({
      target: address ?? name,
      ...(label === "" ? {} : { label }),
      ...(policy === undefined ? {} : { policy }),
    });
  }
  return rows;
}

/** Reads a policy, or says what is wrong with it. */
function readPolicy(text: string): Policy | string {
  const policy: { min?: number; scenario?: ScenarioId; deny: PolicyWord[]; allow: PolicyWord[] } = {
    deny: [],
    allow: [],
  };
  for (const [name, value] of new URLSearchParams(text)) {
    const scenario = name === "scenario" ? SCENARIOS.find((id) => id === value) : undefined;
    if (name === "min" && SCORE_PATTERN.test(value)) policy.min = Number(value);
    else if (scenario !== undefined) policy.scenario = scenario;
    else if (name === "deny" || name === "allow") {
      const { words, unknown } = readWords(value.split(","), POLICY_WORDS);
      if (unknown !== undefined) return `"${unknown}" is not one of ${POLICY_WORDS.join(", ")}`;
      policy[name].push(...words);
    } else return "expected a policy such as min=70&deny=proxy,vpn";
  }
  const both = findContradiction(policy);
  if (both !== undefined) return `"${both}" cannot be allowed and denied`;
  return isAskingNothing(policy) ? "expected a policy with min or deny" : policy;
}
