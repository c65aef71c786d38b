import type { Data, Flag } from "#report";
import { BAND_THRESHOLDS } from "#scoring";
import { factList, factText, findNumber, findText, nameById, nameCountry } from "../facts.ts";
import { namesOf } from "../names.ts";
import type { PlainTexts, ReportTexts, Sentence } from "../report_texts.ts";
import { translatePlace } from "./place_names.ts";
import { translateDetail } from "./source_details.ts";

const OTHER_PURPOSE = "保留作特殊用途";
const PURPOSES = namesOf("purposes", "zh");

const OTHER_ROLE = "公共服务地址";
const ROLES: Readonly<Record<string, string>> = {
  public_dns_resolver: "公共 DNS 解析服务",
  root_server: "DNS 根服务器",
  crawler: "搜索引擎爬虫",
};

const USAGE_CLAUSES: Readonly<Record<string, string>> = {
  residential: "属于家宽（住宅）网络",
  business: "属于企业网络",
  hosting: "属于机房（IDC）网络",
  mobile: "属于移动网络",
  education: "属于教育网",
  government: "属于政府网络",
  unknown: "网络用途未知",
};

/** The kind of evidence of which least was obtained. Absent = all of it. */
const NOT_OBTAINED: Readonly<Record<string, string>> = { anonymity: "匿名类", lists: "黑名单类" };

function purposeOf(data: Data): string {
  return nameById(PURPOSES, data, "purpose", OTHER_PURPOSE);
}

function roleOf(data: Data): string {
  return nameById(ROLES, data, "role", OTHER_ROLE);
}

function list(data: Data, key: string): string {
  return factList(data, key).join("、") || "?";
}

function country(data: Data, key: string): string {
  return nameCountry(factText(data, key), "zh");
}

/** The sources that report a flag, and why they count in full or by half. */
function flagDetail(what: string): Sentence {
  return (data) => {
    const agreement = findNumber(data, "agreement");
    const counted = agreement === undefined || agreement === 1 ? "" : `（${agreement} 家独立数据）`;
    const lone = agreement === 1 ? "仅 1 家独立数据认定，减半计分。" : "";
    return `${what}。认定方：${list(data, "reporters")}${counted}。${lone}${authorityNote(data)}${subnetNote(data)}`;
  };
}

function authorityNote(data: Data): string {
  return findText(data, "authoritative") === undefined ? "" : "其中有权威来源，单独认定即算两家。";
}

function subnetNote(data: Data): string {
  return findText(data, "subnet") === undefined ? "" : "只知道同一 /64 网段如此，减半计分。";
}

/** The lists of a severe listing, and why they count in full or by half. */
function severeListingDetail(what: string): Sentence {
  return (data) => {
    const isLone = findText(data, "lone") !== undefined;
    const lone = isLone ? "仅 1 家独立名单列入，减半计分，不设最低风险。" : "";
    return `${what}：${list(data, "lists")}。${lone}${authorityNote(data)}${subnetNote(data)}`;
  };
}

/** The other sources whose score costs points. */
function alsoNote(data: Data): string {
  const by = factList(data, "by");
  const others = factList(data, "sources").filter((source) => !by.includes(source));
  return by.length === 0 || others.length === 0 ? "" : `评分较低的：${others.join("、")}。`;
}

/** How many points an old report had when it was new. */
function fadingNote(data: Data): string {
  const full = findText(data, "full");
  if (full === undefined) return "";
  const age = findText(data, "ageDays");
  const subnet = subnetNote(data);
  return age === undefined
    ? subnet
    : `${subnet}扣分最多的一条记录在 ${age} 天前，当时计 ${full} 分，已按时间衰减。`;
}

/** Appends what follows from a finding, and what makes it uncertain: one source only, a /64 only, or few answers. */
function withReservations(finding: Sentence, consequence = ""): Sentence {
  return (data) => {
    const isSevere = ["risky", "dangerous"].includes(factText(data, "band"));
    const follows = isSevere ? "多数平台会限制或拦截。" : consequence;
    const lone = findText(data, "lone") === undefined ? "" : "仅 1 家独立数据这样认定。";
    const subnet = findText(data, "subnet") === undefined ? "" : "只知道同一 /64 网段如此。";
    const near = findText(data, "near");
    const nearby = near === undefined ? "" : `其中 ${near} 个列入的只是同一 /64 网段。`;
    return `${finding(data)}${follows}${lone}${subnet}${nearby}${coverageNote(data)}${rangeNote(data)}`;
  };
}

function usually(low: number): string {
  return `通常不低于 ${low}（同类地址的 95%）`;
}

/** How much data was obtained, and the low end of the range. */
function rangeNote(data: Data): string {
  const percent = findText(data, "percent");
  if (percent === undefined) return "";
  const [low, purity] = [findNumber(data, "low") ?? 0, findNumber(data, "purity") ?? 0];
  return `只查到 ${percent}% 的数据${low < purity ? `，纯净度${usually(low)}` : ""}。`;
}

/** Appends the range only, because the verdict itself tells how many sources answered. */
function withRange(verdict: Sentence): Sentence {
  return (data) => `${verdict(data)}${rangeNote(data)}`;
}

function coverageNote(data: Data): string {
  const thin = findText(data, "thin");
  if (thin === undefined) return "";
  if (thin === "tables") return "没有任何实时来源应答，只依据本地数据，置信度低。";
  return thin === "core"
    ? `${answeredCount(data)}，代理识别与黑名单几乎没有查到数据，置信度低。`
    : `${answeredCount(data)}，置信度低。`;
}

function capDetail(what: string): Sentence {
  return (data) =>
    `${what}类扣分合计最多 ${factText(data, "cap")} 分，超出的 ${factText(data, "over")} 分加回，避免同一事实重复扣分。`;
}

function withOperator(kind: string): Sentence {
  return (data) => {
    const operator = findText(data, "operator");
    return operator === undefined ? kind : `${kind}（${operator}）`;
  };
}

function answeredCount(data: Data): string {
  return `查询的 ${factText(data, "sourcesAsked")} 个来源中 ${factText(data, "sourcesAnswered")} 个有应答`;
}

const FLAG_NAMES = {
  isProxy: "代理",
  isVpn: "VPN",
  isTor: "Tor 出口",
  isHosting: "机房",
  isMobile: "移动网络",
  isRelay: "隐私中继",
  isBogon: "特殊用途地址",
  isSearchEngineBot: "搜索引擎爬虫",
} satisfies Record<Flag, string>;

function nameFlags(data: Data): string {
  return factList(data, "flags")
    .map((flag) => FLAG_NAMES[flag as Flag] ?? flag)
    .join("、");
}

/** Simplified Chinese texts of the report, in every format. */
export const reportZh: ReportTexts = {
  factors: {
    bogon: {
      label: "特殊用途地址",
      detail: (data) =>
        `属于 ${factText(data, "block")}：${purposeOf(data)}。它不是公网上的普通地址，纯净度评分不适用。`,
    },
    tor_exit: {
      label: "Tor 出口节点",
      detail: flagDetail("该地址是 Tor 网络的出口，任何人都能用它匿名上网"),
    },
    proxy: { label: "代理", detail: flagDetail("该地址被识别为代理出口") },
    vpn: {
      label: "VPN",
      detail: (data) => {
        const operator = findText(data, "operator");
        return flagDetail(
          operator === undefined ? "该地址被识别为 VPN 出口" : `该地址被识别为 ${operator} 的 VPN 出口`,
        )(data);
      },
    },
    relay: {
      label: "隐私中继",
      detail: flagDetail("该地址是隐私中继（例如 iCloud 专用代理）的出口，由大量真实用户共用"),
    },
    hosting: { label: "机房 IP", detail: flagDetail("该地址属于机房（IDC）或云服务商，不是家宽或移动网络") },
    usage_unknown: { label: "用途未知", detail: () => "没有来源能说明该网络的用途，扣少量分。" },
    broadcast: {
      label: "广播 IP",
      detail: (data) =>
        `注册地为${country(data, "registered")}，实际使用地为${country(data, "located")}，不是原生 IP。`,
    },
    blocklists: {
      label: "黑名单命中",
      detail: (data) =>
        `${factText(data, "answered")} 个有应答的黑名单中，${factText(data, "listed")} 个列入该地址：${list(data, "lists")}。${factList(data, "near").length === 0 ? "" : `其中只列入同一 /64 网段、减半计分的有：${list(data, "near")}。`}${factList(data, "elsewhere").length === 0 ? "" : `已按 Tor、VPN 或代理扣分、不在此重复扣分的有：${list(data, "elsewhere")}。`}`,
    },
    severe_listing: {
      label: "被劫持或犯罪网段",
      detail: severeListingDetail("所在网段被列为已遭劫持或由犯罪团伙控制"),
    },
    botnet_controller: {
      label: "僵尸网络控制端",
      detail: severeListingDetail("被列为僵尸网络的控制服务器（C2）"),
    },
    abuse_score: {
      label: "滥用评分",
      detail: (data) =>
        `最高滥用评分为 ${factText(data, "score")}（满分 100，越高越差），出自 ${findText(data, "by") === undefined ? list(data, "sources") : list(data, "by")}。${alsoNote(data)}${fadingNote(data)}`,
    },
    attack_history: {
      label: "攻击记录",
      detail: (data) =>
        `${factList(data, "sources").length > 1 ? "单个来源最多" : ""}记录到 ${factText(data, "total")} 次来自该地址的攻击：${list(data, "sources")}。${fadingNote(data)}`,
    },
    exposed_vulnerabilities: {
      label: "存在已知漏洞",
      detail: (data) =>
        `公网扫描在该地址上发现 ${factText(data, "count")} 个已知漏洞（按版本推断，未验证）。`,
    },
    open_ports: {
      label: "代理或远程管理端口开放",
      detail: (data) => `以下代理、VPN 或远程管理端口有应答：${list(data, "ports")}。`,
    },
    shared_address: {
      label: "多设备共用",
      detail: (data) => `观察到约 ${factText(data, "address")} 台设备共用该地址。`,
    },
    anonymity_cap: { label: "匿名类封顶加回", detail: capDetail("匿名") },
    network_cap: { label: "网络类封顶加回", detail: capDetail("网络") },
    lists_cap: { label: "黑名单类封顶加回", detail: capDetail("黑名单") },
    abuse_cap: { label: "滥用类封顶加回", detail: capDetail("滥用") },
    exposure_cap: { label: "端口与漏洞类封顶加回", detail: capDetail("端口与漏洞") },
    shared_line_relief: {
      label: "共用线路减免",
      detail: () => "移动网络或多人共用的线路，举报可能针对别的用户，黑名单与滥用类扣分减半。",
    },
    residential_agreement: {
      label: "多家认定为家宽",
      detail: (data) => `多家独立数据一致认定为家宽（住宅）：${list(data, "reporters")}。`,
    },
    verified_crawler: {
      label: "已验证的搜索引擎爬虫",
      detail: (data) =>
        `经官方名单或正反向 DNS 确认，是 ${factText(data, "operator")} 的爬虫，匿名与网络类扣分加回。`,
    },
    public_infrastructure: {
      label: "公共基础设施",
      detail: (data) =>
        `这是 ${factText(data, "operator")} 的${roleOf(data)}，不是上网出口，且常被误报、误列；匿名、网络、黑名单与滥用类扣分加回。`,
    },
    carried_fading: {
      label: "沿用结果的衰减",
      detail: (data) =>
        `以下来源已 ${factText(data, "days")} 天没有应答：${list(data, "sources")}。沿用其 ${factText(data, "since")} 或更晚的不利结果，但按时间衰减，少扣的分在此加回。`,
    },
    bounds: { label: "超出部分不计", detail: () => "各项合计只在 0 到 100 分之间计算，超出部分不计。" },
    floor: { label: "最低风险（不能抵消）", detail: () => "最高的一项最低风险大于各项合计，以它为准。" },
    rounding: { label: "取整", detail: () => "纯净度取整数。" },
    not_obtained: {
      label: "数据不足",
      detail: (data) =>
        `应查的${NOT_OBTAINED[factText(data, "kind")] ?? ""}数据只查到 ${factText(data, "obtained")}%。未知即中性，高于 50 分的部分只按比例计入；不计这一项为 ${factText(data, "without")} 分。`,
    },
  },
  categories: {
    special: "特殊地址",
    anonymity: "匿名",
    network: "网络",
    location: "位置",
    lists: "黑名单",
    abuse: "滥用",
    exposure: "端口与漏洞",
    sharing: "共用",
    relief: "减免",
    adjustment: "上下限与取整",
    coverage: "数据",
  },
  bands: {
    pristine: "极纯净",
    clean: "纯净",
    neutral: "中性",
    suspicious: "可疑",
    risky: "高风险",
    dangerous: "危险",
  },
  usages: {
    residential: "家宽（住宅）",
    business: "企业",
    hosting: "机房 IP（IDC）",
    mobile: "移动网络",
    education: "教育网",
    government: "政府",
    unknown: "未知",
  },
  asKinds: {
    vpn: "VPN 服务商",
    vpn_host: "机房（VPN 服务商常用）",
    tor: "Tor 中继运营方",
    hosting: "机房",
    cdn: "内容分发网络（CDN）",
    gateway: "企业上网网关",
    business: "企业或机构自用",
    education: "教育科研",
    government: "政府",
    mobile: "移动运营商",
    isp: "宽带运营商",
    satellite: "卫星网络",
    carrier: "骨干运营商",
  },
  nativeReasons: {
    special: "特殊用途地址没有国家或地区之分。",
    infrastructure: "公共服务面向各地，没有固定的使用地。",
    anycast: "该地址为任播（Anycast），同时从多地宣告，没有唯一的使用地。",
    satellite: "该地址属于卫星网络，用户可能不在注册地。",
    not_registered: "有应答的来源均未给出注册地。",
    not_located: "有应答的来源均未给出实际使用地。",
    disputed: "各来源对使用地说法不一，没有哪一种占多数。",
  },
  natives: { native: "原生 IP", broadcast: "广播 IP", unknown: "未知" },
  flags: FLAG_NAMES,
  confidences: { low: "低", medium: "中", high: "高" },
  scenarios: {
    ai: "AI 服务",
    social: "社交注册",
    streaming: "流媒体",
    gaming: "游戏",
    ecommerce: "跨境电商",
    email: "邮件发送",
  },
  levels: {
    excellent: "优秀",
    good: "良好",
    fair: "一般",
    poor: "较差",
    unusable: "不可用",
    restricted: "地区受限",
    not_applicable: "不适用",
  },
  tiers: { fresh: "实时查询", cache: "缓存", store: "数据库" },
  kinds: { free: "公开", commercial: "商业" },
  reasons: {
    usage: (data) => nameById(USAGE_CLAUSES, data, "usage", factText(data, "usage")),
    tor_exit: () => "是 Tor 出口节点（多数平台会拦截）",
    proxy: () => "被识别为代理出口",
    vpn: () => "被识别为 VPN 出口",
    relay: () => "属于隐私中继出口",
    hosting: () => "属于机房网段",
    broadcast: () => "是广播 IP（注册地与使用地不一致）",
    native: () => "是原生 IP（注册地与使用地一致）",
    listed: (data) => `命中 ${factText(data, "listed")} 个黑名单（${factText(data, "answered")} 个有应答）`,
    not_listed: () => "未被有应答的黑名单列入",
    policy_listed: (data) => `被声明为不应直接发信的用户网段（${list(data, "lists")}）`,
    severe_listing: () => "位于被劫持或由犯罪团伙控制的网段",
    botnet_controller: () => "被列为僵尸网络控制端",
    abused: () => "有滥用或攻击记录",
    shared: (data) => `约 ${factText(data, "address")} 台设备共用`,
    thin_evidence: () => "查到的数据很少",
    no_signals: () => "有应答的来源未见风险",
    restricted: (data) =>
      `${country(data, "country")}不在 ${list(data, "vendors")} 公布的支持地区之列（截至 ${factText(data, "asOf")}）`,
    region_partial: (data) =>
      `${country(data, "country")}不在 ${list(data, "vendors")} 公布的支持地区之列（截至 ${factText(data, "asOf")}）`,
    region_unclear: (data) =>
      `无法确认 ${list(data, "vendors")} 是否支持${country(data, "country")}（截至 ${factText(data, "asOf")}）`,
    region_uncertain: (data) =>
      `各来源对所在地说法不一（${factList(data, "countries")
        .map((code) => nameCountry(code, "zh"))
        .join("、")}），各服务对这些地区的支持不同（截至 ${factText(data, "asOf")}）`,
    bogon: (data) => `特殊用途地址，不是上网出口：${purposeOf(data)}`,
    infrastructure: (data) => `${factText(data, "operator")} 的公共服务地址，不是上网出口`,
    crawler: (data) => `${factText(data, "operator")} 的爬虫，不是普通用户的上网出口`,
  },
  joinReasons: (clauses) => (clauses.length === 0 ? "没有特别突出的因素。" : `${clauses.join("，")}。`),
  verdicts: {
    bogon: (data) => `${factText(data, "block")} 是特殊用途地址，不是上网出口：${purposeOf(data)}。`,
    infrastructure: (data) =>
      `${factText(data, "operator")} 的${roleOf(data)}，属于公共基础设施，不是上网出口。`,
    crawler: (data) =>
      `${factText(data, "operator")} 的搜索引擎爬虫，已由官方名单或正反向 DNS 确认，不是普通用户的上网出口。`,
    botnet_controller: withReservations(() => "被列为僵尸网络控制端，应避免使用。"),
    severe_listing: withReservations(() => "所在网段被列为已遭劫持或由犯罪团伙控制，应避免使用。"),
    tor_exit: withReservations(() => "Tor 出口节点，任何人都能匿名使用。", "多数平台会限制或拦截。"),
    proxy: withReservations(() => "被识别为代理出口。", "平台风控通常会额外验证或拦截。"),
    vpn: withReservations((data) => `${withOperator("被识别为 VPN 出口")(data)}。`, "平台风控可能额外验证。"),
    relay: withReservations(() => "隐私中继出口，由大量真实用户共用，无法区分具体用户。"),
    listed: withReservations(
      (data) =>
        `${factText(data, "answered")} 个有应答的黑名单中，${factText(data, "listed")} 个列入该地址。`,
    ),
    abused: withReservations(() => "有滥用或攻击记录。", "部分平台可能据此限制。"),
    hosting: withReservations(() => "机房 IP。", "本身不算污点，但不少平台的风控对机房网段更严格。"),
    minor_signals: withRange((data) => `${answeredCount(data)}，只见轻微风险。`),
    no_signals: withRange((data) => `${answeredCount(data)}，未见风险；不等于绝对干净。`),
    unheard: withRange((data) =>
      findText(data, "thin") === "tables"
        ? "没有任何实时来源应答，只有本地数据，不足以得出结论。"
        : `${answeredCount(data)}，代理识别与黑名单几乎没有查到数据，不足以得出结论。`,
    ),
  },
  otherVerdict: (data) => `${answeredCount(data)}，结论见扣分明细。`,
  notes: {
    bogon: (data) => `${factText(data, "block")} 是特殊用途地址，使用场景不适用：${purposeOf(data)}。`,
    infrastructure: (data) =>
      `这是 ${factText(data, "operator")} 的${roleOf(data)}，只对外提供服务，不是上网出口，使用场景不适用。`,
    crawler: (data) => `这是 ${factText(data, "operator")} 的爬虫地址，不是用户的上网出口，使用场景不适用。`,
  },
  otherNote: "该地址不是上网出口，使用场景不适用。",
  unknowns: {
    platform_labels: {
      label: "平台内部的风控标签",
      detail: () => "各平台如何标记该 IP 只有平台自己知道。正式使用前，请在目标平台上小范围试用。",
    },
    exclusivity: {
      label: "是否真正独享",
      detail: () => "同一出口此刻还有谁在用，从外部看不出来。请向服务商核实分配方式。",
    },
    linked_accounts: {
      label: "曾关联过的账号",
      detail: () => "该 IP 以前登录过哪些账号、是否有账号被封，外部查不到。请向服务商了解使用历史。",
    },
    device_and_behaviour: {
      label: "设备、浏览器与行为",
      detail: () => "平台还会看设备指纹、浏览器环境和操作行为，这些与 IP 无关。请保持稳定、真实的使用环境。",
    },
    profile_match: {
      label: "账号资料是否匹配",
      detail: () => "账号的国家、手机号、支付方式、语言和时区是否与该 IP 一致，请自行核对。",
    },
    residential_proxies: {
      label: "住宅代理：未检测",
      detail: () =>
        "住宅代理借家宽线路转发他人流量。免费来源无法识别，能识别的来源需要密钥，本次没有这类应答，所以是否为住宅代理未知。",
    },
    unheard_sources: {
      label: "本次没有应答的来源",
      detail: (data) =>
        `以下来源本次没有应答，结果未知，不代表没有问题：${list(data, "sources")}。可稍后重新查询。`,
    },
    carried_accusations: {
      label: "沿用上次的不利结果",
      detail: (data) =>
        `以下来源本次没有应答，沿用其 ${factText(data, "since")} 或更晚的不利结果，按时间衰减，到来源再次应答为止：${list(data, "sources")}。`,
    },
    correction_disputed: {
      label: "实时来源与站长更正不一致",
      detail: (data) =>
        `站长更正否认${nameFlags(data)}，但以下实时来源认定是：${list(data, "sources")}。其扣分照常计入。`,
    },
  },
  runErrors: {
    timeout: "未在时限内应答",
    refused: "拒绝应答",
    status: "返回错误状态码",
    shape: "应答格式不符",
    quota: "查询额度已用完",
    unavailable: "暂时不可用",
    too_large: "应答超出大小上限",
  },
  skips: {
    no_key: "未配置密钥",
    noncommercial: "仅限非商业使用，本站未启用",
    no_contact: "对方要求提供联系方式，本站未配置",
    turned_off: "本站已关闭",
    live_off: "本站未开启实时查询",
    version: "不支持该 IP 版本",
    daily_budget: "今日查询额度已用完",
    paused: "连续失败，暂停查询",
    told_to_wait: "对方要求稍后再查，暂停查询",
    zone_retired: "未通过 RFC 5782 规定的自检，暂不采信",
    settled: "免费来源已足以判断，未再查询",
  },
  withDetail: (sentence, detail) => `${sentence}（${detail}）`,
  noRecord: "没有该地址的记录",
  dataDate: (date) => `数据日期 ${date}`,
  sourceDetails: {
    list_refused: "名单覆盖的地址过多，不可信，未采用",
    "not downloaded yet": "正在下载",
    list_missing: "名单尚未下载成功",
    "not compiled yet": "已下载，正在整理",
    list_snapshot: "取自随程序附带的名单快照，尚无可用的下载",
    list_snapshot_refused: "最新版本覆盖的地址过多，不可信，取自随程序附带的名单快照",
    list_update_refused: "最新版本覆盖的地址过多，不可信，沿用上一份可信的版本",
  },
  translateDetail,
  joinDetails: (details) => details.join("，"),
  attacks: namesOf("attacks", "zh"),
  grades: { very_low: "很低", low: "低", medium: "中", high: "高", very_high: "很高", none: "无" },
  joinItems: (items) => items.join("、"),
  period: "。",
  namePlace: translatePlace,
  labels: {
    title: "IP 纯净度报告",
    address: "地址",
    purity: "纯净度",
    confidence: "置信度",
    coverage: "覆盖度",
    noScore: "不评分",
    verdict: "结论",
    surveyed: "查询时间",
    stale: "较旧，建议重新查询",
    usage: "IP 类型",
    native: "原生类型",
    flags: "标记",
    noFlags: "未见代理、VPN、机房等标记",
    network: "网络",
    hostname: "主机名",
    location: "位置与网络",
    place: "位置",
    country: "国家/地区",
    claims: "来源说法不一",
    region: "省/州",
    city: "城市",
    timezone: "时区",
    asn: "AS 号",
    asName: "AS 名称",
    asKind: "网络性质",
    org: "机构",
    route: "路由前缀",
    rir: "注册局",
    registrant: "登记机构",
    registeredIn: "注册地",
    netName: "网段名称",
    abuseContact: "滥用投诉邮箱",
    cidr: "网段",
    breakdown: "扣分明细",
    breakdownCaption: "从 100 分起逐项扣减或加回，得出纯净度",
    item: "项目",
    effect: "对纯净度的影响",
    start: "起始分",
    noFactors: "没有扣分项",
    scenarios: "使用场景",
    scenario: "场景",
    level: "等级",
    score: "得分",
    reason: "理由",
    blocklists: "黑名单",
    list: "名单",
    state: "状态",
    listed: "已列入",
    exit: "仅标为出口",
    benign: "仅声明，不扣分",
    unavailable: "未知",
    notListed: "未列入",
    noLists: "本次没有黑名单给出结果，是否列入未知。",
    exitNote: "「仅标为出口」的名单只说是 Tor、VPN 或代理，不指控滥用；分数计在对应项目里，不在此重复扣除。",
    benignNote: "「仅声明」不是指控，例如只声明该网段是家宽。",
    unavailableNote: "「未知」表示该名单本次没有给出结果，既不算列入，也不算干净。",
    abuse: "滥用记录",
    abuseScore: "评分",
    reports: "举报数",
    attacks: "攻击次数",
    noAbuse: "有应答的来源没有给出滥用记录。",
    exposure: "开放端口与漏洞",
    ports: "开放端口",
    vulns: "已知漏洞",
    notObserved: "公网扫描没有该地址的记录。",
    noExposure: "本次没有来源提供端口与漏洞信息。",
    none: "无",
    sharing: "共用情况",
    devicesAddress: "该地址设备数",
    devicesSubnet: "所在子网设备数",
    noSharing: "本次没有来源提供共用信息。",
    vpn: "VPN 运营方",
    vpnName: "名称",
    anonymity: "匿名程度",
    popularity: "流行程度",
    protocols: "协议",
    logging: "保留日志",
    freeAccess: "可免费使用",
    yes: "是",
    no: "否",
    feedback: "用户评价",
    votes: "评价数",
    average: "平均分（满分 5）",
    sources: "数据来源",
    source: "来源",
    time: "用时",
    sourcesNote: "跳过或失败的来源没有给出结果，不能当作干净。",
    unknowns: "仅凭 IP 无法得知的事",
    cite: "引用本报告",
    asText: "纯文本",
    asJson: "JSON",
    otherLanguage: "English",
    skipLink: "跳到正文",
    credit: "位置数据：DB-IP",
    disclaimer: "结论只反映查询当时公开来源与商业来源的数据，不保证账号状态，也不保证平台可用。",
  },
  sourceCount: (answered, failed, skipped) => `${answered} 个应答，${failed} 个失败，${skipped} 个跳过`,
  listCount: ({ listed, exit, benign, unavailable, notListed }) =>
    `${listed} 个列入，${exit === 0 ? "" : `${exit} 个仅标为出口，`}${benign} 个仅声明，${unavailable} 个未知，${notListed} 个未列入`,
  notEnough: "数据不足",
  thin: (score) => `数据不足，${score}`,
  usually,
  carriedFrom: (day) => `沿用其 ${day} 的不利结果`,
  withReason: (text, reason) => `${text}。${reason}`,
  joinClaims: (claims) => claims.join("；"),
  claim: (country, sources) => `${country}：${sources}`,
  agreement: (families) => (families === 1 ? "1 家独立数据认定" : `按 ${families} 家独立数据计`),
  description: ({ ip, score, confidence }) =>
    `${ip} 的 IP 纯净度：${score}，置信度${confidence}。含代理、VPN、Tor 与机房识别、原生与广播、黑名单、滥用记录和六种使用场景，逐项列出扣分依据。`,
};

/** Texts that only the text, terminal and Markdown formats need. */
export const plainZh: PlainTexts = {
  answered: "有记录",
  foundNothing: "无记录",
  failed: "失败",
  skipped: "跳过",
  comma: "、",
  reasonPrefix: (reason) => `${reason}：`,
  field: (name, value) => `${name}：${value}`,
  fact: "说明",
  method: "评分方法",
  attackKinds: "攻击类型",
  badge: "IP 纯净度",
  notPublic: "非公网地址",
  linesAbove: (lines) => `以上 ${lines} 项`,
  others: (count) => `其他 ${count} 项`,
  whole: (url) => `完整报告（加参数 full=1 在终端显示）：${url}`,
  legend: "图例",
  terms: [
    [
      "纯净度",
      `0 到 100，越高越干净：${BAND_THRESHOLDS.map(([band, from]) =>
        from === 0 ? `更低为${reportZh.bands[band]}` : `${from} 起为${reportZh.bands[band]}`,
      ).join("，")}。`,
    ],
    ["置信度", "应查的数据实际查到了多少；与是否干净无关。"],
    ["覆盖度", "应查的数据查到的比例。全部查到后，同类地址的 95% 不低于旁边的数字。"],
    ["N 家独立数据", "出自同一份数据的来源算一家，权威来源算两家；仅 1 家时减半计分。"],
    ["*", "商业来源。"],
  ],
  noSignals: "未见风险不等于安全；转述结论时，请一并说明仅凭 IP 无法得知的事。",
};
