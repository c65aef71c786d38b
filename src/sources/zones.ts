import type { Family, ListingMeaning } from "#evidence";

/** What one answer of a zone means. */
export interface ZoneCode {
  /** Short name as the zone documents it. */
  readonly name: string;
  readonly meaning: ListingMeaning;
  /** False: the code describes the address without listing it (a neutral or good reputation, a test entry). */
  readonly listed?: false;
  /** The zone is the authority on this code: no second source is needed. */
  readonly authoritative?: true;
}

/** A DNS list as data. */
export interface Zone<Id extends string = string> {
  /** snake_case: id of the source and of the zone, and name of the fixture file. */
  readonly id: Id;
  /** Display name. */
  readonly label: string;
  readonly family: Family;
  /** DNS name by IP version; a version without a name is not supported. `{key}` stands for the operator's key. */
  readonly names: { readonly 4?: string; readonly 6?: string };
  /** Share in coverage; 1 = one ordinary source. */
  readonly weight: number;
  /**
   * Documented answers. Any other answer inside 127.0.0.0/8 is `others`, or the list is not heard. 127.0.0.1 is never a
   * listing (RFC 5782).
   */
  readonly codes: Readonly<Record<string, ZoneCode>>;
  readonly others?: ZoneCode;
  /**
   * Texts for the codes that mean a refusal. Every address in 127.255.255.0/24 is a refusal, with or without a text.
   */
  readonly refusals?: Readonly<Record<string, string>>;
  readonly commercial?: true;
  readonly keyed?: true;
  readonly noncommercial?: true;
  /** Id of the zone that includes this one, for operators with a key. */
  readonly replacedBy?: string;
  /** Page where a listing is explained or removed; `{ip}` stands for the address. */
  readonly delistUrl: string;
}

/** https://www.spamhaus.org/faqs/dnsbl-usage/ */
const SPAMHAUS_CODES = {
  "127.0.0.2": { name: "SBL", meaning: "abuse" },
  "127.0.0.3": { name: "CSS", meaning: "abuse" },
  "127.0.0.4": { name: "XBL", meaning: "abuse" },
  "127.0.0.5": { name: "XBL", meaning: "abuse" },
  "127.0.0.6": { name: "XBL", meaning: "abuse" },
  "127.0.0.7": { name: "XBL", meaning: "abuse" },
  "127.0.0.9": { name: "DROP", meaning: "severe", authoritative: true },
  "127.0.0.10": { name: "PBL, declared by the ISP", meaning: "policy" },
  "127.0.0.11": { name: "PBL, maintained by Spamhaus", meaning: "policy" },
} as const satisfies Zone["codes"];

/** https://www.spamhaus.org/resource-hub/dnsbl/using-our-public-mirrors-check-your-return-codes-now/ */
const SPAMHAUS_REFUSALS = {
  "127.255.255.252": "unknown zone name",
  "127.255.255.254": "refuses this resolver",
  "127.255.255.255": "too many questions",
} as const;

const SPAMHAUS_DELIST_URL = "https://check.spamhaus.org/results/?query={ip}";

/** The code of some lists for their test points. It is not a listing. */
const TEST_ENTRY = { name: "test entry", meaning: "info", listed: false } as const;

/** Every DNS list, in the order of the report. */
export const ZONES = [
  {
    id: "spamhaus_zen",
    label: "Spamhaus ZEN",
    family: "spamhaus",
    names: { 4: "zen.spamhaus.org", 6: "zen.spamhaus.org" },
    weight: 1,
    codes: SPAMHAUS_CODES,
    refusals: SPAMHAUS_REFUSALS,
    noncommercial: true,
    replacedBy: "spamhaus_dqs",
    delistUrl: SPAMHAUS_DELIST_URL,
  },
  {
    id: "spamhaus_dqs",
    label: "Spamhaus DQS",
    family: "spamhaus",
    names: { 4: "{key}.zen.dq.spamhaus.net", 6: "{key}.zen.dq.spamhaus.net" },
    weight: 1,
    codes: {
      ...SPAMHAUS_CODES,
      "127.0.0.20": { name: "AuthBL", meaning: "abuse" },
      "127.0.0.30": { name: "BCL", meaning: "botnet", authoritative: true },
    },
    refusals: SPAMHAUS_REFUSALS,
    commercial: true,
    keyed: true,
    delistUrl: SPAMHAUS_DELIST_URL,
  },
  {
    /** https://dronebl.org/classes */
    id: "dronebl",
    label: "DroneBL",
    family: "dronebl",
    names: { 4: "dnsbl.dronebl.org", 6: "dnsbl.dronebl.org" },
    weight: 0.75,
    codes: {
      "127.0.0.1": TEST_ENTRY,
      "127.0.0.2": TEST_ENTRY,
      "127.0.0.3": { name: "IRC drone", meaning: "abuse" },
      "127.0.0.5": { name: "Bottler", meaning: "abuse" },
      "127.0.0.6": { name: "spambot or worm", meaning: "abuse" },
      "127.0.0.7": { name: "DDoS drone", meaning: "abuse" },
      "127.0.0.8": { name: "SOCKS proxy", meaning: "proxy" },
      "127.0.0.9": { name: "HTTP proxy", meaning: "proxy" },
      "127.0.0.10": { name: "proxy chain", meaning: "proxy" },
      "127.0.0.11": { name: "web page proxy", meaning: "proxy" },
      "127.0.0.12": { name: "open DNS resolver", meaning: "info" },
      "127.0.0.13": { name: "brute force", meaning: "abuse" },
      "127.0.0.14": { name: "open Wingate proxy", meaning: "proxy" },
      "127.0.0.15": { name: "compromised router", meaning: "abuse" },
      "127.0.0.16": { name: "autorooting worm", meaning: "abuse" },
      "127.0.0.17": { name: "botnet member", meaning: "abuse" },
      "127.0.0.18": { name: "DNS or MX name seen on IRC", meaning: "info" },
      "127.0.0.19": { name: "abused VPN service", meaning: "vpn" },
      "127.0.0.255": { name: "uncategorised threat", meaning: "abuse" },
    },
    delistUrl: "https://dronebl.org/lookup?ip={ip}",
  },
  {
    id: "spamcop",
    label: "SpamCop",
    family: "spamcop",
    names: { 4: "bl.spamcop.net" },
    weight: 0.5,
    codes: { "127.0.0.2": { name: "spam source", meaning: "abuse" } },
    delistUrl: "https://www.spamcop.net/w3m?action=checkblock&ip={ip}",
  },
  {
    id: "psbl",
    label: "PSBL",
    family: "psbl",
    names: { 4: "psbl.surriel.com", 6: "psbl.surriel.com" },
    weight: 0.5,
    codes: { "127.0.0.2": { name: "spam trap", meaning: "abuse" } },
    delistUrl: "https://psbl.org/listing?ip={ip}",
  },
  {
    /** Only 10 to 12 are listings; 13 and above mean a doubtful, neutral or good reputation. https://mailspike.org/usage.html */
    id: "mailspike",
    label: "Mailspike",
    family: "mailspike",
    names: { 4: "rep.mailspike.net" },
    weight: 0.5,
    codes: {
      "127.0.0.10": { name: "worst", meaning: "abuse" },
      "127.0.0.11": { name: "very bad", meaning: "abuse" },
      "127.0.0.12": { name: "bad", meaning: "abuse" },
      "127.0.0.13": { name: "suspicious", meaning: "info", listed: false },
      "127.0.0.14": { name: "neutral", meaning: "info", listed: false },
      "127.0.0.15": { name: "neutral", meaning: "info", listed: false },
      "127.0.0.16": { name: "neutral", meaning: "info", listed: false },
      "127.0.0.17": { name: "possibly good", meaning: "info", listed: false },
      "127.0.0.18": { name: "good", meaning: "info", listed: false },
      "127.0.0.19": { name: "very good", meaning: "info", listed: false },
      "127.0.0.20": { name: "excellent", meaning: "info", listed: false },
    },
    delistUrl: "https://mailspike.org/iplookup.html",
  },
  {
    /** The last octet is the attacked service. */
    id: "blocklist_de",
    label: "blocklist.de",
    family: "blocklist_de",
    names: { 4: "bl.blocklist.de", 6: "bl.blocklist.de" },
    weight: 0.5,
    codes: {},
    others: { name: "attack reports", meaning: "abuse" },
    delistUrl: "https://www.blocklist.de/en/delist.html?ip={ip}",
  },
  {
    id: "s5h",
    label: "s5h.net",
    family: "s5h",
    names: { 4: "all.s5h.net", 6: "ipv6.all.s5h.net" },
    weight: 0.25,
    codes: { "127.0.0.2": { name: "spam or abuse", meaning: "abuse" } },
    delistUrl: "https://www.usenix.org.uk/content/rbl.html",
  },
  {
    /** The zone's 127.0.0.1 (open proxy) is left out: RFC 5782 does not allow it. https://rbl.efnetrbl.org */
    id: "efnet_rbl",
    label: "EFnet RBL",
    family: "efnet",
    names: { 4: "rbl.efnetrbl.org" },
    weight: 0.5,
    codes: {
      "127.0.0.2": { name: "spam trap", meaning: "abuse" },
      "127.0.0.3": { name: "spam trap", meaning: "abuse" },
      "127.0.0.4": { name: "Tor exit", meaning: "tor" },
      "127.0.0.5": { name: "drone or flooding", meaning: "abuse" },
    },
    delistUrl: "https://rbl.efnetrbl.org/",
  },
  {
    id: "gbudb_truncate",
    label: "GBUdb Truncate",
    family: "gbudb",
    names: { 4: "truncate.gbudb.net" },
    weight: 0.25,
    codes: { "127.0.0.2": { name: "truncate", meaning: "abuse" } },
    delistUrl: "https://www.gbudb.com/truncate/",
  },
  {
    /** Level 1 only: levels 2 and 3 list whole allocations and networks because of other addresses in them. */
    id: "uceprotect_l1",
    label: "UCEPROTECT Level 1",
    family: "uceprotect",
    names: { 4: "dnsbl-1.uceprotect.net" },
    weight: 0.25,
    codes: { "127.0.0.2": { name: "single address", meaning: "abuse" } },
    delistUrl: "https://www.uceprotect.net/en/rblcheck.php?ipr={ip}",
  },
  {
    id: "spamrats_dyna",
    label: "SpamRATS Dyna",
    family: "spamrats",
    names: { 4: "dyna.spamrats.com" },
    weight: 0.1,
    codes: { "127.0.0.36": { name: "dynamic naming", meaning: "policy" } },
    delistUrl: "https://www.spamrats.com/removal.php",
  },
  {
    id: "spamrats_noptr",
    label: "SpamRATS NoPtr",
    family: "spamrats",
    names: { 4: "noptr.spamrats.com" },
    weight: 0.1,
    codes: { "127.0.0.37": { name: "no or poor reverse name", meaning: "policy" } },
    delistUrl: "https://www.spamrats.com/removal.php",
  },
  {
    id: "spamrats_spam",
    label: "SpamRATS Spam",
    family: "spamrats",
    names: { 4: "spam.spamrats.com" },
    weight: 0.25,
    codes: { "127.0.0.38": { name: "spam", meaning: "abuse" } },
    delistUrl: "https://www.spamrats.com/removal.php",
  },
  {
    id: "spamrats_auth",
    label: "SpamRATS Auth",
    family: "spamrats",
    names: { 4: "auth.spamrats.com" },
    weight: 0.25,
    codes: { "127.0.0.43": { name: "login attacks", meaning: "abuse" } },
    delistUrl: "https://www.spamrats.com/removal.php",
  },
  {
    id: "spam_eating_monkey",
    label: "Spam Eating Monkey",
    family: "spam_eating_monkey",
    names: { 4: "bl.spameatingmonkey.net", 6: "bl.ipv6.spameatingmonkey.net" },
    weight: 0.25,
    codes: { "127.0.0.2": { name: "spam source", meaning: "abuse" } },
    delistUrl: "https://spameatingmonkey.com/delist",
  },
  {
    id: "virusfree_bip",
    label: "virusfree.cz BIP",
    family: "virusfree",
    names: { 4: "bip.virusfree.cz", 6: "bip.virusfree.cz" },
    weight: 0.25,
    codes: { "127.0.0.2": { name: "botnet member", meaning: "abuse" } },
    delistUrl: "https://www.virusfree.cz/",
  },
] as const satisfies readonly Zone[];
