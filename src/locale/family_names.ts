import type { Data, Language } from "#report";
import { factList } from "./facts.ts";

/** Names of source families that are the same in every language: organisations and projects. */
const NAMES: Readonly<Record<string, string>> = {
  abuse_ch: "abuse.ch",
  abuseipdb: "AbuseIPDB",
  ahrefs: "Ahrefs",
  airvpn: "AirVPN",
  amazon: "Amazon",
  anthropic: "Anthropic",
  apple: "Apple",
  bgp_tools: "bgp.tools",
  blocklist_de: "blocklist.de",
  cins: "CINS Army",
  cloudflare: "Cloudflare",
  common_crawl: "Common Crawl",
  crowdsec: "CrowdSec",
  cymru: "Team Cymru",
  databay: "databay-labs",
  dbip: "DB-IP",
  digitalocean: "DigitalOcean",
  dronebl: "DroneBL",
  dshield: "DShield",
  duckduckgo: "DuckDuckGo",
  efnet: "EFnet RBL",
  emerging_threats: "Emerging Threats",
  fastly: "Fastly",
  gbudb: "GBUdb",
  github: "GitHub",
  gluetun: "gluetun server list",
  google: "Google",
  greensnow: "GreenSnow",
  greynoise: "GreyNoise",
  iana: "IANA",
  ip2location: "IP2Location",
  ip_api: "ip-api.com",
  ipapi_is: "ipapi.is",
  ipdata: "ipdata",
  iphub: "IPHub",
  ipinfo: "IPinfo",
  iplocate: "IPLocate",
  ipqualityscore: "IPQualityScore",
  ipquery: "ipquery",
  ipregistry: "ipregistry",
  ipverse: "ipverse",
  ivpn: "IVPN",
  linode: "Linode",
  mailspike: "Mailspike",
  microsoft: "Microsoft",
  monosans: "monosans/proxy-list",
  mullvad: "Mullvad",
  nordvpn: "NordVPN",
  openai: "OpenAI",
  oracle: "Oracle",
  otx: "AlienVault OTX",
  peeringdb: "PeeringDB",
  perplexity: "Perplexity",
  pia: "Private Internet Access",
  privadovpn: "PrivadoVPN",
  protonvpn: "Proton VPN",
  proxycheck: "proxycheck.io",
  psbl: "PSBL",
  ripe_ris: "RIPE RIS",
  routeviews: "RouteViews",
  s5h: "s5h.net",
  shodan: "Shodan",
  spam_eating_monkey: "Spam Eating Monkey",
  spamcop: "SpamCop",
  spamhaus: "Spamhaus",
  spamrats: "SpamRATS",
  starlink: "Starlink",
  stopforumspam: "StopForumSpam",
  tor: "Tor Project",
  uceprotect: "UCEPROTECT",
  virusfree: "VirusFree",
  vultr: "Vultr",
  windscribe: "Windscribe",
  wlvpn: "WLVPN",
  x4bnet: "X4BNet",
};

/** Names of the families that are no organisation. */
const OWN_NAMES: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  zh: {
    as_class: "AS 类型库",
    infrastructure: "公共服务地址表",
    leased_space: "运营商代他人宣告的网段",
    network_name: "网络名称",
    public_lists: "公开名单汇总",
    reverse_dns: "反向 DNS",
    rir: "地区注册局",
  },
  en: {
    as_class: "AS type table",
    infrastructure: "table of public services",
    leased_space: "carrier announces for another holder",
    network_name: "network name",
    public_lists: "collections of public lists",
    reverse_dns: "reverse DNS",
    rir: "regional registries",
  },
};

/** Returns the name of a source family, or its id when it has no name: stored documents may have unknown ids. */
export function nameFamily(family: string, language: Language): string {
  const own = OWN_NAMES[language];
  if (Object.hasOwn(own, family)) return own[family] ?? family;
  return Object.hasOwn(NAMES, family) ? (NAMES[family] ?? family) : family;
}

/** Lists the names of the source families in the fact `families`. */
export function nameFamilies(data: Data, language: Language): readonly string[] {
  return factList(data, "families").map((family) => nameFamily(family, language));
}
