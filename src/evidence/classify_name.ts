import type { UsageType } from "#report";

type NamedUse = Exclude<UsageType, "unknown" | "business">;

/**
 * What names of networks give away, first match wins. A row is here only if a network so named is hardly ever
 * anything else: read against random AS names of real routing tables. `unless` holds what makes a row doubtful.
 */
const NAMES: readonly { readonly use: NamedUse; readonly is: RegExp; readonly unless?: RegExp }[] = [
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

/** Long names are cut: a name is a hint, and hostile ones must not cost time. */
const MAX_LENGTH = 200;

/** The use that the name of a network gives away, if any. Names come as registries and routing tables write them. */
export function classifyName(name: string): NamedUse | undefined {
  const words = name
    .slice(0, MAX_LENGTH)
    .toLowerCase()
    .replaceAll(/[_.,;:()/"]+/g, " ")
    .replaceAll(/(?<!\bt)-/g, " ");
  return NAMES.find(({ is, unless }) => is.test(words) && unless?.test(words) !== true)?.use;
}
