import { ahrefsbot } from "./ahrefsbot.ts";
import { airvpn } from "./airvpn.ts";
import { anycast } from "./anycast.ts";
import { applebot } from "./applebot.ts";
import { asMetadata } from "./as_metadata.ts";
import { aws } from "./aws.ts";
import { azure } from "./azure.ts";
import { bgpToolsTags } from "./bgp_tools_tags.ts";
import { bingbot } from "./bingbot.ts";
import { blocklistDeList } from "./blocklist_de_list.ts";
import { ccbot } from "./ccbot.ts";
import { chatgptUser } from "./chatgpt_user.ts";
import { cins } from "./cins.ts";
import { claudeBots } from "./claude_bots.ts";
import { cloudflare } from "./cloudflare.ts";
import { digitalocean } from "./digitalocean.ts";
import { duckassistbot } from "./duckassistbot.ts";
import { duckduckbot } from "./duckduckbot.ts";
import { etCompromised } from "./et_compromised.ts";
import { fastly } from "./fastly.ts";
import type { Feed } from "./feed.ts";
import { feodo } from "./feodo.ts";
import { fireholLevel1 } from "./firehol_level1.ts";
import { githubActions } from "./github_actions.ts";
import { googleCloud } from "./google_cloud.ts";
import { googleSpecialCrawlers } from "./google_special_crawlers.ts";
import { googleUserFetchers } from "./google_user_fetchers.ts";
import { googlebot } from "./googlebot.ts";
import { gptbot } from "./gptbot.ts";
import { greensnow } from "./greensnow.ts";
import { ipsum } from "./ipsum.ts";
import { ivpn } from "./ivpn.ts";
import { linode } from "./linode.ts";
import { mullvad } from "./mullvad.ts";
import { nordvpn } from "./nordvpn.ts";
import { oaiAdsbot } from "./oai_adsbot.ts";
import { oaiSearchbot } from "./oai_searchbot.ts";
import { oracleCloud } from "./oracle_cloud.ts";
import { peeringdb } from "./peeringdb.ts";
import { perplexityUser } from "./perplexity_user.ts";
import { perplexitybot } from "./perplexitybot.ts";
import { pia } from "./pia.ts";
import { privateRelay } from "./private_relay.ts";
import { spamhausAsndrop } from "./spamhaus_asndrop.ts";
import { spamhausDrop } from "./spamhaus_drop.ts";
import { starlink } from "./starlink.ts";
import { stopforumspamList } from "./stopforumspam_list.ts";
import { torExitAddresses } from "./tor_exit_addresses.ts";
import { torExits } from "./tor_exits.ts";
import { torNodes } from "./tor_nodes.ts";
import { vultr } from "./vultr.ts";
import { x4bnetDatacenter } from "./x4bnet_datacenter.ts";
import { x4bnetVpn } from "./x4bnet_vpn.ts";

/** Every list that is downloaded. */
export const FEEDS: readonly Feed[] = [
  torExits,
  torExitAddresses,
  torNodes,
  privateRelay,
  googlebot,
  googleSpecialCrawlers,
  googleUserFetchers,
  bingbot,
  applebot,
  duckduckbot,
  duckassistbot,
  gptbot,
  oaiSearchbot,
  oaiAdsbot,
  chatgptUser,
  claudeBots,
  perplexitybot,
  perplexityUser,
  ccbot,
  ahrefsbot,
  aws,
  googleCloud,
  azure,
  oracleCloud,
  cloudflare,
  fastly,
  digitalocean,
  linode,
  vultr,
  githubActions,
  starlink,
  spamhausDrop,
  spamhausAsndrop,
  x4bnetVpn,
  x4bnetDatacenter,
  mullvad,
  nordvpn,
  ivpn,
  airvpn,
  pia,
  ipsum,
  blocklistDeList,
  cins,
  greensnow,
  etCompromised,
  stopforumspamList,
  fireholLevel1,
  feodo,
  bgpToolsTags,
  peeringdb,
  asMetadata,
  anycast,
];
