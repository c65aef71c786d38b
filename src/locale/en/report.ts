import type { Data, Flag } from "#report";
import { BAND_THRESHOLDS } from "#scoring";
import { factList, factText, findNumber, findText, nameById, nameCountry } from "../facts.ts";
import { namesOf } from "../names.ts";
import type { PlainTexts, ReportTexts, Sentence } from "../report_texts.ts";

const OTHER_PURPOSE = "set aside for a special purpose";
const PURPOSES = namesOf("purposes", "en");

const OTHER_ROLE = "public service address";
const ROLES: Readonly<Record<string, string>> = {
  public_dns_resolver: "public DNS resolver",
  root_server: "DNS root server",
  crawler: "search-engine crawler",
};

const USAGE_CLAUSES: Readonly<Record<string, string>> = {
  residential: "on a residential network",
  business: "on a business network",
  hosting: "on a data-centre network",
  mobile: "on a mobile network",
  education: "on an education network",
  government: "on a government network",
  unknown: "on a network of unknown use",
};

/** The kind of evidence of which least was obtained. Absent = all of it. */
const NOT_OBTAINED: Readonly<Record<string, string>> = {
  anonymity: "on anonymity ",
  lists: "on blocklists ",
};

function purposeOf(data: Data): string {
  return nameById(PURPOSES, data, "purpose", OTHER_PURPOSE);
}

function roleOf(data: Data): string {
  return nameById(ROLES, data, "role", OTHER_ROLE);
}

function country(data: Data, key: string): string {
  return nameCountry(factText(data, key), "en");
}

function countOf(data: Data, key: string, one: string, many: string): string {
  return `${factText(data, key)} ${findNumber(data, key) === 1 ? one : many}`;
}

/** The sources that report a flag, and why they count in full or by half. */
function flagDetail(what: string): Sentence {
  return (data) => {
    const agreement = findNumber(data, "agreement");
    const counted = agreement === undefined || agreement === 1 ? "" : ` (${agreement} independent sources)`;
    const lone = agreement === 1 ? " Only 1 independent source says so, so it counts by half." : "";
    return `${what}. Reported by: ${factText(data, "reporters")}${counted}.${lone}${authorityNote(data)}${subnetNote(data)}`;
  };
}

function authorityNote(data: Data): string {
  return findText(data, "authoritative") === undefined
    ? ""
    : " One of them is an authority, which alone counts as two.";
}

function subnetNote(data: Data): string {
  return findText(data, "subnet") === undefined
    ? ""
    : " Known only of the same /64 network, so it counts by half.";
}

/** The lists of a severe listing, and why they count in full or by half. */
function severeListingDetail(what: string): Sentence {
  return (data) => {
    const isLone = findText(data, "lone") !== undefined;
    const lone = isLone
      ? " Only 1 independent list says so, so it counts by half and sets no minimum risk."
      : "";
    return `${what}: ${factText(data, "lists")}.${lone}${authorityNote(data)}${subnetNote(data)}`;
  };
}

/** The other sources whose score costs points. */
function alsoNote(data: Data): string {
  const by = factList(data, "by");
  const others = factList(data, "sources").filter((source) => !by.includes(source));
  return by.length === 0 || others.length === 0 ? "" : ` Lower scores: ${others.join(", ")}.`;
}

/** How many points an old report had when it was new. */
function fadingNote(data: Data): string {
  const full = findText(data, "full");
  if (full === undefined) return "";
  const subnet = subnetNote(data);
  return findNumber(data, "ageDays") === undefined
    ? subnet
    : `${subnet} The record that costs most is ${countOf(data, "ageDays", "day", "days")} old; a new one costs ${full} points.`;
}

/** Appends what follows from a finding, and what makes it uncertain: one source only, a /64 only, or few answers. */
function withReservations(finding: Sentence, consequence = ""): Sentence {
  return (data) => {
    const isSevere = ["risky", "dangerous"].includes(factText(data, "band"));
    const follows = isSevere ? " Most platforms restrict or block it." : consequence;
    const lone = findText(data, "lone") === undefined ? "" : " Only 1 independent source says so.";
    const subnet = findText(data, "subnet") === undefined ? "" : " Known only of the same /64 network.";
    const near = findText(data, "near");
    const nearby = near === undefined ? "" : ` Of these, ${near} list only the same /64 network.`;
    return `${finding(data)}${follows}${lone}${subnet}${nearby}${coverageNote(data)}${rangeNote(data)}`;
  };
}

function usually(low: number): string {
  return `usually not below ${low} (95 % of such addresses)`;
}

/** The coverage, and the low end of the range. */
function rangeNote(data: Data): string {
  const percent = findText(data, "percent");
  if (percent === undefined) return "";
  const [low, purity] = [findNumber(data, "low") ?? 0, findNumber(data, "purity") ?? 0];
  return ` Coverage is only ${percent}%${low < purity ? `: purity is ${usually(low)}` : ""}.`;
}

/** Appends the range only, because the verdict itself tells how many sources answered. */
function withRange(verdict: Sentence): Sentence {
  return (data) => `${verdict(data)}${rangeNote(data)}`;
}

function coverageNote(data: Data): string {
  const thin = findText(data, "thin");
  if (thin === undefined) return "";
  if (thin === "tables")
    return " No live source answered; this conclusion rests on local data alone, so confidence is low.";
  return thin === "core"
    ? ` ${answeredCount(data)}, and hardly any on proxies or blocklists, so confidence is low.`
    : ` ${answeredCount(data)}, so confidence is low.`;
}

function capDetail(what: string): Sentence {
  return (data) =>
    `Deductions for ${what} cost at most ${factText(data, "cap")} points together; the other ${factText(data, "over")} are added back, so that one fact is not charged twice.`;
}

function answeredCount(data: Data): string {
  return `${factText(data, "sourcesAnswered")} of ${countOf(data, "sourcesAsked", "source", "sources")} answered`;
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const FLAG_NAMES = {
  isProxy: "Proxy",
  isVpn: "VPN",
  isTor: "Tor exit",
  isHosting: "Hosting",
  isMobile: "Mobile",
  isRelay: "Privacy relay",
  isBogon: "Special-purpose address",
  isSearchEngineBot: "Search-engine crawler",
} satisfies Record<Flag, string>;

function nameFlags(data: Data): string {
  return factList(data, "flags")
    .map((flag) => FLAG_NAMES[flag as Flag] ?? flag)
    .join(", ");
}

/** English texts of the report, in every format. */
export const reportEn: ReportTexts = {
  factors: {
    bogon: {
      label: "Special-purpose address",
      detail: (data) =>
        `Part of ${factText(data, "block")}: ${purposeOf(data)}. It is not an ordinary public address, so purity does not apply.`,
    },
    tor_exit: {
      label: "Tor exit node",
      detail: flagDetail("The address is an exit of the Tor network, which anyone can use anonymously"),
    },
    proxy: { label: "Proxy", detail: flagDetail("The address is reported as a proxy exit") },
    vpn: {
      label: "VPN",
      detail: (data) => {
        const operator = findText(data, "operator");
        return flagDetail(
          operator === undefined
            ? "The address is reported as a VPN exit"
            : `The address is reported as a VPN exit of ${operator}`,
        )(data);
      },
    },
    relay: {
      label: "Privacy relay",
      detail: flagDetail(
        "The address is an exit of a privacy relay (such as iCloud Private Relay), shared by many real users",
      ),
    },
    hosting: {
      label: "Data-centre address",
      detail: flagDetail(
        "The address belongs to a data centre or cloud provider, not to a home or mobile network",
      ),
    },
    usage_unknown: {
      label: "Use unknown",
      detail: () => "No source knows what the network is used for; this counts as a small risk.",
    },
    broadcast: {
      label: "Broadcast address",
      detail: (data) =>
        `Registered in ${country(data, "registered")} but used in ${country(data, "located")}, so it is not native.`,
    },
    blocklists: {
      label: "On blocklists",
      detail: (data) =>
        `Listed by ${factText(data, "listed")} of ${countOf(data, "answered", "blocklist that answered", "blocklists that answered")}: ${factText(data, "lists")}.${factList(data, "near").length === 0 ? "" : ` Of these only the same /64 network is listed, which counts by half, by: ${factText(data, "near")}.`}${factList(data, "elsewhere").length === 0 ? "" : ` Counted as Tor, VPN or proxy and not here: ${factText(data, "elsewhere")}.`}`,
    },
    severe_listing: {
      label: "Hijacked or criminal netblock",
      detail: severeListingDetail("The surrounding netblock is listed as hijacked or run by criminals"),
    },
    botnet_controller: {
      label: "Botnet controller",
      detail: severeListingDetail("Listed as a command server (C2) of a botnet"),
    },
    abuse_score: {
      label: "Abuse score",
      detail: (data) =>
        `The highest abuse score is ${factText(data, "score")} out of 100, given by ${findText(data, "by") ?? factText(data, "sources")}.${alsoNote(data)}${fadingNote(data)}`,
    },
    attack_history: {
      label: "Attack history",
      detail: (data) =>
        `${countOf(data, "total", "attack", "attacks")} from this address on record${factList(data, "sources").length > 1 ? " at one source; on record at" : ""}: ${factText(data, "sources")}.${fadingNote(data)}`,
    },
    exposed_vulnerabilities: {
      label: "Known vulnerabilities exposed",
      detail: (data) =>
        `Public scans found ${countOf(data, "count", "known vulnerability", "known vulnerabilities")} on this address (inferred from versions, not verified).`,
    },
    open_ports: {
      label: "Proxy or remote-access ports open",
      detail: (data) => `These proxy, VPN or remote-access ports answer: ${factText(data, "ports")}.`,
    },
    shared_address: {
      label: "Shared by many devices",
      detail: (data) =>
        `About ${countOf(data, "address", "device was", "devices were")} observed on this address.`,
    },
    anonymity_cap: { label: "Cap on anonymity", detail: capDetail("anonymity") },
    network_cap: { label: "Cap on network", detail: capDetail("the network") },
    lists_cap: { label: "Cap on blocklists", detail: capDetail("blocklists") },
    abuse_cap: { label: "Cap on abuse", detail: capDetail("abuse") },
    exposure_cap: {
      label: "Cap on ports and vulnerabilities",
      detail: capDetail("ports and vulnerabilities"),
    },
    shared_line_relief: {
      label: "Shared-line relief",
      detail: () =>
        "On mobile or shared lines a report may concern another user, so deductions for abuse and blocklists are halved.",
    },
    residential_agreement: {
      label: "Agreed to be residential",
      detail: (data) =>
        `Several independent sources agree that the network is residential: ${factText(data, "reporters")}.`,
    },
    verified_crawler: {
      label: "Verified search-engine crawler",
      detail: (data) =>
        `A crawler of ${factText(data, "operator")}, confirmed by its operator's list or by reverse and forward DNS. Deductions for anonymity and hosting are added back.`,
    },
    public_infrastructure: {
      label: "Public infrastructure",
      detail: (data) =>
        `A ${roleOf(data)} of ${factText(data, "operator")}: not an address anyone browses from, and often reported or listed by mistake. Deductions for anonymity, network, blocklists and abuse are added back.`,
    },
    carried_fading: {
      label: "Earlier findings count less",
      detail: (data) =>
        `These sources have not answered for ${countOf(data, "days", "day", "days")}: ${factText(data, "sources")}. Their findings of ${factText(data, "since")} or later still count, but for fewer points as time passes. The difference is added back here.`,
    },
    bounds: {
      label: "Capped at 0-100",
      detail: () => "All points together count from 0 to 100. What is beyond that does not count.",
    },
    floor: {
      label: "Minimum risk that nothing offsets",
      detail: () => "The highest minimum risk is more than all points together, so it counts in their place.",
    },
    rounding: { label: "Rounding", detail: () => "Purity is a whole number." },
    not_obtained: {
      label: "Not enough data",
      detail: (data) =>
        `Coverage ${NOT_OBTAINED[factText(data, "kind")] ?? ""}is ${factText(data, "obtained")}%. What is unknown is neutral, so points above 50 count in part; without this the score would be ${factText(data, "without")}.`,
    },
  },
  categories: {
    special: "Special address",
    anonymity: "Anonymity",
    network: "Network",
    location: "Location",
    lists: "Blocklists",
    abuse: "Abuse",
    exposure: "Ports and vulnerabilities",
    sharing: "Sharing",
    relief: "Relief",
    adjustment: "Limits and rounding",
    coverage: "Coverage",
  },
  bands: {
    pristine: "Pristine",
    clean: "Clean",
    neutral: "Neutral",
    suspicious: "Suspicious",
    risky: "Risky",
    dangerous: "Dangerous",
  },
  usages: {
    residential: "Residential",
    business: "Business",
    hosting: "Hosting (data centre)",
    mobile: "Mobile",
    education: "Education",
    government: "Government",
    unknown: "Unknown",
  },
  asKinds: {
    vpn: "VPN service",
    vpn_host: "Hosting, often rented by VPN services",
    tor: "Operates Tor relays",
    hosting: "Hosting",
    cdn: "Content delivery network",
    gateway: "Corporate web gateway",
    business: "Company or organisation",
    education: "Education and research",
    government: "Government",
    mobile: "Mobile carrier",
    isp: "Internet access provider",
    satellite: "Satellite network",
    carrier: "Transit carrier",
  },
  nativeReasons: {
    special: "Special-purpose space has no country.",
    infrastructure: "A public service is used from many countries.",
    anycast: "The address is announced from many places at once (anycast).",
    satellite: "A satellite network serves users far from where its addresses are registered.",
    not_registered: "No source that answered knows the country of registration.",
    not_located: "No source that answered knows the country of use.",
    disputed: "Sources name different countries of use, none of them more often than the others.",
  },
  natives: { native: "Native", broadcast: "Broadcast", unknown: "Unknown" },
  flags: FLAG_NAMES,
  confidences: { low: "Low", medium: "Medium", high: "High" },
  scenarios: {
    ai: "AI services",
    social: "Social sign-up",
    streaming: "Streaming",
    gaming: "Gaming",
    ecommerce: "Cross-border e-commerce",
    email: "E-mail sending",
  },
  levels: {
    excellent: "Excellent",
    good: "Good",
    fair: "Fair",
    poor: "Poor",
    unusable: "Unusable",
    restricted: "Restricted region",
    not_applicable: "Not applicable",
  },
  tiers: { fresh: "live survey", cache: "memory cache", store: "database" },
  kinds: { free: "Public", commercial: "Commercial" },
  reasons: {
    usage: (data) => nameById(USAGE_CLAUSES, data, "usage", factText(data, "usage")),
    tor_exit: () => "a Tor exit that most platforms block",
    proxy: () => "reported as a proxy",
    vpn: () => "reported as a VPN exit",
    relay: () => "an exit of a privacy relay",
    hosting: () => "inside a data-centre range",
    broadcast: () => "registered in one country but used in another",
    native: () => "registered where it is used",
    listed: (data) =>
      `listed by ${factText(data, "listed")} of ${countOf(data, "answered", "blocklist that answered", "blocklists that answered")}`,
    not_listed: () => "not listed by the blocklists that answered",
    policy_listed: (data) =>
      `declared as end-user space that should not send mail directly (${factText(data, "lists")})`,
    severe_listing: () => "inside a hijacked or criminal netblock",
    botnet_controller: () => "listed as a botnet controller",
    abused: () => "with abuse or attacks on record",
    shared: (data) => `shared by about ${countOf(data, "address", "device", "devices")}`,
    thin_evidence: () => "with few answers to go by",
    no_signals: () => "without a risk signal from the sources that answered",
    restricted: (data) =>
      `${country(data, "country")} is not among the supported regions published by ${factText(data, "vendors")} (as of ${factText(data, "asOf")})`,
    region_partial: (data) =>
      `in ${country(data, "country")}, which is not among the supported regions published by ${factText(data, "vendors")} (as of ${factText(data, "asOf")})`,
    region_unclear: (data) =>
      `in ${country(data, "country")}, whose support by ${factText(data, "vendors")} could not be confirmed (as of ${factText(data, "asOf")})`,
    region_uncertain: (data) =>
      `placed by sources in different countries (${factList(data, "countries")
        .map((code) => nameCountry(code, "en"))
        .join(", ")}) which services treat differently (as of ${factText(data, "asOf")})`,
    bogon: (data) => `a special-purpose address, not an address anyone browses from: ${purposeOf(data)}`,
    infrastructure: (data) =>
      `a public service address of ${factText(data, "operator")}, not an address anyone browses from`,
    crawler: (data) => `a crawler of ${factText(data, "operator")}, not an exit of ordinary users`,
  },
  joinReasons: (clauses) => {
    const last = clauses.at(-1);
    if (last === undefined) return "No single fact stands out.";
    if (clauses.length === 1) return `${capitalise(last)}.`;
    const joint = clauses.length === 2 ? " and " : ", and ";
    return `${capitalise(clauses.slice(0, -1).join(", "))}${joint}${last}.`;
  },
  verdicts: {
    bogon: (data) =>
      `${factText(data, "block")} is special-purpose space (${purposeOf(data)}), not an address anyone browses from.`,
    infrastructure: (data) =>
      `A ${roleOf(data)} of ${factText(data, "operator")}: public infrastructure, not an address anyone browses from.`,
    crawler: (data) =>
      `A search-engine crawler of ${factText(data, "operator")}, confirmed by its operator's list or by reverse and forward DNS; not an exit of ordinary users.`,
    botnet_controller: withReservations(() => "Listed as a botnet controller: best avoided."),
    severe_listing: withReservations(
      () => "Inside a netblock listed as hijacked or run by criminals: best avoided.",
    ),
    tor_exit: withReservations(
      () => "A Tor exit that anyone can use anonymously.",
      " Most platforms restrict or block it.",
    ),
    proxy: withReservations(
      () => "Reported as a proxy exit.",
      " Platforms usually challenge or block such addresses.",
    ),
    vpn: withReservations((data) => {
      const operator = findText(data, "operator");
      return `Reported as a VPN exit${operator === undefined ? "" : ` (${operator})`}.`;
    }, " Platforms may ask for extra verification."),
    relay: withReservations(
      () =>
        "The exit of a privacy relay shared by many real users; the address says little about any one of them.",
    ),
    listed: withReservations(
      (data) =>
        `Listed by ${factText(data, "listed")} of ${countOf(data, "answered", "blocklist that answered", "blocklists that answered")}.`,
    ),
    abused: withReservations(
      () => "Abuse or attacks are on record.",
      " Some platforms may restrict it for that.",
    ),
    hosting: withReservations(
      () => "A data-centre address.",
      " That is not a fault in itself, but many platforms are stricter with such ranges.",
    ),
    minor_signals: withRange((data) => `${answeredCount(data)}, only minor risk seen.`),
    no_signals: withRange(
      (data) => `${answeredCount(data)}, no risk seen; this does not prove that the address is clean.`,
    ),
    unheard: withRange((data) =>
      findText(data, "thin") === "tables"
        ? "No live source answered; local data alone is too little for a conclusion."
        : `${answeredCount(data)}, and hardly any on proxies or blocklists: too little for a conclusion.`,
    ),
  },
  otherVerdict: (data) => `${answeredCount(data)}; the deductions show the conclusion.`,
  notes: {
    bogon: (data) =>
      `${factText(data, "block")} is special-purpose space (${purposeOf(data)}); use cases do not apply.`,
    infrastructure: (data) =>
      `This is a ${roleOf(data)} of ${factText(data, "operator")}: it serves the public and is not an address anyone browses from, so use cases do not apply.`,
    crawler: (data) =>
      `This is a crawler of ${factText(data, "operator")} and not the exit of any user, so use cases do not apply.`,
  },
  otherNote: "This is not an address anyone browses from, so use cases do not apply.",
  unknowns: {
    platform_labels: {
      label: "Labels inside a platform's own risk system",
      detail: () =>
        "Only the platform knows how it has marked this address. Try it on the target platform on a small scale first.",
    },
    exclusivity: {
      label: "Whether the address is truly exclusive",
      detail: () =>
        "Who else uses this exit right now cannot be seen from outside. Ask the provider how it is assigned.",
    },
    linked_accounts: {
      label: "Accounts once tied to it",
      detail: () =>
        "Which accounts used this address before, and whether any was banned, cannot be looked up. Ask the provider about its history.",
    },
    device_and_behaviour: {
      label: "Device, browser and behaviour",
      detail: () =>
        "Platforms also judge device fingerprint, browser and behaviour, which the address does not show. Keep the environment stable and genuine.",
    },
    profile_match: {
      label: "Whether the account profile matches",
      detail: () =>
        "Check yourself that country, phone number, payment method, language and time zone of the account fit this address.",
    },
    residential_proxies: {
      label: "Residential proxies: not measured",
      detail: () =>
        "No free source sees homes that let strangers out through their line, and no source with a key that does answered. This says neither yes nor no.",
    },
    unheard_sources: {
      label: "Sources that did not answer this time",
      detail: (data) =>
        `The result of these sources is unknown, which does not mean that nothing is wrong: ${factText(data, "sources")}. They may answer a later check.`,
    },
    carried_accusations: {
      label: "Findings kept from an earlier check",
      detail: (data) =>
        `These sources did not answer this time. Their findings against the address, of ${factText(data, "since")} or later, still count: ${factText(data, "sources")}. They lose weight with time, and end when the source answers.`,
    },
    correction_disputed: {
      label: "Live sources disagree with the operator's correction",
      detail: (data) =>
        `The operator says no to ${nameFlags(data)}, but these live sources say yes: ${factText(data, "sources")}. Their points still count.`,
    },
  },
  runErrors: {
    timeout: "did not answer in time",
    refused: "refused to answer",
    status: "answered with an error status",
    shape: "answered in an unexpected format",
    quota: "query quota used up",
    unavailable: "not available now",
    too_large: "answer exceeds the size limit",
  },
  skips: {
    no_key: "no key configured",
    noncommercial: "for non-commercial use only, not enabled here",
    no_contact: "it requires a contact address, none is configured here",
    turned_off: "turned off on this site",
    live_off: "live queries are turned off on this site",
    version: "does not cover this IP version",
    daily_budget: "today's query budget is used up",
    paused: "paused after repeated failures",
    told_to_wait: "paused, it asked us to wait",
    zone_retired: "failed its self-test (RFC 5782), not trusted for now",
    settled: "not needed, free sources were enough",
  },
  withDetail: (sentence, detail) => `${sentence} (${detail})`,
  noRecord: "no record of this address",
  dataDate: (date) => `data of ${date}`,
  sourceDetails: {
    list_refused: "the list covers implausibly many addresses and is not used",
    "not downloaded yet": "downloading",
    list_missing: "the list could not be downloaded yet",
    "not compiled yet": "downloaded, being prepared",
    list_snapshot: "from the snapshot that ships with the program, because no download can be used",
    list_snapshot_refused:
      "from the snapshot that ships with the program, because the newest version covers implausibly many addresses",
    list_update_refused: "its newest version covers implausibly many addresses, the last good one is used",
  },
  // Details are English already.
  translateDetail: () => undefined,
  joinDetails: (details) => details.join(", "),
  attacks: namesOf("attacks", "en"),
  grades: {
    very_low: "very low",
    low: "low",
    medium: "medium",
    high: "high",
    very_high: "very high",
    none: "none",
  },
  joinItems: (items) => items.join(", "),
  period: ".",
  namePlace: (_country, name) => name,
  labels: {
    title: "IP purity report",
    address: "Address",
    purity: "Purity",
    confidence: "Confidence",
    coverage: "Coverage",
    noScore: "no score",
    verdict: "Verdict",
    surveyed: "Surveyed",
    stale: "old data, a refresh is advised",
    usage: "IP type",
    native: "Native type",
    flags: "Flags",
    noFlags: "No flags",
    network: "Network",
    hostname: "Host name",
    location: "Location and network",
    place: "Location",
    country: "Country",
    claims: "Sources disagree",
    region: "Region",
    city: "City",
    timezone: "Time zone",
    asn: "AS number",
    asName: "AS name",
    asKind: "Network kind",
    org: "Organisation",
    route: "Route",
    rir: "Registry",
    registrant: "Registrant",
    registeredIn: "Registered in",
    netName: "Net name",
    abuseContact: "Abuse contact",
    cidr: "Block",
    breakdown: "Deductions",
    breakdownCaption: "From 100 points, each item deducts or adds back until purity is reached",
    item: "Item",
    effect: "Effect on purity",
    start: "Starting points",
    noFactors: "Nothing to deduct",
    scenarios: "Use cases",
    scenario: "Use case",
    level: "Level",
    score: "Score",
    reason: "Reason",
    blocklists: "Blocklists",
    list: "List",
    state: "State",
    listed: "Listed",
    exit: "Exit only",
    benign: "Declared only",
    unavailable: "Unknown",
    notListed: "Not listed",
    noLists: "No blocklist was checked this time.",
    exitNote:
      "Exit only: the list says Tor, VPN or proxy and no abuse. The points are in that item and are not deducted again here.",
    benignNote: "Declared only: not an accusation. Such a list declares home lines, for example.",
    unavailableNote: "Unknown: the list did not answer this time. It is neither a hit nor a clean result.",
    abuse: "Abuse history",
    abuseScore: "Score",
    reports: "Reports",
    attacks: "Attacks",
    noAbuse: "No abuse history from the sources that answered.",
    exposure: "Open ports and vulnerabilities",
    ports: "Open ports",
    vulns: "Known vulnerabilities",
    notObserved: "The scanner has no record of this address.",
    noExposure: "No source reported on ports and vulnerabilities this time.",
    none: "none",
    sharing: "Sharing",
    devicesAddress: "Devices on address",
    devicesSubnet: "Devices in subnet",
    noSharing: "No source reported on sharing this time.",
    vpn: "VPN operator",
    vpnName: "Name",
    anonymity: "Anonymity",
    popularity: "Popularity",
    protocols: "Protocols",
    logging: "Keeps logs",
    freeAccess: "Free access",
    yes: "yes",
    no: "no",
    feedback: "Ratings by visitors",
    votes: "Ratings",
    average: "Average (of 5)",
    sources: "Sources",
    source: "Source",
    time: "Time",
    sourcesNote: "A source that was skipped or failed gave no result; that is not a clean result.",
    unknowns: "What an IP alone cannot tell",
    cite: "Cite this report",
    asText: "Plain text",
    asJson: "JSON",
    otherLanguage: "中文",
    skipLink: "Skip to content",
    credit: "IP geolocation by DB-IP",
    disclaimer:
      "Conclusions reflect the data of public and commercial sources at the time of the survey; they do not promise that an account stays open or that a platform accepts the address.",
  },
  sourceCount: (answered, failed, skipped) => `${answered} answered, ${failed} failed, ${skipped} skipped`,
  listCount: ({ listed, exit, benign, unavailable, notListed }) =>
    `${listed} listed, ${exit === 0 ? "" : `${exit} exit only, `}${benign} declared only, ${unavailable} unknown, ${notListed} not listed`,
  notEnough: "Not enough data",
  thin: (score) => `Not enough data, ${score}`,
  usually,
  carriedFrom: (day) => `its finding of ${day} still counts`,
  withReason: (text, reason) => `${text}. ${reason}`,
  joinClaims: (claims) => claims.join("; "),
  claim: (country, sources) => `${country}: ${sources}`,
  agreement: (families) =>
    families === 1 ? "1 independent source" : `counts as ${families} independent sources`,
  description: ({ ip, score, confidence }) =>
    `IP purity of ${ip}: ${score}, confidence ${confidence.toLowerCase()}. Proxy, VPN, Tor and data-centre detection, native or broadcast, blocklists, abuse history and six use cases, with the basis of every deduction.`,
};

/** Texts that only the text, terminal and Markdown formats need. */
export const plainEn: PlainTexts = {
  answered: "Answered",
  foundNothing: "No record",
  failed: "Failed",
  skipped: "Skipped",
  comma: ", ",
  reasonPrefix: (reason) => `${reason}:`,
  field: (name, value) => `${name}: ${value}`,
  fact: "Detail",
  method: "How the score is made",
  attackKinds: "Kinds of attack",
  badge: "IP purity",
  notPublic: "not public",
  linesAbove: (lines) => (lines === 2 ? "Both" : `All ${lines}`),
  others: (count) => `${count} more`,
  whole: (url) => `Whole report (here with the parameter full=1): ${url}`,
  legend: "Legend",
  terms: [
    [
      "Purity",
      `0 to 100, higher is cleaner: ${BAND_THRESHOLDS.map(
        ([band, from]) =>
          `${reportEn.bands[band]?.toLowerCase()} ${from === 0 ? "below that" : `from ${from}`}`,
      ).join(", ")}.`,
    ],
    ["Confidence", "depends on coverage; not how clean the address is."],
    [
      "Coverage",
      "the share of the planned data that was obtained. With all of it, 95 % of such addresses have at least the purity beside it.",
    ],
    [
      "Independent",
      "sources with the same origin count as one, an authority as two; a single one counts by half.",
    ],
    ["*", "a commercial source."],
  ],
  noSignals: 'No risk seen does not mean "safe"; with any conclusion, pass on what an IP alone cannot tell.',
};
