import type { Address } from "#address";
import type { Network, Registry } from "#report";
import { classifyName } from "./classify_name.ts";
import type { Heard } from "./heard.ts";
import { isConsumerName } from "./is_consumer_name.ts";
import { type KnownNetwork, knowNetwork } from "./know_network.ts";
import type { Family } from "./observation.ts";
import type { Vote } from "./vote.ts";

/** All votes, by how they came about: said in so many words, known beforehand, read out of a name, or hinted at. */
export interface UsageVotes {
  readonly said: readonly Vote[];
  readonly known: KnownNetwork;
  readonly named: readonly Vote[];
  readonly hinted: readonly Vote[];
  readonly heard: boolean;
}

/** AS name, registry name and their organisations are one fact told four times: one voice. */
export const NAME_FAMILY: Family = "network_name";

/** Lists whose policy entries mean end-user space. Others, such as lists of missing reverse names, say nothing of use. */
const CONSUMER_LISTS: ReadonlySet<string> = new Set(["spamhaus_zen", "spamhaus_dqs", "spamrats_dyna"]);

/** Collects what every source and every name says about the use of the network. */
export function collectVotes(
  heard: readonly Heard[],
  address: Address | undefined,
  asn: Network | undefined,
  registry: Registry | undefined,
): UsageVotes {
  const said: Vote[] = [];
  const hinted: Vote[] = [];
  let isHeard = false;
  for (const { run, said: word } of heard) {
    const say = (type: Vote["type"]) => said.push({ type, family: run.family, because: run.id });
    if (word.usage !== undefined || word.flags?.isHosting !== undefined) isHeard = true;
    if (word.usage !== undefined && word.usage !== "unknown") say(word.usage);
    if (word.flags?.isHosting === true && word.usage !== "hosting") say("hosting");
    if (word.flags?.isMobile === true && word.usage !== "mobile") say("mobile");
    for (const { zone, listed, meanings } of word.listings ?? []) {
      if (!listed || !meanings.includes("policy") || !CONSUMER_LISTS.has(zone)) continue;
      hinted.push({ type: "residential", family: run.family, because: "policy_list" });
    }
    if (word.reverse?.names.some(isConsumerName) === true) {
      hinted.push({ type: "residential", family: run.family, because: "reverse_name" });
    }
  }
  const known = knowNetwork(address, asn?.asn);
  const named = [
    ...(known.isClassed ? [] : voteByName("as_name", [asn?.name, asn?.org])),
    ...voteByName("registry_name", [registry?.netName, registry?.org]),
  ];
  return { said, known, named, hinted, heard: isHeard };
}

function voteByName(because: string, names: readonly (string | undefined)[]): readonly Vote[] {
  const types = new Set<Vote["type"]>();
  for (const name of new Set(names)) {
    const type = name === undefined ? undefined : classifyName(name);
    if (type !== undefined) types.add(type);
  }
  return Array.from(types, (type) => ({ type, family: NAME_FAMILY, because }));
}
