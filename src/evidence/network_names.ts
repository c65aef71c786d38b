import { readTsv } from "#tsv";
import { readKind } from "./as_classes.ts";
import type { AsKind } from "./as_kinds.ts";
import { BUSINESS_WORDS, EDUCATION_WORDS, GOVERNMENT_WORDS } from "./institution_words.ts";
import operators from "./tables/operator_names.tsv" with { type: "text" };

/** Kinds that the name of a network can show. */
export type NamedKind = Exclude<
  AsKind,
  "vpn" | "vpn_host" | "tor" | "cdn" | "gateway" | "carrier" | "satellite"
>;

/** Words of access lines. */
const ACCESS =
  /broadband|banda ancha|banda larga|wireless|\bfib(?:er|re|ra)|\bftt[hxb]\b|\bgpon\b|\bcable|\bkabel|catv|\b[avx]?dsl\b|\bwi-?fi\b|\bwisp\b|\bsatell?it/;

/** Words of a telecommunication company. */
const TELECOM = new RegExp(
  `${ACCESS.source}|telec|telekom|telkom|telco\\b|voip|communications?\\b|comunica|network services\\b|\\binternet\\b(?! tech)|\\bisp\\b|provedor|\\bmobile\\b`,
);

/** Words of an institution. A data centre of a university is part of the university. */
const INSTITUTION =
  /\b(?:universi|college|schools?\b|ministry of\b|finanz|route ?servers|hospital|content delivery)/;

/**
 * Uses that the name of a network shows; the first match wins. A row is here only if networks with such a name almost
 * never have another use: the rows were checked against random AS names of real routing tables. `unless` excludes
 * names that make a row doubtful.
 */
const NETWORK_NAMES: readonly { readonly kind: NamedKind; readonly is: RegExp; readonly unless?: RegExp }[] =
  [
    {
      kind: "hosting",
      is: /hosting|hoster|\bvps\b|\bvds\b|\bidc\d*\b|colocation|\bservers\b|dedicated servers?|bare ?metal|(?<!\bbig )data ?cent(?:er|re|rum|ar)s?\b|datacenter|rechenzentrum|centro de (?:datos|dados)|centro dati|datacentrum|veri merkezi|adatkozpont|centrum danych|duomenu centr|hebergement|hospedagem|sunucu|数据中心|机房|云计算/,
      unless: new RegExp(`${ACCESS.source}|${INSTITUTION.source}`),
    },
    {
      kind: "hosting",
      is: /(?<!\b(?:ob|re|pre|con))servers?\b|\bserv(?:er|eur|idor)|\bserwer|\bhost(?!el|ess|age)|(?<!g)host\b|vps|\bdedi(?:cated|cado|path|\b)|(?<!\bp)idc\b|\bcolo(?:\b|cation|cross|house|center)|data ?(?:centr|senter|sentralen|haus\b|house\b)|\brack|\bweb(?:site|space|web|dock|horizon|huset|support|land)|\bcdn\b/,
      unless: new RegExp(`${TELECOM.source}|${INSTITUTION.source}`),
    },
    {
      kind: "hosting",
      is: /\b(?:amazon|aws|microsoft|google llc|digitalocean|ovh|hetzner|linode|akamai|choopa|vultr|constant company|contabo|leaseweb|m247|alibaba(?! travel)|aliyun|tencent|oracle|fastly|scaleway|datacamp|rackspace|softlayer|godaddy|g-?core|kamatera|psychz|quadranet|ionos|netcup|worldstream|zenlayer|clouvider|colocrossing|frantech|upcloud|glesys|packethub|selectel|timeweb|aruba s p a|infomaniak|gandi|namecheap|dreamhost|hivelocity|phoenixnap|limelight networks|edgecast|incapsula)\b/,
    },
    { kind: "education", ...EDUCATION_WORDS },
    { kind: "business", ...BUSINESS_WORDS },
    { kind: "government", ...GOVERNMENT_WORDS },
    {
      kind: "mobile",
      is: /\bt-mobile\b|\bchina mobile\b|\bmobile (?:tele|communications?\b|networks?\b|phones?\b|operator|company\b)|\bcellular\b|\bcellco\b|\bcmnet\b|\b(?:telefonia|servicios?) (?:movil|celular)\b|\b(?:rakuten|taiwan|free|three|degrees|smartone|globe|yemen|tot|idea|airtel) mobile\b|移动通信|中国移动/,
      unless: /\b(?:sony|lenovo|international|technology|solutions|security|consumer)\b/,
    },
    {
      kind: "isp",
      is: /\bchinanet\b|\bchina ?telecom\b|\bchina ?unicom\b|\bchina169\b|\btietong\b|broadband|\bcable\b|\b[avx]?dsl\b|\bftt[hxb]\b|\bgpon\b|中国电信|中国联通/,
    },
    { kind: "hosting", is: /cloud|\bbulut\b/, unless: TELECOM },
    {
      kind: "isp",
      is: new RegExp(
        `${ACCESS.source}|telecom|telekom|telkom|telefon|\\bisp\\b|provedor(?:es)? de|internet (?:service|provider)|\\bteleco\\b`,
      ),
    },
  ];

/** Longer names are cut: a name is only a hint, and a hostile one must not take much time. */
const MAX_NAME_LENGTH = 200;

/** Accents of Latin letters, after decomposition. */
const ACCENTS = /[\u0300-\u036f]/g;

/** Latin letters that Unicode does not decompose into a plain letter and an accent. */
const PLAIN: ReadonlyMap<string, string> = new Map([
  ["ı", "i"],
  ["ł", "l"],
  ["đ", "d"],
  ["ø", "o"],
  ["æ", "ae"],
  ["œ", "oe"],
  ["ß", "ss"],
]);
const NOT_PLAIN = /[ıłđøæœß]/g;

/**
 * The kinds of the names read last. This is only a cache, because the addresses of a large network have one name: it
 * never changes a result.
 */
const READ = new Map<string, NamedKind | undefined>();
const MAX_READ = 2_048;

/** Returns the kind that the name of a network shows, if any. The name is as registries and routing tables write it. */
export function classifyName(name: string): NamedKind | undefined {
  if (READ.has(name)) return READ.get(name);
  const kind = readName(name);
  if (READ.size >= MAX_READ) READ.clear();
  READ.set(name, kind);
  return kind;
}

function readName(name: string): NamedKind | undefined {
  const words = name
    .slice(0, MAX_NAME_LENGTH)
    .toLowerCase()
    .normalize("NFD")
    .replaceAll(ACCENTS, "")
    .replaceAll(NOT_PLAIN, (letter) => PLAIN.get(letter) ?? letter)
    .replaceAll(/[_.,;:()/"\s]+/g, " ")
    .replaceAll(/(?<!\bt)-/g, " ");
  return (
    NETWORK_NAMES.find(({ is, unless }) => is.test(words) && unless?.test(words) !== true)?.kind ??
    findOperator(words)
  );
}

/** Kinds by the first words of the name of a well-known operator, joined by blanks. */
const OPERATORS: ReadonlyMap<string, NamedKind> = new Map(
  readTsv(operators, ["kind", "name"]).map(({ kind, name }) => [name, readKind(kind) as NamedKind]),
);

/** Number of words of the longest beginning. */
const MAX_WORDS = 5;

/** Returns the kind of a well-known operator whose name begins `words`. The longest beginning decides. */
function findOperator(words: string): NamedKind | undefined {
  const all = words.split(" ", MAX_WORDS * 2).filter((word) => word !== "");
  for (let count = Math.min(all.length, MAX_WORDS); count > 0; count--) {
    const kind = OPERATORS.get(all.slice(0, count).join(" "));
    if (kind !== undefined) return kind;
  }
  return undefined;
}
