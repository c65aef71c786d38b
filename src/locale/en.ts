import type { Data } from "#report";
import { familiesOf, findWord, listOf, numberOf, termOf, wordOf } from "./facts.ts";
import { nameCountry } from "./name_country.ts";
import type { PartialTexts, Tell } from "./texts.ts";

const ANY_PURPOSE = "set aside for a special purpose";
const PURPOSES: Readonly<Record<string, string>> = {
  unspecified: 'placeholder for "no address yet"',
  this_network: '"this network", valid only while a host learns its address',
  private_use: "private network (RFC 1918)",
  shared_address_space:
    "internal space between a carrier and its customers behind carrier-grade NAT (RFC 6598)",
  loopback: "loopback, the machine itself",
  link_local: "link-local, valid on one link only",
  unique_local: "private IPv6 network (RFC 4193)",
  site_local: "former site-local IPv6 space, deprecated (RFC 3879)",
  protocol_assignments: "set aside by the IETF for protocols, unassigned",
  dummy: "placeholder that only fills a field and never appears on the wire",
  documentation: "reserved for documentation and examples",
  benchmarking: "for testing network devices in a laboratory",
  multicast: "multicast, a group of receivers rather than one host",
  broadcast: "broadcast to everyone on the local network",
  reserved: "reserved by the IETF and given to nobody",
  unallocated: "IPv6 space that IANA has not yet given to a regional registry",
  discard_only: "traffic to it is thrown away on purpose (RFC 6666)",
  six_to_four: "6to4 tunnel, an IPv4 address in disguise",
  teredo: "Teredo tunnel, an IPv4 address and port in disguise (RFC 4380)",
  translation: "translation between IPv4 and IPv6 inside one network",
  orchid: "cryptographic hash shaped like an address, first generation, expired (RFC 4843)",
  segment_routing: "segment identifier inside one SRv6 network (RFC 9602)",
  ipv4_compatible: "IPv4 address written as IPv6, deprecated (RFC 4291)",
};

/** Families that are no organisation. */
const FAMILIES: Readonly<Record<string, string>> = {
  network_name: "the network's own name",
  as_class: "what its network is known for",
};

const ATTACKS: Readonly<Record<string, string>> = {
  login_attempt: "login attempts",
  login_attempts: "login attempts",
  registration_attempt: "bulk registration",
  registration_attempts: "bulk registration",
  vulnerability_probing: "vulnerability probing",
  compromised_host: "activity of a compromised host",
  scraping: "web scraping",
  scanning: "scanning",
  port_scan: "port scans",
  tcp_scan: "TCP port scans",
  http_scan: "web vulnerability scans",
  internet_scanning: "internet-wide scanning",
  malicious_scanning: "malicious scanning",
  http_crawl: "aggressive web crawling",
  http_exploit: "web exploits",
  generic_exploit: "exploit attempts",
  http_dos: "denial of service against web sites",
  http_bruteforce: "web password guessing",
  ssh_bruteforce: "SSH password guessing",
  ftp_bruteforce: "FTP password guessing",
  telnet_bruteforce: "Telnet password guessing",
  smb_bruteforce: "SMB password guessing",
  windows_bruteforce: "Windows password guessing",
  pop3_imap_bruteforce: "mailbox password guessing",
  sip_bruteforce: "SIP password guessing",
  ldap_bruteforce: "LDAP password guessing",
  database_bruteforce: "database password guessing",
  iot_bruteforce: "password guessing on devices",
  vm_management_bruteforce: "password guessing on VM management",
  spam: "spam",
  smtp_spam: "mail spam",
  http_spam: "web form spam",
  botnet: "botnet activity",
  bot_status: "bot activity",
  recent_abuse: "recent abuse",
  frequent_abuser: "frequent abuse",
  high_risk_attacks: "high-risk attacks",
  attack: "attacks",
  abuse: "abuse",
  reported_attack: "reported attacks",
};

const ANY_ROLE = "public service address";
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

function purposeOf(data: Data): string {
  return termOf(PURPOSES, data, "purpose", ANY_PURPOSE);
}

function roleOf(data: Data): string {
  return termOf(ROLES, data, "role", ANY_ROLE);
}

function country(data: Data, key: string): string {
  return nameCountry(wordOf(data, key), "en");
}

function countOf(data: Data, key: string, one: string, many: string): string {
  return `${wordOf(data, key)} ${numberOf(data, key) === 1 ? one : many}`;
}

/** Who says so, and what a lone voice, an authority and the word on a /64 are worth. */
function seenBy(what: string): Tell {
  return (data) => {
    const agreement = numberOf(data, "agreement");
    const counted =
      agreement === undefined || findWord(data, "authoritative") !== undefined
        ? ""
        : ` (agreement ${agreement})`;
    const lone = agreement === 1 ? " Only 1 independent source says so, counted at half weight." : "";
    return `${what}. Named by: ${familiesOf(data, FAMILIES).join(", ")}${counted}.${lone}${authority(data)}${ofSubnet(data)}`;
  };
}

function authority(data: Data): string {
  return findWord(data, "authoritative") === undefined
    ? ""
    : " One of them is an authority whose word alone counts in full.";
}

function ofSubnet(data: Data): string {
  return findWord(data, "subnet") === undefined
    ? ""
    : " Known only of the same /64 network, counted at half weight.";
}

/** A grave listing: who lists it, and what the voices are worth. */
function listedAs(what: string): Tell {
  return (data) => {
    const isLone = findWord(data, "lone") !== undefined;
    const lone = isLone
      ? " Only 1 independent list says so, counted at half weight and without a minimum risk."
      : "";
    return `${what}: ${wordOf(data, "lists")}.${lone}${authority(data)}${ofSubnet(data)}`;
  };
}

/** What a report was worth when it was new. */
function faded(data: Data): string {
  const full = findWord(data, "full");
  if (full === undefined) return "";
  const subnet = ofSubnet(data);
  const age = numberOf(data, "ageDays");
  return age === undefined
    ? `${subnet} Worth ${full} points otherwise.`
    : `${subnet} Last recorded ${age} ${age === 1 ? "day" : "days"} ago: worth ${full} points then, faded since.`;
}

/** What makes a verdict doubtful: a lone voice, the word on a /64, and how little was heard where confidence is low. */
function qualified(tell: Tell): Tell {
  return (data) => {
    const lone = findWord(data, "lone") === undefined ? "" : " Only 1 independent source says so.";
    const subnet = findWord(data, "subnet") === undefined ? "" : " Known only of the same /64 network.";
    const near = findWord(data, "near");
    const nearby = near === undefined ? "" : ` Of these, ${near} list only the same /64 network.`;
    return `${tell(data)}${lone}${subnet}${nearby}${thinness(data)}`;
  };
}

function thinness(data: Data): string {
  const thin = findWord(data, "thin");
  if (thin === undefined) return "";
  if (thin === "tables")
    return " No live source answered: this rests on local data alone and is far from certain.";
  return thin === "core"
    ? ` ${heard(data)}, hardly any that knows anonymity or lists: far from certain.`
    : ` ${heard(data)}: far from certain.`;
}

function capped(what: string): Tell {
  return (data) =>
    `Deductions for ${what} are capped at ${wordOf(data, "cap")} points in total; the ${wordOf(data, "over")} above the cap come back, so that one fact is not charged twice.`;
}

function heard(data: Data): string {
  return `${wordOf(data, "heard")} of ${countOf(data, "planned", "planned source", "planned sources")} answered`;
}

function retry(data: Data): string {
  const seconds = numberOf(data, "retryAfterSeconds");
  return seconds === undefined
    ? "Please retry later."
    : `Please retry in ${seconds} ${seconds === 1 ? "second" : "seconds"}.`;
}

function verificationNeeded(data: Data): string {
  const limit = numberOf(data, "limit");
  switch (findWord(data, "reason")) {
    case "refresh":
      return "A forced refresh needs human verification first.";
    case "feedback":
      return "Rating an address needs human verification first.";
    case "client_day":
      if (limit === 0)
        return "Looking up an address that is not in the database needs human verification first.";
      if (limit === 1)
        return "Your one lookup of a new address without a human check is used up for today; human verification is needed.";
      return `Your ${limit === undefined ? "" : `${limit} `}lookups of new addresses without a human check are used up for today; human verification is needed.`;
    case "total_day":
      return "The whole site's lookups of new addresses without a human check are used up for today; human verification is needed.";
    case "failed":
      return "The human check was not passed.";
    case "expired":
      return "The human check has expired.";
    case "replayed":
      return "This human check has been used already.";
    case "unavailable":
      return "The human check cannot be verified at the moment.";
    case "cross_site":
      return "This request is taken only from this site's own pages.";
    default:
      return "The allowance for unverified lookups of new addresses is used up; human verification is needed.";
  }
}

function verificationWay(data: Data): string {
  switch (findWord(data, "reason")) {
    case "refresh":
      return "Open reportUrl with ?refresh=1 at its end in a browser and solve the check once; for half an hour that browser may refresh further reports.";
    case "feedback":
      return "Open reportUrl in a browser and solve the check on that page, then rate.";
    case "failed":
    case "expired":
    case "replayed":
      return "Please solve a new check.";
    case "unavailable":
      return "Please try the check again a little later; addresses in the database are answered without one.";
    case "cross_site":
      return "Open this site's page in a browser and go on from there.";
    default:
      return "Open reportUrl in a browser and solve the check once; later calls for this address are answered from the database without one. The allowance starts anew at midnight UTC.";
  }
}

function tooOften(data: Data): string {
  const limit = numberOf(data, "limit");
  if (limit === undefined) return "Too many requests.";
  switch (findWord(data, "reason")) {
    case "new_per_minute":
      return `Too many requests: at most ${limit} addresses that are not in the database a minute.`;
    case "refresh_per_minute":
      return `Too many requests: at most ${limit} refreshes a minute.`;
    default:
      return `Too many requests: at most ${limit} a minute.`;
  }
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** English. Factors may be missing; a missing one is what `untranslated` lists. */
export const en: PartialTexts = {
  factors: {
    bogon: {
      label: "Special-purpose address",
      detail: (data) =>
        `Part of ${wordOf(data, "block")}: ${purposeOf(data)}. It is not an ordinary, globally reachable address, so purity has little meaning.`,
    },
    tor_exit: {
      label: "Tor exit node",
      detail: seenBy("The address is an exit of the Tor network, which anyone can use anonymously"),
    },
    proxy: { label: "Proxy", detail: seenBy("The address is reported as a proxy exit") },
    vpn: {
      label: "VPN",
      detail: (data) => {
        const operator = findWord(data, "operator");
        return seenBy(
          operator === undefined
            ? "The address is reported as a VPN exit"
            : `The address is reported as a VPN exit of ${operator}`,
        )(data);
      },
    },
    relay: {
      label: "Privacy relay",
      detail: seenBy(
        "The address is an exit of a privacy relay (such as iCloud Private Relay), shared by many real users",
      ),
    },
    hosting: {
      label: "Data-centre address",
      detail: seenBy(
        "The address belongs to a data centre or cloud provider, not to a home or mobile network",
      ),
    },
    usage_unknown: {
      label: "Use unknown",
      detail: () => "No source could say what the network is used for; counted as a small risk.",
    },
    broadcast: {
      label: "Broadcast address",
      detail: (data) =>
        `Registered in ${country(data, "registered")} but used in ${country(data, "located")}, so not native.`,
    },
    blocklists: {
      label: "On blocklists",
      detail: (data) =>
        `Listed by ${wordOf(data, "listed")} of ${countOf(data, "answered", "blocklist that answered", "blocklists that answered")}: ${wordOf(data, "lists")}.${listOf(data, "near").length === 0 ? "" : ` Of these only the same /64 network is listed, counted at half weight, by: ${wordOf(data, "near")}.`}`,
    },
    severe_listing: {
      label: "Hijacked or criminal netblock",
      detail: listedAs("The surrounding netblock is listed as hijacked or run by criminals"),
    },
    botnet_controller: {
      label: "Botnet controller",
      detail: listedAs("Listed as a command server (C2) of a botnet"),
    },
    abuse_score: {
      label: "Abuse score",
      detail: (data) =>
        `The highest score given by an abuse-report source is ${wordOf(data, "score")} (out of 100): ${wordOf(data, "sources")}.${faded(data)}`,
    },
    attack_history: {
      label: "Attack history",
      detail: (data) =>
        `${countOf(data, "total", "attack", "attacks")} from this address on record: ${wordOf(data, "sources")}.${faded(data)}`,
    },
    exposed_vulnerabilities: {
      label: "Known vulnerabilities exposed",
      detail: (data) =>
        `Public scans found ${countOf(data, "count", "known vulnerability", "known vulnerabilities")} on this address; somebody else may control the host.`,
    },
    open_ports: {
      label: "Proxy or remote-access ports open",
      detail: (data) => `These proxy, VPN or remote-access ports answer: ${wordOf(data, "ports")}.`,
    },
    shared_address: {
      label: "Shared by many devices",
      detail: (data) =>
        `About ${countOf(data, "address", "device was", "devices were")} observed on this address.`,
    },
    anonymity_cap: { label: "Cap on anonymity", detail: capped("anonymity") },
    network_cap: { label: "Cap on network", detail: capped("the network") },
    lists_cap: { label: "Cap on blocklists", detail: capped("blocklists") },
    abuse_cap: { label: "Cap on abuse", detail: capped("abuse") },
    exposure_cap: { label: "Cap on exposure", detail: capped("exposure") },
    shared_line_relief: {
      label: "Shared-line relief",
      detail: () =>
        "On mobile or shared lines a report need not concern the present user, so deductions for abuse and blocklists are halved.",
    },
    residential_agreement: {
      label: "Agreed to be residential",
      detail: (data) =>
        `Several independent sources agree that the network is residential: ${familiesOf(data, FAMILIES).join(", ")}.`,
    },
    verified_crawler: {
      label: "Verified search-engine crawler",
      detail: (data) =>
        `Forward and reverse DNS confirm each other: a crawler of ${wordOf(data, "operator")}. Deductions for anonymity and hosting do not count.`,
    },
    public_infrastructure: {
      label: "Public infrastructure",
      detail: (data) =>
        `A ${roleOf(data)} of ${wordOf(data, "operator")}: nobody's exit, and often reported and listed by mistake. Deductions for anonymity, network, blocklists and abuse come back.`,
    },
  },
  categories: {
    special: "Special address",
    anonymity: "Anonymity",
    network: "Network",
    location: "Location",
    lists: "Blocklists",
    abuse: "Abuse",
    exposure: "Exposure",
    sharing: "Sharing",
    relief: "Relief",
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
  natives: { native: "Native", broadcast: "Broadcast", unknown: "Unknown" },
  flags: {
    isProxy: "Proxy",
    isVpn: "VPN",
    isTor: "Tor exit",
    isHosting: "Hosting",
    isMobile: "Mobile",
    isRelay: "Privacy relay",
    isBogon: "Special-purpose address",
    isSearchEngineBot: "Search-engine crawler",
  },
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
    usage: (data) => termOf(USAGE_CLAUSES, data, "usage", wordOf(data, "usage")),
    tor_exit: () => "a Tor exit that most platforms block",
    proxy: () => "reported as a proxy",
    vpn: () => "reported as a VPN exit",
    relay: () => "an exit of a privacy relay",
    hosting: () => "inside a data-centre range",
    broadcast: () => "registered in one country but used in another",
    native: () => "registered where it is used",
    listed: (data) =>
      `listed by ${wordOf(data, "listed")} of ${countOf(data, "answered", "blocklist that answered", "blocklists that answered")}`,
    not_listed: () => "on none of the blocklists that answered",
    policy_listed: (data) =>
      `declared as end-user space that should not send mail directly (${wordOf(data, "lists")})`,
    severe_listing: () => "inside a hijacked or criminal netblock",
    botnet_controller: () => "listed as a botnet controller",
    abused: () => "with abuse or attacks on record",
    shared: (data) => `shared by about ${countOf(data, "address", "device", "devices")}`,
    thin_evidence: () => "with little evidence to go by",
    no_signals: () => "without a risk signal from the sources that answered",
    restricted: (data) =>
      `${country(data, "country")} is not among the supported regions published by ${wordOf(data, "vendors")} (as of ${wordOf(data, "asOf")})`,
    region_partial: (data) =>
      `in ${country(data, "country")}, which is not among the supported regions published by ${wordOf(data, "vendors")} but is by other vendors (as of ${wordOf(data, "asOf")})`,
    region_unclear: (data) =>
      `in ${country(data, "country")}, whose support by ${wordOf(data, "vendors")} could not be confirmed (as of ${wordOf(data, "asOf")})`,
    region_uncertain: (data) =>
      `placed by sources in different countries (${listOf(data, "countries")
        .map((code) => nameCountry(code, "en"))
        .join(", ")}) which AI vendors treat differently (as of ${wordOf(data, "asOf")})`,
    bogon: (data) => `a special-purpose address, nobody's exit: ${purposeOf(data)}`,
    infrastructure: (data) => `a public service address of ${wordOf(data, "operator")}, nobody's exit`,
    crawler: (data) => `a crawler of ${wordOf(data, "operator")}, not an exit of ordinary users`,
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
      `${wordOf(data, "block")} is special-purpose space (${purposeOf(data)}) and nobody's exit address.`,
    infrastructure: qualified(
      (data) =>
        `A ${roleOf(data)} of ${wordOf(data, "operator")}: public infrastructure and nobody's exit address.`,
    ),
    crawler: qualified(
      (data) =>
        `A search-engine crawler of ${wordOf(data, "operator")}, confirmed by reverse and forward DNS; not an exit of ordinary users.`,
    ),
    botnet_controller: qualified(() => "Listed as a botnet controller: best avoided."),
    severe_listing: qualified(
      () => "Inside a netblock listed as hijacked or run by criminals: best avoided.",
    ),
    tor_exit: qualified(() => "A Tor exit that anyone can use anonymously; most platforms block it."),
    proxy: qualified(() => "Reported as a proxy exit; platforms usually challenge or block such addresses."),
    vpn: qualified((data) => {
      const operator = findWord(data, "operator");
      return `Reported as a VPN exit${operator === undefined ? "" : ` (${operator})`}; platforms may ask for extra verification.`;
    }),
    relay: qualified(
      () =>
        "The exit of a privacy relay shared by many real users; the address says little about any one of them.",
    ),
    listed: qualified(
      (data) =>
        `Listed by ${wordOf(data, "listed")} of ${countOf(data, "answered", "blocklist that answered", "blocklists that answered")}.`,
    ),
    abused: qualified(() => "Abuse or attacks are on record; some platforms may restrict it for that."),
    hosting: qualified(
      () => "A data-centre address: no fault in itself, but many platforms are stricter with such ranges.",
    ),
    minor_signals: (data) => `Only minor risk signals were found (${heard(data)}).`,
    no_signals: (data) =>
      `${heard(data)} and nothing to deduct was found; that does not prove the address clean.`,
    unheard: (data) =>
      findWord(data, "thin") === "tables"
        ? "No live source answered, only local data: too little to conclude anything."
        : `${heard(data)}, hardly any that knows anonymity or lists: too little to conclude anything.`,
  },
  anyVerdict: (data) => `${heard(data)}; the deductions show the conclusion.`,
  notes: {
    bogon: (data) =>
      `${wordOf(data, "block")} is special-purpose space (${purposeOf(data)}); use cases do not apply.`,
    infrastructure: (data) =>
      `This is a ${roleOf(data)} of ${wordOf(data, "operator")}: it serves the public and is nobody's exit, so use cases do not apply.`,
    crawler: (data) =>
      `This is a crawler of ${wordOf(data, "operator")} and not the exit of any user, so use cases do not apply.`,
  },
  anyNote: "This address is nobody's exit, so use cases do not apply.",
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
    unheard_sources: {
      label: "Sources not heard this time",
      detail: (data) =>
        `These sources did not answer this time; what they think is unknown, which does not mean that nothing is wrong: ${wordOf(data, "sources")}. A later refresh may hear them.`,
    },
  },
  runErrors: {
    timeout: "did not answer in time",
    refused: "refused to answer",
    status: "answered with an error status",
    shape: "answered in an unexpected form",
    quota: "query quota used up",
    unavailable: "unavailable at present",
    too_large: "answer exceeds the size limit",
  },
  skips: {
    no_key: "no key configured",
    noncommercial: "for non-commercial use only, not enabled here",
    no_contact: "its terms demand a contact, none is configured here",
    turned_off: "turned off by the operator of this site",
    live_off: "live queries are turned off on this site",
    version: "does not cover this IP version",
    daily_budget: "today's query budget is used up",
    paused: "paused after repeated failures",
    zone_retired: "failed its self-test (RFC 5782), not trusted for now",
    settled: "free answers already settled it",
  },
  bracket: (sentence, detail) => `${sentence} (${detail})`,
  noRecord: "no record of this address",
  dataDate: (date) => `data of ${date}`,
  sourceDetails: {
    list_refused: "the list covers more addresses than can be believed, it is not used",
    list_update_refused:
      "its newest version covers more addresses than can be believed, the last good one is used",
  },
  joinDetails: (details) => details.join(", "),
  attacks: ATTACKS,
  joinItems: (items) => items.join(", "),
  stop: ".",
  purposes: PURPOSES,
  anyPurpose: ANY_PURPOSE,
  roles: ROLES,
  anyRole: ANY_ROLE,
  problems: {
    invalid_ip: {
      error: (data) => {
        const input = findWord(data, "input");
        return input === undefined ? "Not a valid IP address." : `"${input}" is not a valid IP address.`;
      },
      hint: () => "Give one complete IPv4 or IPv6 address, without port, prefix length, zone or blanks.",
    },
    invalid_parameter: {
      error: (data) =>
        Object.hasOwn(data, "value")
          ? `The value "${findWord(data, "value") ?? ""}" of parameter ${wordOf(data, "parameter")} is invalid.`
          : `Parameter ${wordOf(data, "parameter")} is invalid or given more than once.`,
      hint: (data) => {
        if (data.reason === "address_count")
          return `Give ${data.least} to ${data.most} different addresses, separated by commas.`;
        const allowed = listOf(data, "allowed");
        const once = "A parameter may be given only once.";
        return allowed.length === 0 ? once : `Allowed: ${allowed.join(", ")}. ${once}`;
      },
    },
    verification_required: {
      error: verificationNeeded,
      hint: verificationWay,
    },
    unauthorized: {
      error: () => "This needs a token.",
      hint: () => "Send the operator's token as Authorization: Bearer TOKEN.",
    },
    not_found: { error: () => "No such path.", hint: () => "See /openapi.json for the paths there are." },
    not_in_mirror: {
      error: ({ reason }) => {
        if (reason === "refresh") return "This read-only mirror asks no source anew.";
        if (reason === "write") return "This read-only mirror takes nothing in.";
        return "This read-only mirror does not hold the address.";
      },
      hint: ({ primary, reason }) => {
        if (primary === false) return "It does not say where the full service is; ask who runs it.";
        if (reason === "write") return "Use the full service, to which reportUrl points.";
        return "Look it up at the full service, to which reportUrl points.";
      },
    },
    method_not_allowed: {
      error: () => "This path does not take that request method.",
      hint: (data) => {
        const allowed = listOf(data, "allowed");
        return allowed.length === 0
          ? "The Allow header names the methods it takes."
          : `Allowed: ${allowed.join(", ")}.`;
      },
    },
    too_large: {
      error: () => "The request is too large.",
      hint: () => "Shorten the URL, the headers or the body.",
    },
    rate_limited: {
      error: tooOften,
      hint: retry,
    },
    open_rate_limited: {
      error: (data) => {
        const limit = numberOf(data, "limit");
        const error = "Too many lookups of new addresses without a human check on the whole site";
        return limit === undefined
          ? `${error}.`
          : `${error}: at most ${limit} a minute by all visitors together.`;
      },
      hint: retry,
    },
    internal: {
      error: () => "An internal error kept this request from being answered.",
      hint: (data) => {
        const id = findWord(data, "requestId");
        return id === undefined
          ? "Please retry later."
          : `Please retry later; if it happens again, tell the operator request id ${id}.`;
      },
    },
    overloaded: { error: () => "The service is busy and cannot take more requests now.", hint: retry },
  },
  headings: {
    title: "IP purity report",
    summary: "Summary",
    address: "Address",
    purity: "Purity",
    confidence: "Confidence",
    verdict: "Verdict",
    surveyed: "Surveyed",
    stale: "old data, a refresh is advised",
    usage: "Usage",
    native: "Native type",
    flags: "Flags",
    noFlags: "none raised by the sources that answered",
    network: "Network",
    location: "Location and network",
    place: "Location",
    country: "Country",
    region: "Region",
    city: "City",
    timezone: "Time zone",
    asn: "AS number",
    asName: "AS name",
    org: "Organisation",
    route: "Route",
    registry: "Registration",
    rir: "Registry",
    registrant: "Registrant",
    registeredIn: "Registered in",
    netName: "Net name",
    cidr: "Block",
    bill: "Deductions",
    billCaption: "From 100 points, each item deducts or adds back until purity is reached",
    item: "Item",
    effect: "Effect on purity",
    start: "Starting points",
    floor: "Minimum risk that nothing offsets",
    bounds: "Kept between 0 and 100",
    rounding: "Rounding",
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
    benign: "Benign",
    unavailable: "Unknown",
    notListed: "Not listed",
    noLists: "No blocklist result is available this time.",
    benignNote: "Benign is no accusation: such a list declares home lines, for example.",
    unavailableNote: "Unknown means the list was not heard this time: neither a hit nor a clean result.",
    abuse: "Abuse history",
    abuseScore: "Score",
    reports: "Reports",
    attacks: "Attacks",
    noAbuse: "No abuse history from the sources that answered.",
    exposure: "Exposure",
    ports: "Open ports",
    vulns: "Known vulnerabilities",
    notObserved: "The scanner has no record of this address.",
    noExposure: "No source told anything about exposure this time.",
    none: "none",
    sharing: "Sharing",
    devicesAddress: "Devices on address",
    devicesSubnet: "Devices in subnet",
    noSharing: "No source told anything about sharing this time.",
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
    kind: "Kind",
    time: "Time",
    answered: "ok",
    skipped: "skipped",
    failed: "failed",
    sourcesNote: "A source that was skipped or failed has said nothing; that is not a clean result.",
    unknowns: "What an IP alone cannot tell",
    cite: "Cite this report",
    asText: "Plain text",
    asJson: "JSON",
    otherLanguage: "中文",
    skipLink: "Skip to content",
    credit: "IP geolocation by DB-IP",
    disclaimer:
      "Conclusions reflect public and partner data at the time of the survey; they guarantee neither account standing nor platform access.",
  },
  sourceCount: (answered, failed, skipped) => `${answered} answered, ${failed} failed, ${skipped} skipped`,
  listCount: (listed, benign, unavailable, clean) =>
    `${listed} listed, ${benign} benign, ${unavailable} unknown, ${clean} not listed`,
  agreement: (families) => `agreement ${families}`,
  description: ({ ip, purity, band, confidence }) =>
    `IP purity of ${ip}: ${purity}/100 (${band.toLowerCase()}), confidence ${confidence.toLowerCase()}. Proxy, VPN, Tor and data-centre detection, blocklists, abuse history and use cases, with the basis of every deduction.`,
};
