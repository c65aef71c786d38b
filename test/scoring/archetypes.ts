/** Well-known kinds of address, each with typical answers of the sources. All facts about them are invented. */
import type { Observation, Survey } from "#evidence";
import { CLEAN, listed, type ManifestId, makeSurvey, network, type Outcome, SURVEYS } from "./surveys.ts";

const V4 = "81.2.69.10";
const V6 = "2a02:8010:64f2::10";

type Lines = Partial<Record<ManifestId, Outcome>>;

/** The answer of a vendor about an address without complaints. */
function vendor(usage: NonNullable<Observation["usage"]>, country: string, rest: Observation = {}): Lines {
  const { flags, ...others } = rest;
  return { proxycheck: { flags: { ...CLEAN, ...flags }, usage, geo: { country }, ...others } };
}

const POLICY = listed("spamhaus_dqs", "policy");
const homeNet = network(64_501, "Example Broadband Ltd", "GB");
const mobileNet = network(64_502, "Example Mobile", "GB");
const officeNet = network(64_503, "Example Holdings plc", "GB");
const cloudNet = network(64_504, "Example Cloud Hosting", "NL");

function on(zone: ManifestId, meaning: "severe" | "botnet", authoritative: boolean): Observation {
  const listing = { zone, label: zone, listed: true, codes: [meaning], meanings: [meaning] } as const;
  return { listings: [authoritative ? { ...listing, authoritative } : listing] };
}

/** A listing of the /64 only. */
function near(zone: ManifestId): Observation {
  return {
    listings: [{ zone, label: zone, listed: true, codes: ["abuse"], meanings: ["abuse"], subnet: true }],
  };
}

const attacks = (count: number, lastSeen: string): Observation => ({
  abuse: { attacks: { login_attempt: count }, lastSeen },
});

const FIVE_LISTS: Lines = {
  spamhaus_dqs: listed("spamhaus_dqs", "abuse"),
  dronebl: listed("dronebl", "abuse"),
  spamcop: listed("spamcop", "abuse"),
  psbl: listed("psbl", "abuse"),
  blocklist_de: listed("blocklist_de", "abuse"),
};

const MORE = {
  home_ipv6: makeSurvey(V6, { ...homeNet, ...vendor("residential", "GB"), spamhaus_dqs: POLICY }),
  home_listed_once: makeSurvey(V4, {
    ...homeNet,
    ...vendor("residential", "GB"),
    spamhaus_dqs: POLICY,
    blocklist_de: listed("blocklist_de", "abuse"),
  }),
  home_infected: makeSurvey(V4, {
    ...homeNet,
    ...vendor("residential", "GB", attacks(240, "2026-10-31T12:00:00Z")),
    spamhaus_dqs: listed("spamhaus_dqs", "policy", "abuse"),
    blocklist_de: listed("blocklist_de", "abuse"),
    dronebl: listed("dronebl", "abuse"),
  }),
  home_fading: makeSurvey(V4, {
    ...homeNet,
    ...vendor("residential", "GB", attacks(240, "2026-10-11T12:00:00Z")),
  }),
  home_forgotten: makeSurvey(V4, {
    ...homeNet,
    ...vendor("residential", "GB", attacks(240, "2026-07-01T12:00:00Z")),
  }),
  home_broadcast: makeSurvey(V4, {
    ...network(64_501, "Example Broadband Ltd", "US"),
    geo_country: { geo: { country: "HK" } },
    ...vendor("residential", "HK"),
  }),
  home_shared: makeSurvey(V4, {
    ...homeNet,
    ...vendor("residential", "GB", { sharing: { address: 300, subnet: 9000 } }),
    spamhaus_dqs: listed("spamhaus_dqs", "policy", "abuse"),
  }),
  residential_proxy: makeSurvey(V4, {
    ...homeNet,
    ...vendor("residential", "GB", { flags: { isProxy: true }, sharing: { address: 40 } }),
    spamhaus_dqs: POLICY,
  }),
  residential_proxy_agreed: makeSurvey(V4, {
    ...homeNet,
    ...vendor("residential", "GB", { flags: { isProxy: true }, ...attacks(60, "2026-10-31T12:00:00Z") }),
    dronebl: listed("dronebl", "proxy"),
    spamhaus_dqs: listed("spamhaus_dqs", "policy", "abuse"),
  }),
  mobile_clean: makeSurvey(V4, {
    ...mobileNet,
    ...vendor("mobile", "GB", { sharing: { address: 5000 } }),
    spamhaus_dqs: POLICY,
  }),
  mobile_ipv6: makeSurvey(V6, { ...mobileNet, ...vendor("mobile", "GB") }),
  mobile_proxy: makeSurvey(V4, {
    ...mobileNet,
    ...vendor("mobile", "GB", { flags: { isProxy: true }, sharing: { address: 900 } }),
    dronebl: listed("dronebl", "proxy"),
    spamhaus_dqs: POLICY,
  }),
  office: makeSurvey(V4, { ...officeNet, ...vendor("business", "GB", { sharing: { address: 60 } }) }),
  office_ipv6: makeSurvey(V6, { ...officeNet, ...vendor("business", "GB") }),
  university: makeSurvey(V4, {
    ...network(64_505, "Example University", "DE"),
    ...vendor("education", "DE", { sharing: { address: 800 } }),
  }),
  university_tor: makeSurvey(V4, {
    ...network(64_505, "Example University", "DE"),
    ...vendor("education", "DE", { flags: { isTor: true } }),
    tor_dnsel: { flags: { isTor: true }, authority: ["isTor"] },
  }),
  government: makeSurvey(V4, {
    ...network(64_506, "Ministry of Examples", "SE"),
    ...vendor("government", "SE"),
  }),
  cloud_ipv6: makeSurvey(V6, { ...cloudNet, ...vendor("hosting", "NL", { flags: { isHosting: true } }) }),
  cloud_vulnerable: makeSurvey(V4, {
    ...cloudNet,
    ...vendor("hosting", "NL", { flags: { isHosting: true } }),
    internetdb: {
      exposure: {
        observed: true,
        ports: [22, 1080, 3128],
        vulns: Array.from({ length: 12 }, (_, index) => `CVE-2026-${1000 + index}`),
      },
    },
  }),
  cloud_spammer: makeSurvey(V4, {
    ...cloudNet,
    ...vendor("hosting", "NL", { flags: { isHosting: true } }),
    ...FIVE_LISTS,
  }),
  five_lists_only: makeSurvey(V4, { ...officeNet, ...vendor("business", "GB"), ...FIVE_LISTS }),
  vpn_hearsay: makeSurvey(V4, { ...officeNet, ...vendor("business", "GB", { flags: { isVpn: true } }) }),
  vpn_no_operator: makeSurvey(V4, {
    ...cloudNet,
    ...vendor("hosting", "NL", { flags: { isVpn: true, isHosting: true } }),
    vpn_feed: { flags: { isVpn: true } },
  }),
  vpn_own_list: makeSurvey(V4, {
    ...cloudNet,
    ...vendor("hosting", "NL", { flags: { isHosting: true } }),
    vpn_feed: { flags: { isVpn: true }, authority: ["isVpn"], vpn: { name: "Example VPN" } },
  }),
  vpn_abused: makeSurvey(V4, {
    ...cloudNet,
    ...vendor("hosting", "NL", {
      flags: { isVpn: true, isHosting: true },
      vpn: { name: "Example VPN" },
      ...attacks(2000, "2026-10-31T12:00:00Z"),
      sharing: { address: 1500 },
    }),
    vpn_feed: { flags: { isVpn: true } },
    blocklist_de: listed("blocklist_de", "abuse"),
    spamhaus_dqs: listed("spamhaus_dqs", "abuse"),
  }),
  vpn_at_home: makeSurvey(V4, {
    ...homeNet,
    ...vendor("residential", "GB", { flags: { isVpn: true } }),
    vpn_feed: { flags: { isVpn: true } },
    spamhaus_dqs: POLICY,
  }),
  vpn_ipv6_subnet: makeSurvey(V6, {
    ...cloudNet,
    ...vendor("hosting", "NL", { flags: { isHosting: true } }),
    vpn_feed: { flags: { isVpn: true }, authority: ["isVpn"], subnetFlags: ["isVpn"] },
  }),
  relay: makeSurvey(V4, {
    ...cloudNet,
    ...vendor("hosting", "NL", { flags: { isHosting: true } }),
    relay_feed: { flags: { isRelay: true }, authority: ["isRelay"] },
  }),
  relay_ipv6: makeSurvey(V6, {
    ...cloudNet,
    ...vendor("hosting", "NL", { flags: { isHosting: true } }),
    relay_feed: { flags: { isRelay: true }, authority: ["isRelay"] },
  }),
  public_proxy: makeSurvey(V4, {
    ...cloudNet,
    ...vendor("hosting", "NL", {
      flags: { isProxy: true, isHosting: true },
      ...attacks(30, "2026-10-30T12:00:00Z"),
    }),
    dronebl: listed("dronebl", "proxy"),
    internetdb: { exposure: { observed: true, ports: [3128], vulns: [] } },
  }),
  tor_ipv6: makeSurvey(V6, {
    ...cloudNet,
    ...vendor("hosting", "NL", { flags: { isTor: true, isHosting: true } }),
    tor_dnsel: { flags: { isTor: true }, authority: ["isTor"] },
  }),
  tor_hearsay: makeSurvey(V4, { ...homeNet, ...vendor("residential", "GB", { flags: { isTor: true } }) }),
  resolver_ipv6: makeSurvey("2001:4860:4860::8888", {
    ...network(64_507, "Example Cloud", "US"),
    ...vendor("hosting", "US", { flags: { isHosting: true, isProxy: true } }),
    infrastructure: { infrastructure: { role: "public_dns_resolver", operator: "Google" } },
    dronebl: listed("dronebl", "abuse"),
  }),
  root_server: makeSurvey("198.41.0.4", {
    ...network(64_508, "Example Registry", "US"),
    ...vendor("business", "US"),
    infrastructure: { infrastructure: { role: "root_server", operator: "Verisign" } },
  }),
  crawler_listed: makeSurvey("66.249.66.1", {
    ...network(64_507, "Example Cloud", "US"),
    ...vendor("hosting", "US", { flags: { isHosting: true } }),
    reverse_dns: {
      flags: { isSearchEngineBot: true },
      authority: ["isSearchEngineBot"],
      reverse: { names: ["crawl-66-249-66-1.googlebot.com"], crawler: "Google" },
    },
    psbl: listed("psbl", "abuse"),
  }),
  bogon_ipv6: makeSurvey("fe80::1", {
    special_purpose: { flags: { isBogon: true }, authority: ["isBogon"] },
  }),
  hijacked: makeSurvey(V4, {
    ...network(64_509, "Example Transit", "SC"),
    ...vendor("business", "SC"),
    netblock_feed: on("netblock_feed", "severe", true),
  }),
  hijacked_hearsay: makeSurvey(V4, {
    ...network(64_509, "Example Transit", "SC"),
    ...vendor("business", "SC"),
    psbl: on("psbl", "severe", false),
  }),
  listed_ipv6_subnet: makeSurvey(V6, {
    ...homeNet,
    ...vendor("residential", "GB"),
    dronebl: near("dronebl"),
    psbl: near("psbl"),
  }),
  vendor_only: makeSurvey(V4, vendor("residential", "GB"), "failed"),
  lists_only: makeSurvey(
    V4,
    {
      spamhaus_dqs: "empty",
      dronebl: "empty",
      spamcop: "empty",
      psbl: "empty",
      blocklist_de: "empty",
      spamrats_dyna: "empty",
    },
    "failed",
  ),
  unknown_use: makeSurvey(V4, {
    ...network(64_510, "Example Ltd", "GB"),
    ...vendor("unknown", "GB"),
  }),
  ai_partial: makeSurvey(V4, {
    ...network(64_501, "Example Broadband Ltd", "VE"),
    ...vendor("residential", "VE"),
  }),
  ai_unclear: makeSurvey(V4, {
    ...network(64_501, "Example Broadband Ltd", "NI"),
    ...vendor("residential", "NI"),
  }),
  ai_disputed: makeSurvey(V4, {
    ...network(64_501, "Example Broadband Ltd", "JP"),
    geo_country: { geo: { country: "CN" } },
    ...vendor("residential", "JP"),
  }),
  ai_macao: makeSurvey(V4, {
    ...network(64_501, "Example Broadband Ltd", "MO"),
    ...vendor("residential", "MO"),
  }),
} as const satisfies Record<string, Survey>;

export const ARCHETYPES = { ...SURVEYS, ...MORE };
export type ArchetypeId = keyof typeof ARCHETYPES;

export const TITLES: Readonly<Record<ArchetypeId, string>> = {
  home: "a home line",
  home_ipv6: "a home line over IPv6",
  home_listed_once: "a home line on one list",
  home_infected: "a home line with an infected machine",
  home_fading: "a home line whose attacks ended three weeks ago",
  home_forgotten: "a home line whose attacks ended long ago",
  home_broadcast: "a home line in address space of another country",
  home_shared: "a home line behind carrier-grade NAT, on a list",
  residential_proxy: "a home line that one vendor classifies as a proxy",
  residential_proxy_agreed: "a residential proxy that several sources report",
  mobile: "a mobile line behind carrier-grade NAT",
  mobile_clean: "a mobile line without reports",
  mobile_ipv6: "a mobile line over IPv6",
  mobile_proxy: "a mobile proxy",
  office: "an office",
  office_ipv6: "an office over IPv6",
  university: "a university",
  university_tor: "a Tor exit at a university",
  government: "a ministry",
  cloud: "a rented virtual machine",
  cloud_ipv6: "a rented virtual machine over IPv6",
  cloud_vulnerable: "a virtual machine with many vulnerabilities",
  cloud_spammer: "a virtual machine on five lists",
  five_lists_only: "an office on five lists",
  vpn: "an exit of a known VPN service",
  vpn_hearsay: "an office that one vendor classifies as a VPN",
  vpn_no_operator: "a VPN exit without a known operator",
  vpn_own_list: "a VPN exit by its operator's own list",
  vpn_abused: "a VPN exit that attacks",
  vpn_at_home: "a VPN exit on a home network",
  vpn_ipv6_subnet: "a VPN that is known for the /64 only",
  relay: "a privacy relay",
  relay_ipv6: "a privacy relay over IPv6",
  public_proxy: "a public proxy",
  tor: "a Tor exit",
  tor_ipv6: "a Tor exit over IPv6",
  tor_hearsay: "a home line that one vendor classifies as a Tor exit",
  resolver: "a public resolver",
  resolver_ipv6: "a public resolver over IPv6",
  root_server: "a root server",
  crawler: "a verified crawler",
  crawler_listed: "a verified crawler on a list",
  botnet: "a botnet controller on an authority's list",
  hijacked: "a netblock that an authority lists as hijacked",
  hijacked_hearsay: "a netblock that one list reports as hijacked",
  listed_ipv6_subnet: "a home line whose /64 is listed",
  bogon: "a private address",
  bogon_ipv6: "a link-local address",
  silent: "a server when most sources fail",
  down: "an address when every live source fails",
  offline: "an address known from tables alone",
  vendor_only: "an address that only a vendor reports on",
  lists_only: "an address that only lists report on",
  unknown_use: "a network with an unknown use",
  ai_partial: "a home line where some AI vendors are absent",
  ai_unclear: "a home line in a country that is unclear for an AI vendor",
  ai_disputed: "a home line that sources place in two countries",
  ai_macao: "a home line in Macao",
};
