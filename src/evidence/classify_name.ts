import type { UsageType } from "#report";

type NamedUse = Exclude<UsageType, "unknown" | "business">;

/**
 * What names of networks give away, first match wins. Small on purpose: a row is here only if a network so
 * named is hardly ever anything else. Checked against the AS names of real routing tables.
 */
const NAMES: readonly (readonly [NamedUse, RegExp])[] = [
  [
    "hosting",
    /\b(?:vps|vds|idc\d*|colo|colocation|servers?|dedicated servers?|data ?cent(?:er|re|rum)s?|cdn)\b|hosting|\bhost(?:ed|er|inger|winds|gator|europe|royale|ing)|cloud|数据中心|机房|云计算/,
  ],
  [
    "hosting",
    /\b(?:amazon|aws|microsoft|google llc|digitalocean|ovh|hetzner|linode|akamai|choopa|vultr|constant company|contabo|leaseweb|m247|alibaba|aliyun|tencent|oracle|fastly|scaleway|datacamp|rackspace|softlayer|godaddy|gcore|kamatera|psychz|quadranet)\b/,
  ],
  [
    "education",
    /\bcernet\b|research and education|education and research|\buniversi|\buniversité|\bedu\b|\bacademi|\bschools?\b|\bcollege\b|\binstitute of technology\b|\bpolytechnic\b|forschungsnetz|大学|大學|学院/,
  ],
  [
    "government",
    /\bgov(?:ernment)?\b|\bministry of\b|\bdepartment of defense\b|\bdod network\b|egovnet|政府/,
  ],
  ["mobile", /\bt-mobile\b|\bmobil(?:e|ity)\b|\bcellular\b|\bcellco\b|\bcmnet\b|\blte\b|移动通信|中国移动/],
  [
    "residential",
    /\bchinanet\b|\bchina ?telecom\b|\bchina ?unicom\b|\bchina169\b|\btietong\b|broadband|\bcable\b|\b[avx]?dsl\b|\bftt[hxb]\b|\bgpon\b|中国电信|中国联通/,
  ],
];

/** Long names are cut: a name is a hint, and hostile ones must not cost time. */
const MAX_LENGTH = 200;

/** The use that the name of a network gives away, if any. Names come as registries and routing tables write them. */
export function classifyName(name: string): NamedUse | undefined {
  const words = name
    .slice(0, MAX_LENGTH)
    .toLowerCase()
    .replaceAll(/[_.,;:()/]+/g, " ")
    .replaceAll(/(?<!t)-/g, " ");
  return NAMES.find(([, pattern]) => pattern.test(words))?.[0];
}
