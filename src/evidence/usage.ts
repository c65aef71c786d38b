import type { Network, Registry, UsageType } from "#report";
import type { UsageEvidence } from "./evidence.ts";
import { CLASS_FAMILY, type KnownNetwork } from "./network.ts";
import type { Family } from "./observation.ts";
import type { Answer } from "./runs.ts";

/** One reason to assign a use to the network: the family that supports it, and its name in `reasons`. */
export interface Vote {
  readonly type: UsageType;
  readonly family: Family;
  readonly reason: string;
}

/** All votes on the use of the network, by their origin. */
export interface UsageVotes {
  /** Sources state the use. */
  readonly stated: readonly Vote[];
  /** Our own tables know the network. */
  readonly known: readonly Vote[];
  /** The name of the network suggests the use. */
  readonly named: readonly Vote[];
  /** A policy list or a reverse name suggests end users. */
  readonly hints: readonly Vote[];
  /** A source that can report the use of a network answered. */
  readonly answered: boolean;
}

/** The name of the AS, the name of the block and their organisations are one fact, so they are one family. */
export const NAME_FAMILY: Family = "network_name";

/** Lists whose policy entries mean end-user space. Other policy lists, such as those of missing reverse names, do not. */
const CONSUMER_LISTS: ReadonlySet<string> = new Set(["spamhaus_zen", "spamhaus_dqs", "spamrats_dyna"]);

/** Collects the votes of sources, of our own tables and of names on the use of the network. */
export function collectVotes(
  answers: readonly Answer[],
  known: KnownNetwork,
  asn: Network | undefined,
  registry: Registry | undefined,
): UsageVotes {
  const stated: Vote[] = [];
  const hints: Vote[] = [];
  let answered = false;
  for (const { run, observation } of answers) {
    const { usage, flags } = observation;
    const state = (type: UsageType) => stated.push({ type, family: run.family, reason: run.id });
    const hint = (reason: string) => hints.push({ type: "residential", family: run.family, reason });
    if (usage !== undefined || flags?.isHosting !== undefined) answered = true;
    if (usage !== undefined && usage !== "unknown") state(usage);
    if (flags?.isHosting === true && usage !== "hosting") state("hosting");
    if (flags?.isMobile === true && usage !== "mobile") state("mobile");
    for (const { zone, listed, meanings } of observation.listings ?? []) {
      if (listed && meanings.includes("policy") && CONSUMER_LISTS.has(zone)) hint("policy_list");
    }
    if (observation.reverse?.names.some(isConsumerName) === true) hint("reverse_name");
  }
  const named = [
    ...(known.hasClass ? [] : readNames("as_name", [asn?.name, asn?.org])),
    ...readNames("registry_name", [registry?.netName, registry?.org]),
  ];
  return {
    stated,
    known: known.uses.map((use) => ({ ...use, family: CLASS_FAMILY })),
    named,
    hints,
    answered,
  };
}

function readNames(reason: string, names: readonly (string | undefined)[]): readonly Vote[] {
  const types = new Set<UsageType>();
  for (const name of new Set(names)) {
    const type = name === undefined ? undefined : classifyName(name);
    if (type !== undefined) types.add(type);
  }
  return Array.from(types, (type) => ({ type, family: NAME_FAMILY, reason }));
}

/** In a tie the more specific use wins. */
const PRECEDENCE: readonly UsageType[] = [
  "hosting",
  "government",
  "education",
  "business",
  "mobile",
  "residential",
];

/**
 * Decides what the network is used for, in this order: hosting if the flag `isHosting` is set; government and
 * education, where our tables and names are better than vendors; what sources state and our tables know, by majority of
 * families; names; two hints that agree. Names do not count beside our tables: they are the same fact.
 */
export function mergeUsage(votes: UsageVotes, isHosting: boolean): UsageEvidence {
  const type = isHosting ? "hosting" : decideUsage(votes);
  const select = (group: readonly Vote[]) => group.filter((vote) => vote.type === type);
  const stated = select(votes.stated);
  const known = select(votes.known);
  const groups = [stated, known, known.length > 0 ? [] : select(votes.named), select(votes.hints)];
  const families = [...new Set(groups.flat().map((vote) => vote.family))].sort();
  return {
    type,
    reasons: [...new Set(groups.flatMap((group) => group.map((vote) => vote.reason).sort()))],
    families,
    agreement: families.length,
    stated: countFamilies(stated),
    answered: votes.answered,
  };
}

function decideUsage({ stated, known, named, hints }: UsageVotes): UsageType {
  for (const type of ["government", "education"] as const) {
    if ([...stated, ...known, ...named].some((vote) => vote.type === type)) return type;
  }
  const others = [...stated, ...known].filter((vote) => vote.type !== "hosting");
  if (others.length > 0) return findMajority(others);
  const names = named.filter((vote) => vote.type !== "hosting");
  if (names.length > 0) return findMajority(names);
  const isAgreed = new Set(hints.map((vote) => vote.reason)).size > 1 && countFamilies(hints) > 1;
  return isAgreed ? "residential" : "unknown";
}

function findMajority(votes: readonly Vote[]): UsageType {
  const ranked = PRECEDENCE.map((type) => ({
    type,
    families: countFamilies(votes.filter((vote) => vote.type === type)),
  }));
  return ranked.reduce((best, next) => (next.families > best.families ? next : best)).type;
}

function countFamilies(votes: readonly Vote[]): number {
  return new Set(votes.map((vote) => vote.family)).size;
}

type NamedUse = Exclude<UsageType, "unknown" | "business">;

/**
 * Uses that the name of a network shows; the first match wins. A row is here only if networks with such a name almost
 * never have another use: the rows were checked against random AS names of real routing tables. `unless` excludes
 * names that make a row doubtful.
 */
const NETWORK_NAMES: readonly { readonly use: NamedUse; readonly is: RegExp; readonly unless?: RegExp }[] = [
  {
    use: "hosting",
    is: /\b(?:vps|vds|idc\d*|colo|colocation|servers?|dedicated servers?|bare ?metal|(?<!\bbig )data ?cent(?:er|re|rum)s?|datacenter\w*|rechenzentrum|centro de datos|cdn|sunucu\w*|hospedagem|hoster\w*)\b|hosting|(?<!\b(?:ob|re|pre|con))servers\b|\bweb ?host|\bhost(?:ed|inger|winds|gator|europe|royale|papa|dime|key|sailor)|\bh[ée]bergement|数据中心|机房|云计算/,
    unless: /\b(?:universi|college|schools?\b|ministry of\b|finanz|route ?servers)/,
  },
  {
    use: "hosting",
    is: /\b(?:amazon|aws|microsoft|google llc|digitalocean|ovh|hetzner|linode|akamai|choopa|vultr|constant company|contabo|leaseweb|m247|alibaba(?! travel)|aliyun|tencent|oracle|fastly|scaleway|datacamp|rackspace|softlayer|godaddy|g-?core|kamatera|psychz|quadranet|ionos|netcup|worldstream|zenlayer|clouvider|colocrossing|frantech|upcloud|glesys|packethub|selectel|timeweb|aruba s p a|infomaniak|gandi|namecheap|dreamhost|hivelocity|phoenixnap|limelight networks|edgecast|incapsula)\b/,
  },
  {
    use: "education",
    is: /\bcernet\b|research and education|education and research|\buniversi|\buniversité|\bunivers(?:itet|ität)|\buniwersytet|\buniverzit|\büniversite|\begyetem|\byliopisto|\bedu\b|\bacademi|\bacademy of sciences?\b|\bakademi|\bschools?\b|\bcollege\b|\binstitut[eo]? (?:of (?:science and )?technology|teknologi|tecnol[oó]gico|polit[eé]cnico)\b|\bpolytechni|\bpolit[eé]cnic|\bpolitechnika\b|hochschule|forschungsnetz|\bfaculdade\b|\bfacultad\b|\b[ée]cole\b|\bescola\b|\bescuela\b|大学|大學|学院/,
  },
  {
    use: "government",
    is: /\bgov(?:ernment)?\b|\bministry of\b|\bminist[eéè]ri?[oe]\b|\bminist(?:erstvo|erstwo|ero|erium)\b|\bgobierno\b|\bgoverno\b|\bprefeitura\b|\bayuntamiento\b|\btribunal\b|\bmunicipality of\b|\bdepartment of (?:defense|homeland security|justice|state|energy|veterans affairs)\b|\bdod network\b|\bnational aeronautics\b|\bcommonwealth of (?:massachusetts|pennsylvania|virginia|kentucky)\b|egovnet|政府/,
    unless: /\b(?:inc|llc|ltd|limited|gmbh|inmarsat|universi\w*)\b/,
  },
  {
    use: "mobile",
    is: /\bt-mobile\b|\bchina mobile\b|\bmobile (?:tele|communications?\b|networks?\b|phones?\b|operator|company\b)|\bcellular\b|\bcellco\b|\bcmnet\b|\b(?:telefonia|servicios?) (?:movil|celular)\b|\b(?:rakuten|taiwan|free|three|degrees|smartone|globe|yemen|tot|idea|airtel) mobile\b|移动通信|中国移动/,
    unless: /\b(?:sony|lenovo|international|technology|solutions|security|consumer)\b/,
  },
  {
    use: "residential",
    is: /\bchinanet\b|\bchina ?telecom\b|\bchina ?unicom\b|\bchina169\b|\btietong\b|broadband|\bcable\b|\b[avx]?dsl\b|\bftt[hxb]\b|\bgpon\b|中国电信|中国联通/,
  },
  {
    use: "hosting",
    is: /cloud|\bbulut\b/,
    unless:
      /telecom|voip|cloudoip|telekom|telcom|cloudtel|communications?\b|\bnetwork services\b|broadband|wireless|\bfib(?:er|re|ra)\b|\binternet\b(?! tech)|\bisp\b|\bwi-?fi\b/,
  },
];

/** Longer names are cut: a name is only a hint, and a hostile one must not take much time. */
const MAX_NAME_LENGTH = 200;

/** Returns the use that the name of a network shows, if any. The name is as registries and routing tables write it. */
export function classifyName(name: string): NamedUse | undefined {
  const words = name
    .slice(0, MAX_NAME_LENGTH)
    .toLowerCase()
    .replaceAll(/[_.,;:()/"]+/g, " ")
    .replaceAll(/(?<!\bt)-/g, " ");
  return NETWORK_NAMES.find(({ is, unless }) => is.test(words) && unless?.test(words) !== true)?.use;
}

/** The limit of a DNS name in octets (RFC 1035, section 2.3.4). */
const MAX_DNS_NAME_LENGTH = 255;

const CONSUMER_NAME =
  /(?:^|[.-])(?:dyn|dynamic|dhcp|[avx]?dsl|cable|pool|pppoe?|dialup|broadband|ftt[hx]|cpe|customer|cust)\d*(?:[.-]|$)/;

/** Reports whether a reverse name looks like an access line. This is a weak hint: operators name hosts as they like. */
function isConsumerName(name: string): boolean {
  return CONSUMER_NAME.test(name.slice(0, MAX_DNS_NAME_LENGTH).toLowerCase());
}
