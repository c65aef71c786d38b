import type { MethodTexts } from "../method_texts.ts";

const percent = (share: number) => `${Math.round(share * 100)}%`;

/** English texts of the page that documents the scoring method. */
export const methodEn: MethodTexts = {
  title: "How the score is made",
  link: "How these points are computed: the method",
  version: (version) => `Scoring version ${version}`,
  description:
    "How limpid scores an IP address: every rule, weight, cap, minimum risk, half-life, band, use-case table and data provider, in the open.",
  lead: [
    () =>
      "This page is generated from the tables that compute the score, so its numbers are the numbers in use.",
    () =>
      "Purity = 100 − risk, rounded. Risk is the sum of all deductions minus what is added back, capped at 0-100, and never below the highest minimum risk among the deductions. A report shows every item, so anyone can repeat the sum.",
    () =>
      "No country or region costs points. A source that does not answer neither costs nor earns points; it lowers confidence.",
  ],
  contents: "Contents",
  exampleTitle: "An example",
  exampleLead:
    "An address: two independent providers report a VPN exit, one reports a data centre, and the blocklist of one provider lists it.",
  exampleWhy: { full: "2 providers, in full", lone: "only 1 provider, by half", list: "1 provider" },
  table: "Details and table",
  more: "Details",
  olderVersions: "Earlier versions",
  rulesTitle: "Rules and weights",
  rulesLead:
    "A bar shows the most points that a rule deducts, of 100, with its steps; green adds back, grey is a cap. Open a rule for its meaning and all its numbers.",
  rules: {
    bogon:
      "Private, reserved, documentation and other special-purpose space: purity does not apply, and no other rule counts.",
    tor_exit: "An exit of the Tor network. The minimum risk applies only when the rule counts in full.",
    proxy: "The exit of a public or residential proxy.",
    vpn: "The exit of a VPN; the operator is named where known.",
    relay: "The exit of a privacy relay (such as iCloud Private Relay), with many real users behind it.",
    hosting:
      "The network of a data centre or cloud. That is not a fault in itself, but few people browse from there.",
    usage_unknown: "A source that knows the use of networks answered, but does not know the use of this one.",
    broadcast: "Registered in one country and used in another; it does not matter which two they are.",
    botnet_controller:
      "Listed as the controller of a botnet. The minimum risk applies only when the rule counts in full.",
    severe_listing:
      "The netblock is listed as hijacked or run by criminals. The minimum risk applies only when the rule counts in full.",
    blocklists:
      "Lists that accuse the address of abuse, counted by data provider (further lists of one provider count less, see below); the step of a single provider is already halved. A code that its list does not document costs extra, once per provider and at most twice.",
    abuse_score:
      "The score of an abuse-report source: the highest after the reduction by age. Such a score already sums up many reporters, so one source is enough.",
    attack_history:
      "The attacks on record at the source that costs most after the reduction by age. Sources see the same attacks, so they are not added up.",
    exposed_vulnerabilities:
      "Known vulnerabilities seen by public scans. Scanners infer them from versions and do not verify them, so they weigh little.",
    open_ports:
      "Ports that proxies or VPNs usually use are open, or ports of remote administration outside data centres: a weak hint.",
    shared_address: "Devices seen on the address; nothing on mobile lines and public services.",
    anonymity_cap: "The most that anonymity deducts; the rest is added back.",
    network_cap: "The most that the network deducts; the rest is added back.",
    lists_cap: "The most that blocklists deduct; the rest is added back.",
    abuse_cap: "The most that abuse deducts; the rest is added back.",
    exposure_cap: "The most that ports and vulnerabilities deduct; the rest is added back.",
    shared_line_relief:
      "On mobile lines, or lines that many people share, this part of the deductions for blocklists and abuse is added back.",
    residential_agreement:
      "At least two independent data providers report a home line, at least one of them directly; no source reports an exit such as a proxy, and no list accuses the address.",
    verified_crawler:
      "A search-engine crawler confirmed by its operator's list or by reverse and forward DNS: this part of the deductions for anonymity and the network is added back.",
    public_infrastructure:
      "A public DNS resolver or root server, not an address anyone browses from: this part of the deductions for anonymity, network, blocklists and abuse is added back. A minimum risk still applies.",
    carried_fading:
      "When a source does not answer, its earlier findings still count, but for fewer points as time passes. The difference is added back here.",
    not_obtained:
      "What is unknown is neutral. Points above 50 count in proportion to the part of the planned data that was obtained: the smallest of the coverage in all, of anonymity and of blocklists. An address with 50 points or fewer is not changed.",
  },
  points: (points) => `${points} points`,
  pointsBack: (points) => `${points} points added back`,
  floor: (floor) => `minimum risk ${floor}`,
  least: (points) => `at least ${points} points, also after relief`,
  cap: (cap) => `at most ${cap} points`,
  counted: ({ least, enough, most }) =>
    `below ${percent(enough)} points above 50 count in part (${percent(least)} of them at 0%), and the score is at most ${most}`,
  share: (share) => `${percent(share)} added back`,
  step: (from, points, measure) => `${measure} ≥ ${from}: ${points} points`,
  measures: {
    blocklists: "providers that list it",
    abuse_score: "score",
    attack_history: "attacks",
    exposed_vulnerabilities: "vulnerabilities",
    shared_address: "devices",
  },
  weighingTitle: "How evidence is weighed",
  weighing: [
    ({ loneShare }) =>
      `Independent data providers count, not sources. What only 1 provider reports counts ${percent(loneShare)}; from 2 on it counts in full.`,
    () =>
      "An authority (the Tor Project on its own exits, for example) counts in full alone; the report says so.",
    ({ subnetShare }) =>
      `What is known only of the /64 network around an IPv6 address, not of the address itself, counts ${percent(subnetShare)} of that; the report says so.`,
    ({ halfLifeDays, forgottenDays }) =>
      `Reports with a date lose half their weight every ${halfLifeDays} days and all of it after ${forgottenDays} days. Reports without a date count in full.`,
    ({ furtherList }) =>
      `Blocklists are counted by provider. The first list of a provider counts as one. Each further list of the same provider adds ${percent(furtherList)}, and all of them together add at most one. Some lists only say how many other lists name the address; such a list counts as that number minus one, and as five from five on. Between two steps the points rise in proportion.`,
    ({ carried }) =>
      `When a source does not answer a refresh, its earlier findings against the address stay, with their date. They count in full at first, lose half their weight every ${carried.halfLifeDays} days and all of it after ${carried.days} days, and end when the source answers.`,
    () => "Every amount is rounded to half points; the sum uses the amounts that are shown.",
  ],
  bandsTitle: "Bands of purity",
  confidenceTitle: "Confidence",
  confidence: [
    ({ confidence }, evidenceKinds) =>
      `High: by weight, at least ${percent(confidence.high)} of the planned sources answered; so did at least one source on each of ${evidenceKinds.join(", ")}, and at least one blocklist that is queried live (downloaded lists alone are not enough). The coverage of each kind of data that can cost points is at least ${percent(confidence.kind)}, and no finding is only kept from an earlier check.`,
    ({ confidence }) =>
      `Medium: at least ${percent(confidence.medium)} answered, and with it a source on anonymity or blocklists.`,
    () =>
      "Low: anything less, and always when no live source answered. The verdict then says how many answered.",
    ({ confidence }) =>
      `Blocklists count as checked when at least 1/${confidence.listsOneIn} of the planned ones answered.`,
    ({ confidence }) =>
      `Old data, in a downloaded list or a built-in table, counts for ${percent(confidence.ageing)} of its weight.`,
    () =>
      "A stored report past its staleness threshold is shown with its confidence one step lower, high as medium and medium as low. Age alone never changes the purity.",
  ],
  evidenceKinds: {
    network: "network",
    location: "location",
    registry: "registration",
    anonymity: "anonymity",
    lists: "blocklists",
    abuse: "abuse",
    exposure: "ports and vulnerabilities",
  },
  rangeTitle: "Coverage and range",
  range: [
    () =>
      "Coverage is the share of the planned data that was obtained, by the weight of the sources: in all, and by kind. Sources that are turned off count as not obtained.",
    () =>
      "The range is a statistic: with all data, the purity of 95% of the labelled addresses of the same kind (the first row that is known, else the kind of network) is not below its low end. The high end is the purity without the rule for data that is not obtained. The table shows how many points each kind of data can still deduct when all of it is missing; when only a part is missing, it can deduct that part of the points, and more of an address that is already accused. All kinds together deduct at most the last column, and no category goes over its cap. When nothing is missing, both ends of the range are the purity.",
    () =>
      "The points are measured on public lists of known addresses, which contain many more exits and attackers than the Internet does, so the low end is a cautious one.",
  ],
  kindOfAddress: "Kind of address",
  rangeKinds: { tor: "Known Tor exit", vpn: "Known VPN or proxy", listed: "On a blocklist" },
  together: "all together",
  scenariosTitle: "Use cases",
  scenarios: [
    () =>
      "Each of the six uses has its own table; its score is not the purity under another name. Every row takes points from 100. The IP type and the kind of exit often describe the same machine, so the smaller of the two counts by half. Of several kinds of exit the one that costs most counts, weighed as above.",
    ({ criticalListing, maxScores }) =>
      `A botnet controller or a criminal netblock costs every use ${criticalListing} points. When no source on anonymity or blocklists answered, a score is at most ${maxScores.withoutCore}; when only the one that this use requires is missing, at most ${maxScores.withoutNeeded}.`,
  ],
  reading: "Item",
  readings: {
    tor: "Tor exit",
    proxy: "Proxy",
    vpn: "VPN",
    relay: "Privacy relay",
    broadcast: "Broadcast address",
    lists: "Listed by 1 / 2 / 3 or more providers",
    policy: "Declared as space that should not send mail",
    abuse: "Abuse at its cap (in proportion below it)",
    shared: "Devices at the highest step (half at a lower one)",
    needs: "Required data",
  },
  levelsTitle: "Levels of use cases",
  regionsTitle: "Regions of services",
  regions: [
    () =>
      `By the regions that services publish, each with the date of its list; a service without such a list is left out. Most publish where they are offered, so "not listed" means only that. Hong Kong and Macao are judged on their own; other territories follow their country.`,
    ({ maxScores }) =>
      `Listed by none of at least two services: restricted, without a score. Not listed by some, or placed by sources in countries that differ in this: at most ${maxScores.regionPartial}. Not confirmed: at most ${maxScores.regionUnclear}.`,
  ],
  vendor: "Service",
  use: "Use",
  listed: "Date of the list",
  unsupported: "Not listed",
  unclear: "Not confirmed",
  none: "none",
  accuracyTitle: "How often it is right",
  accuracyLead: ({ date, independent }) =>
    `Measured on ${date} on public sets of addresses whose truth is known, by the local tables alone. Left out are rows in a list that ships with the program, which would only be repeated, and ordinary rows of networks that call themselves a data centre. The independent figures of ${independent.date} come from rows kept apart from the project.`,
  notMeasurable: [
    "Residential proxies cannot be measured: no public set names them.",
    "Business lines cannot be measured: no public set separates them from homes.",
    "What reports of abuse are worth cannot be measured: nobody publishes which of them are true.",
  ],
  ownMeasurement: ({ date, version, measured }) =>
    `Own measurement, ${date}, version ${version}, ${measured.rows} addresses`,
  independent: ({ independent: { date, version } }) => `Independent figures, ${date}, version ${version}`,
  measuredItem: "What",
  found: "Found (95% interval), rows",
  rightWhenSaid: "Right when said",
  falseAlarms: "False alarms",
  bandsAreBad: "Share of each band that is an exit or on a list",
  isBad: "Is bad",
  sourcesAgree: "Sources that agree on a kind of exit",
  isTrue: "Is true",
  calibration: (error) =>
    `Expected calibration error of the purity: ${error.toFixed(3)}. The sets contain far more exits than the Internet does, and without live sources every purity stays near neutral.`,
  rows: "Rows",
  byTables: "Tables alone",
  byLists: "With lists",
  accuracyItems: { tor: "Tor exit", vpn: "VPN", listed: "On a blocklist" },
  independentItems: {
    hosting: "Hosting found",
    hosting_outside: "Hosting found, outside all lists that ship",
    vpn: "VPN servers found",
    vpn_outside: "VPN servers found, outside all lists that ship",
    vpn_old: "VPN servers of 2023 found",
    tor: "Tor exits found",
    relay: "Privacy relay found",
    crawler: "Crawlers found",
    proxy: "Open proxies found",
    ordinary_exit: "Ordinary networks called an exit",
    ordinary_hosting: "Ordinary networks called hosting",
    as_type: "AS numbers with the right type",
    as_type_wrong: "AS numbers with a wrong type",
    well_known: "Well-known addresses right",
    listed_neutral: "On five or more lists, purity 50 or more",
    host_name: "Host names with the right type",
    host_name_wrong: "Host names with a wrong type",
  },
  sourcesTitle: "Data providers and sources",
  sources:
    "Sources of one provider use the same data and count as one. Weights only measure how much answered; they do not change deductions.",
  family: "Provider",
  members: "Sources (weight)",
  covers: "Covers",
  kinds: { free: "public", commercial: "commercial" },
  changesTitle: "Changes of the rules",
  changes: {
    first_rules: "The first set of rules.",
    lists_weigh_more:
      "Every step of the blocklists weighs more, four and five providers have their own steps, and the cap rose from 35 to 55: an address on one list should not be called pristine, and one on five independent lists not clean. The tables of the use cases followed.",
    agreed_vpn_not_clean:
      "VPN rose from 30 to 32 points: an exit that two independent sources call a VPN should not be called clean.",
    infrastructure_in_full:
      "Public resolvers and root servers get anonymity and network points back as well: nobody browses from them.",
    subnet_by_half: "What is known only of the same IPv6 /64 counts by half, and the report says so.",
    verdict_tells_thinness:
      "With low confidence the verdict says how many sources answered. It also says when only one source reports a fact, or when only the /64 is known. Scores did not change.",
    remote_access_ports:
      "SSH, Telnet, Remote Desktop and VNC (22, 23, 3389, 5900) count as open ports on addresses that are not in a data centre.",
    regions_by_vendor:
      'AI regions are judged for each vendor: "offered by some only", "not confirmed" and "sources disagree" each have a text and a limit. Every use gives at least two reasons when there are two.',
    calibrated:
      "Tor exits went from 60 to 62 points, and their cap with them, so that an exit reported by one source alone is no longer clean; data centres from 20 to 22, so that none is pristine. Residential agreement adds nothing back when a list accuses the address. High confidence needs a blocklist that is queried live.",
    range_by_coverage: "A report shows the coverage and a range of purity.",
    lists_by_voices:
      "A list that counts other lists stands for as many providers as it says, up to four, and further lists of one provider count a little. Before, an address on eight lists could count as one.",
    consensus_is_authority:
      "The Tor consensus is an authority on exits, as the exit lists are: an exit that it names is suspicious at best, on IPv4 and IPv6. Downloaded lists of exits count in the coverage of anonymity.",
    accusations_carried:
      "Findings against an address stay, and fade, when their source does not answer a refresh. High confidence needs a coverage of half of each kind of data that can cost points.",
    undocumented_codes:
      "Return codes that a blocklist does not document, and 127.0.0.1, cost no points: the list counts as not answered.",
    unknown_is_neutral:
      "Points above 50 count in proportion to the coverage. Before, an address about which nothing was obtained had 100 points.",
    agreed_proxy_suspicious:
      "A proxy that two providers report is suspicious at best: 56 points instead of 40.",
    listed_not_pristine: "An address on a blocklist is never pristine.",
    five_lists_count: "A list that counts other lists stands for up to five providers; before, four.",
    regions_by_use: "Streaming, social media and shopping follow published regions too.",
    range_by_kind: "Tor exits, VPNs and proxies, and listed addresses have a range of their own.",
    medium_needs_anonymity: "Medium confidence needs an answer on anonymity.",
    outvoted_hosting:
      "One provider alone does not make a network a data centre if two others report another use.",
    age_lowers_confidence:
      "Old lists and tables count for half in coverage, and a stored report past its staleness threshold is shown with its confidence one step lower. Scores did not change.",
  },
};
