import type { Assessment, Data, Flag, Language, SourceAnswer, UsageType } from "#report";
import { factList } from "./facts.ts";

/**
 * Names of source families that are the same in every language: organisations and projects. The name of a family with
 * one source is the name of that source; the names of the sources of a larger family begin with its name.
 */
const NAMES: Readonly<Record<string, string>> = {
  abuse_ch: "Feodo Tracker",
  abuseipdb: "AbuseIPDB",
  ahrefs: "AhrefsBot",
  airvpn: "AirVPN",
  amazon: "Amazon Web Services",
  anthropic: "Claude bots",
  apple: "Apple",
  bgp_tools: "bgp.tools",
  blocklist_de: "blocklist.de",
  cins: "CINS Army",
  cloudflare: "Cloudflare",
  common_crawl: "CCBot",
  crowdsec: "CrowdSec CTI",
  cymru: "Team Cymru",
  databay: "Databay proxy list",
  dbip: "DB-IP country table",
  digitalocean: "DigitalOcean",
  dronebl: "DroneBL",
  dshield: "SANS ISC DShield",
  duckduckgo: "DuckDuckGo",
  efnet: "EFnet RBL",
  emerging_threats: "ET compromised",
  fastly: "Fastly",
  gbudb: "GBUdb Truncate",
  github: "GitHub Actions",
  gluetun: "gluetun servers",
  google: "Google",
  greensnow: "GreenSnow",
  greynoise: "GreyNoise",
  iana: "IANA special-purpose registries",
  ip2location: "IP2Location.io",
  ip_api: "ip-api.com",
  ipapi_is: "ipapi.is",
  ipdata: "ipdata",
  iphub: "IPHub",
  ipinfo: "IPinfo",
  iplocate: "IPLocate",
  ipqualityscore: "IPQualityScore",
  ipquery: "ipquery.io",
  ipregistry: "Ipregistry",
  ipverse: "ipverse",
  ivpn: "IVPN",
  linode: "Linode",
  mailspike: "Mailspike",
  microsoft: "Microsoft",
  monosans: "monosans proxy list",
  mullvad: "Mullvad",
  nordvpn: "NordVPN",
  openai: "OpenAI",
  oracle: "Oracle Cloud",
  otx: "AlienVault OTX",
  peeringdb: "PeeringDB",
  perplexity: "Perplexity",
  pia: "Private Internet Access",
  privadovpn: "PrivadoVPN",
  protonvpn: "Proton VPN (tn3w copy)",
  proxycheck: "proxycheck.io",
  psbl: "PSBL",
  ripe_ris: "RIPEstat",
  routeviews: "ASN table",
  s5h: "s5h.net",
  shodan: "Shodan InternetDB",
  spam_eating_monkey: "Spam Eating Monkey",
  spamcop: "SpamCop",
  spamhaus: "Spamhaus",
  spamrats: "SpamRATS",
  starlink: "Starlink",
  stopforumspam: "StopForumSpam",
  tor: "Tor",
  uceprotect: "UCEPROTECT Level 1",
  virusfree: "virusfree.cz BIP",
  vultr: "Vultr",
  windscribe: "Windscribe",
  wlvpn: "WLVPN (IPVanish)",
  x4bnet: "X4BNet",
};

/** Names of the families that are not organisations. */
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

/** What a source states when it supports a factor. */
const STATED: Readonly<Partial<Record<string, { readonly flag?: Flag; readonly usage?: UsageType }>>> = {
  tor_exit: { flag: "isTor" },
  proxy: { flag: "isProxy" },
  vpn: { flag: "isVpn" },
  relay: { flag: "isRelay" },
  hosting: { flag: "isHosting", usage: "hosting" },
  residential_agreement: { usage: "residential" },
};

/**
 * Lists who supports a factor, by the names that the list of sources shows: the sources of each family that state it, or
 * the family where no source does, such as our own tables.
 */
export function nameReporters(
  factor: string,
  data: Data,
  sources: Assessment["sources"],
  language: Language,
): readonly string[] {
  const stated = Object.hasOwn(STATED, factor) ? STATED[factor] : undefined;
  const speaking = sources.filter(({ answer }) => answer !== undefined && isStated(answer, stated));
  const names = factList(data, "families").flatMap((family) => {
    const name = nameFamily(family, language);
    const begins = family === "apple" ? "icloud" : name.toLowerCase();
    const members = speaking.filter((source) => source.name.toLowerCase().startsWith(begins));
    return members.length === 0 ? [name] : members.map((source) => source.name);
  });
  return [...new Set(names)];
}

function isStated({ flags, usageType }: SourceAnswer, stated: (typeof STATED)[string]): boolean {
  if (stated?.flag !== undefined && flags?.[stated.flag] === true) return true;
  return stated?.usage !== undefined && usageType === stated.usage;
}
