import type { Network } from "#report";
import { compareText } from "./compare_text.ts";
import type { Heard } from "./heard.ts";
import { joinFirst } from "./join_first.ts";

/** Sources that read today's routing table, the freshest first. */
const LIVE_ROUTING: readonly string[] = ["team_cymru", "ripestat"];

/** The network, and whether anybody announces it. */
export interface NetworkEvidence {
  readonly asn?: Network;
  readonly announced?: boolean;
}

/** Takes the network from live routing before vendors and vendors before tables; others complete it only for the same AS. */
export function mergeNetwork(heard: readonly Heard[]): NetworkEvidence {
  const ranked = heard
    .filter(({ said }) => said.asn !== undefined || said.announced !== undefined)
    .sort((a, b) => rank(a) - rank(b) || compareText(a.run.id, b.run.id));
  const networks = ranked.flatMap(({ said }) => (said.asn === undefined ? [] : [said.asn]));
  const base = networks.find((network) => network.asn !== undefined) ?? networks[0];
  const announced = ranked.find(({ said }) => said.announced !== undefined)?.said.announced;
  const same = base === undefined ? [] : networks.filter((network) => network.asn === base.asn);
  const asn = joinFirst(base === undefined ? [] : [base, ...same]);
  return {
    ...(base === undefined ? {} : { asn }),
    ...(announced === undefined ? {} : { announced }),
  };
}

function rank({ run }: Heard): number {
  const live = LIVE_ROUTING.indexOf(run.id);
  if (live >= 0) return live;
  return LIVE_ROUTING.length + (run.local ? 1 : 0);
}
