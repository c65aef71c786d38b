import type { Feed, TableFeed } from "./feed.ts";
import { ahrefsbot } from "./lists/ahrefsbot.ts";
import { airvpn } from "./lists/airvpn.ts";
import { anycast } from "./lists/anycast.ts";
import { applebot } from "./lists/applebot.ts";
import { asMetadata } from "./lists/as_metadata.ts";
import { aws } from "./lists/aws.ts";
import { azure } from "./lists/azure.ts";
import { bgpToolsTags } from "./lists/bgp_tools_tags.ts";
import { bingbot } from "./lists/bingbot.ts";
import { blocklistDeList } from "./lists/blocklist_de_list.ts";
import { ccbot } from "./lists/ccbot.ts";
import { chatgptUser } from "./lists/chatgpt_user.ts";
import { cins } from "./lists/cins.ts";
import { claudeBots } from "./lists/claude_bots.ts";
import { cloudflare } from "./lists/cloudflare.ts";
import { cloudflareEgress } from "./lists/cloudflare_egress.ts";
import { databayProxies } from "./lists/databay_proxies.ts";
import { dbipCity } from "./lists/dbip_city.ts";
import { digitalocean } from "./lists/digitalocean.ts";
import { duckassistbot } from "./lists/duckassistbot.ts";
import { duckduckbot } from "./lists/duckduckbot.ts";
import { etCompromised } from "./lists/et_compromised.ts";
import { fastly } from "./lists/fastly.ts";
import { feodo } from "./lists/feodo.ts";
import { fireholLevel1 } from "./lists/firehol_level1.ts";
import { githubActions } from "./lists/github_actions.ts";
import { gluetunServers } from "./lists/gluetun_servers.ts";
import { googleCloud } from "./lists/google_cloud.ts";
import { googleSpecialCrawlers } from "./lists/google_special_crawlers.ts";
import { googleUserFetchers } from "./lists/google_user_fetchers.ts";
import { googlebot } from "./lists/googlebot.ts";
import { gptbot } from "./lists/gptbot.ts";
import { greensnow } from "./lists/greensnow.ts";
import { ipsum } from "./lists/ipsum.ts";
import { iptoasn } from "./lists/iptoasn.ts";
import { ivpn } from "./lists/ivpn.ts";
import { linode } from "./lists/linode.ts";
import { monosansProxies } from "./lists/monosans_proxies.ts";
import { mullvad } from "./lists/mullvad.ts";
import { nordvpn } from "./lists/nordvpn.ts";
import { oaiAdsbot } from "./lists/oai_adsbot.ts";
import { oaiSearchbot } from "./lists/oai_searchbot.ts";
import { oracleCloud } from "./lists/oracle_cloud.ts";
import { peeringdb } from "./lists/peeringdb.ts";
import { perplexityUser } from "./lists/perplexity_user.ts";
import { perplexitybot } from "./lists/perplexitybot.ts";
import { pia } from "./lists/pia.ts";
import { privadovpn } from "./lists/privadovpn.ts";
import { privateRelay } from "./lists/private_relay.ts";
import { protonvpn } from "./lists/protonvpn.ts";
import { rirDelegated } from "./lists/rir_delegated.ts";
import { spamhausAsndrop } from "./lists/spamhaus_asndrop.ts";
import { spamhausDrop } from "./lists/spamhaus_drop.ts";
import { starlink } from "./lists/starlink.ts";
import { stopforumspamList } from "./lists/stopforumspam_list.ts";
import { torExitAddresses } from "./lists/tor_exit_addresses.ts";
import { torExits } from "./lists/tor_exits.ts";
import { torNodes } from "./lists/tor_nodes.ts";
import { vultr } from "./lists/vultr.ts";
import { windscribe } from "./lists/windscribe.ts";
import { wlvpn } from "./lists/wlvpn.ts";
import { x4bnetDatacenter } from "./lists/x4bnet_datacenter.ts";
import { x4bnetVpn } from "./lists/x4bnet_vpn.ts";

/** All lists that are downloaded. */
export const FEEDS: readonly Feed[] = [
  torExits,
  torExitAddresses,
  torNodes,
  privateRelay,
  cloudflareEgress,
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
  windscribe,
  privadovpn,
  wlvpn,
  protonvpn,
  gluetunServers,
  monosansProxies,
  databayProxies,
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

/** All downloads that replace the seed of a table. */
export const TABLE_FEEDS: readonly TableFeed[] = [iptoasn, rirDelegated, dbipCity];
