import type { MethodTexts } from "../method_texts.ts";

const percent = (share: number) => `${Math.round(share * 100)}%`;

/** Simplified Chinese texts of the page that documents the scoring method. */
export const methodZh: MethodTexts = {
  title: "评分方法",
  link: "这些分数怎么来的：评分方法",
  version: (version) => `评分规则第 ${version} 版`,
  description:
    "limpid 如何给 IP 地址评分：每条规则、权重、封顶、最低风险、半衰期、等级划分、使用场景表与数据来源，全部公开。",
  lead: [
    () => "本页由计分所用的同一组表格生成，页面上的数字就是计分的数字。",
    () =>
      "纯净度 = 100 − 风险，取整。风险是各项扣分与加回之和，低于 0 或高于 100 的部分不计；若有项目设了最低风险，风险不低于其中最高的一个。报告列出每一项，任何人都能把分数重新算一遍。",
    () => "没有任何国家或地区会因其本身被扣分。来源没有应答时不扣分也不加分，只会降低置信度。",
  ],
  contents: "目录",
  exampleTitle: "一个例子",
  exampleLead: "一个地址：两家独立数据认定为 VPN 出口，一家认定为机房，被一家的黑名单列入。",
  exampleWhy: { full: "2 家认定，足额", lone: "仅 1 家认定，减半", list: "1 家列入" },
  table: "细则与表格",
  more: "细则",
  olderVersions: "以前的版本",
  rulesTitle: "规则与权重",
  rulesLead:
    "横条表示最多扣多少分（满分 100），深浅表示分档；绿色为加回，灰色为封顶。点开可看说明与全部数字。",
  rules: {
    bogon: "私有、保留、文档等特殊用途地址，纯净度评分不适用，只计这一项。",
    tor_exit: "Tor 网络的出口。足额计分时才有最低风险。",
    proxy: "公开代理或住宅代理的出口。",
    vpn: "VPN 的出口；知道运营方时写明。",
    relay: "隐私中继（例如 iCloud 专用代理）的出口，背后是大量真实用户。",
    hosting: "机房（IDC）或云服务商的网络。本身不算污点，但普通用户很少从机房上网。",
    usage_unknown: "能判断网络用途的来源有应答，但给不出用途。",
    broadcast: "注册地与使用地不是同一个国家或地区；具体是哪两个，不影响扣分。",
    botnet_controller: "被列为僵尸网络的控制服务器。足额计分时才有最低风险。",
    severe_listing: "所在网段被列为已遭劫持或由犯罪团伙控制。足额计分时才有最低风险。",
    blocklists:
      "指控该地址滥用的黑名单，按数据方计数（同一家的其余名单少计，见下文），只有一家的那一档已经减半。含义未公开的返回码另计，每家计一次，最多两家。",
    abuse_score: "举报来源给出的评分，取衰减后最高的一个；评分本身已汇总多人举报，因此只有一家也足额计分。",
    attack_history: "有记录的攻击次数，取衰减后最高的一个来源；各来源看到的是同一批攻击，不相加。",
    exposed_vulnerabilities: "公网扫描看到的已知漏洞数。扫描方按版本推断，未验证，因此权重小。",
    open_ports: "代理或 VPN 的常用端口开放，或非机房地址的远程管理端口开放，只是弱线索。",
    shared_address: "同一地址上观察到的设备数；移动网络与公共服务不计。",
    anonymity_cap: "匿名类扣分的上限，超出部分加回。",
    network_cap: "网络类扣分的上限，超出部分加回。",
    lists_cap: "黑名单类扣分的上限，超出部分加回。",
    abuse_cap: "滥用类扣分的上限，超出部分加回。",
    exposure_cap: "端口与漏洞类扣分的上限，超出部分加回。",
    shared_line_relief: "移动网络或多人共用的线路，黑名单与滥用类扣分按此比例加回。",
    residential_agreement:
      "至少两家独立数据认定为家宽（住宅），其中至少一家明确给出，没有来源认定它是代理类出口，也没有名单因滥用列入它。",
    verified_crawler: "经官方名单或正反向 DNS 确认的搜索引擎爬虫，匿名与网络类扣分按此比例加回。",
    public_infrastructure:
      "公共 DNS 解析服务或根服务器，不是上网出口；匿名、网络、黑名单与滥用类扣分按此比例加回，最低风险不受影响。",
    carried_fading: "本次没有应答的来源，沿用其先前的不利结果；此后按时间衰减的部分在此加回。",
    not_obtained:
      "未知即中性：高于 50 分的部分，按查到的数据所占的比例计入，取总体、匿名类、黑名单类三者中最低的比例；50 分及以下不受影响。",
  },
  points: (points) => `${points} 分`,
  pointsBack: (points) => `加回 ${points} 分`,
  floor: (floor) => `最低风险 ${floor}`,
  least: (points) => `至少 ${points} 分，减免后也不低于此`,
  cap: (cap) => `上限 ${cap} 分`,
  counted: ({ least, enough, most }) =>
    `不足 ${percent(enough)} 时，高于 50 的部分按比例计入，计入比例最低 ${percent(least)}（查到 0% 时），且最高 ${most} 分`,
  share: (share) => `加回 ${percent(share)}`,
  step: (from, points, measure) => `${measure} ≥ ${from}：${points} 分`,
  measures: {
    blocklists: "列入的数据方",
    abuse_score: "评分",
    attack_history: "攻击次数",
    exposed_vulnerabilities: "漏洞数",
    shared_address: "设备数",
  },
  weighingTitle: "数据如何计权",
  weighing: [
    ({ loneShare }) =>
      `看几家独立数据认定，不看来源个数。只有 1 家认定时按 ${percent(loneShare)} 计分，2 家及以上足额计分。`,
    () => "权威来源（例如 Tor 项目对自己的出口）单独认定即足额计分，报告里会写明。",
    ({ subnetShare }) =>
      `只知道 IPv6 地址所在的 /64 网段如此、不是该地址本身时，再按 ${percent(subnetShare)} 计分，报告里会写明。`,
    ({ halfLifeDays, forgottenDays }) =>
      `带日期的举报每 ${halfLifeDays} 天减半，超过 ${forgottenDays} 天不再计。没有日期的足额计分。`,
    ({ furtherList }) =>
      `黑名单按数据方计数：每家的第一个名单算一家，其余名单各按一家的 ${percent(furtherList)} 计，合计最多再算一家。汇总型名单只报告有几个名单列入该地址，按这个数减一计，五个及以上算五家。两档之间按比例计分。`,
    ({ carried }) =>
      `重新查询时若来源没有应答，沿用其先前的不利结果及日期：起初足额计分，此后每 ${carried.halfLifeDays} 天减半，超过 ${carried.days} 天不再计，来源再次应答后不再沿用。`,
    () => "每项分值取整到半分，页面显示多少就计多少。",
  ],
  bandsTitle: "纯净度等级",
  confidenceTitle: "置信度",
  confidence: [
    ({ confidence }, evidenceKinds) =>
      `高：按来源权重，应查的数据查到 ${percent(confidence.high)} 以上；${evidenceKinds.join("、")}各至少有一个来源应答；至少有一个实时查询的黑名单应答（只靠下载的名单不够）；每一类可能扣分的数据都查到 ${percent(confidence.kind)} 以上，且不含沿用的不利结果。`,
    ({ confidence }) =>
      `中：查到 ${percent(confidence.medium)} 以上，并且匿名识别与黑名单至少有一类查到数据。`,
    () => "低：其余情形；没有任何实时来源应答时一律为低。此时结论会写明有多少来源应答。",
    ({ confidence }) => `应查的黑名单有 1/${confidence.listsOneIn} 以上应答，黑名单这一类才算查到数据。`,
    ({ confidence }) => `下载的名单或内置数据表若较旧，只按其权重的 ${percent(confidence.ageing)} 算作查到。`,
    () => "已入库的报告超过时效后，显示的置信度降一级：高降为中，中降为低。纯净度不会仅因时间推移而改变。",
  ],
  evidenceKinds: {
    network: "网络",
    location: "位置",
    registry: "注册信息",
    anonymity: "匿名",
    lists: "黑名单",
    abuse: "滥用",
    exposure: "端口与漏洞",
  },
  rangeTitle: "覆盖度与范围",
  range: [
    () => "覆盖度是应查的数据实际查到的比例，按来源权重计，有总计，也分类别。已关闭的来源算作没有查到数据。",
    () =>
      "范围是统计值：数据全部查到后，同类地址（取下表中第一个已确认的，否则按网络类别）中 95% 的已标注地址，纯净度不低于下限。上限是不计“数据不足”一项时的纯净度。下表是某一类数据完全没有查到时最多还会扣的分；只缺一部分时按比例折算，已有不利结果的地址折算得更多。各类合计不超过最后一列，每一类连同已扣的分也不超过自己的上限。全部查到时，两端都等于纯净度。",
    () => "分值由公开名单中的已知地址测得，其中代理类出口与攻击者的比例远高于真实网络，因此下限偏保守。",
  ],
  kindOfAddress: "地址类别",
  rangeKinds: { tor: "已知 Tor 出口", vpn: "已知 VPN 或代理", listed: "已列入黑名单" },
  together: "合计",
  scenariosTitle: "使用场景",
  scenarios: [
    () =>
      "六个场景各有自己的扣分表，得分不是由纯净度换算的。每项从 100 分里扣除下表的分值；IP 类型与出口种类往往说的是同一台机器，两者中较小的一个减半；出口种类取扣分最多的一种，并按上述方法计权。",
    ({ criticalListing, maxScores }) =>
      `被列为僵尸网络控制端或犯罪网段时，每个场景各扣 ${criticalListing} 分。匿名识别与黑名单两类数据都没有查到时，得分最高 ${maxScores.withoutCore}；只缺该场景必查的一类时，最高 ${maxScores.withoutNeeded}。`,
  ],
  reading: "项目",
  readings: {
    tor: "Tor 出口",
    proxy: "代理",
    vpn: "VPN",
    relay: "隐私中继",
    broadcast: "广播 IP",
    lists: "列入的黑名单 1 家 / 2 家 / 3 家及以上",
    policy: "被声明为不应直接发信的用户网段",
    abuse: "滥用扣分达到上限时（未达到则按比例）",
    shared: "设备数达到最高一档（低一档减半）",
    needs: "必查项",
  },
  levelsTitle: "场景等级",
  regionsTitle: "各类服务的地区",
  regions: [
    () =>
      `依据各服务公布的支持地区，表中列出名单日期；没有公布名单的服务不列入。多数服务只公布支持谁，所以「不支持」只表示不在名单上。香港和澳门各自判断，其他属地随其所属国家。`,
    ({ maxScores }) =>
      `至少两家服务全部不支持：地区受限，不打分。部分服务不支持，或来源对所在地说法不一且支持情况不同：最高 ${maxScores.regionPartial}。无法确认：最高 ${maxScores.regionUnclear}。`,
  ],
  vendor: "服务",
  use: "场景",
  listed: "名单日期",
  unsupported: "不在名单上",
  unclear: "无法确认",
  none: "无",
  accuracyTitle: "判断有多准",
  accuracyLead: ({ date, independent }) =>
    `${date} 用已知真实情况的公开地址集测得，只用本地数据表，未查询任何实时来源。落在随程序附带名单内的地址不计入，否则只是复述名单；名称自称机房的普通网络也不计入。${independent.date} 的独立结果来自与本项目隔开的地址。`,
  notMeasurable: [
    "住宅代理无法测量：没有公开的标注集。",
    "企业专线无法测量：没有公开标注集把它与家庭宽带区分开。",
    "滥用举报的可信度无法测量：没有人公布哪些举报属实。",
  ],
  ownMeasurement: ({ date, version, measured }) => `自测，${date}，版本 ${version}，${measured.rows} 个地址`,
  independent: ({ independent: { date, version } }) => `独立测量，${date}，版本 ${version}`,
  measuredItem: "项目",
  found: "召回率（95% 区间），样本数",
  rightWhenSaid: "精确率",
  falseAlarms: "误报率",
  bandsAreBad: "各档地址中出口或被列入黑名单的比例",
  isBad: "有问题的比例",
  sourcesAgree: "认定同一种出口的来源数",
  isTrue: "属实的比例",
  calibration: (error) =>
    `纯净度的期望校准误差：${error.toFixed(3)}。标注集中的出口远多于真实网络，而且未查询实时来源时纯净度都接近中性。`,
  rows: "样本数",
  byTables: "仅数据表",
  byLists: "加下载的名单",
  accuracyItems: { tor: "Tor 出口", vpn: "VPN", listed: "已列入黑名单" },
  independentItems: {
    hosting: "机房：识别出",
    hosting_outside: "机房：附带名单之外识别出",
    vpn: "VPN 服务器：识别出",
    vpn_outside: "VPN 服务器：附带名单之外识别出",
    vpn_old: "2023 年的 VPN 服务器：识别出",
    tor: "Tor 出口：识别出",
    relay: "隐私中继：识别出",
    crawler: "爬虫：识别出",
    proxy: "开放代理：识别出",
    ordinary_exit: "普通网络被误判为出口",
    ordinary_hosting: "普通网络被误判为机房",
    as_type: "AS 类别正确",
    as_type_wrong: "AS 类别错误",
    well_known: "知名地址判断正确",
    listed_neutral: "列入五个以上名单而纯净度不低于 50",
    host_name: "主机名类别正确",
    host_name_wrong: "主机名类别错误",
  },
  sourcesTitle: "数据方与来源",
  sources: "同一数据方的来源出自同一份数据，只算一家。权重只用于衡量查到了多少数据，不影响扣分。",
  family: "数据方",
  members: "来源（权重）",
  covers: "能说明",
  kinds: { free: "公开", commercial: "商业" },
  changesTitle: "规则变更记录",
  changes: {
    first_rules: "第一版规则。",
    lists_weigh_more:
      "黑名单各档扣分提高，并增加四家与五家两档，类别上限由 35 提到 55：被一个名单列入的地址不应仍算极纯净，被五家独立名单列入的不应仍算纯净。场景表中的黑名单分值相应调整。",
    agreed_vpn_not_clean: "VPN 由 30 分提到 32 分：两家独立数据认定的 VPN 出口不应仍算纯净。",
    infrastructure_in_full: "公共 DNS 与根服务器的加回扩大到匿名与网络类：它们不是上网出口。",
    subnet_by_half: "只知道 IPv6 同一 /64 网段如此的，减半计分，并在报告里写明。",
    verdict_tells_thinness:
      "置信度低时，结论写明有多少来源应答；只有一家认定或只知道其 /64 网段时，结论也写明。分数不变。",
    remote_access_ports:
      "SSH、Telnet、远程桌面与 VNC（22、23、3389、5900）在非机房地址上开放时，计入端口开放。",
    regions_by_vendor:
      "AI 地区按厂商分别判断：部分厂商不支持、无法确认、来源说法不一，各有说法与上限。每个场景给出至少两条理由。",
    calibrated:
      "Tor 出口由 60 分提到 62 分，上限随之提高：只有一家认定时也不再算纯净。机房由 20 分提到 22 分，不再可能为最高一档。有名单因滥用列入时，不再因多家认定为家宽而加回分数。高置信度须有至少一个实时查询的黑名单应答。",
    range_by_coverage: "报告给出应查的数据查到了多少，以及纯净度的范围。",
    lists_by_voices:
      "汇总型名单按其报告的名单数计，最多算四家；同一数据方的其余名单也少量计入。此前列入八个名单也可能只算一家。",
    consensus_is_authority:
      "Tor 共识与出口名单一样算权威来源：由它认定的出口最高只到可疑，IPv4 与 IPv6 相同。下载的出口名单计入匿名类查到的比例。",
    accusations_carried:
      "重新查询时若来源没有应答，沿用其先前的不利结果，并按时间衰减。高置信度要求每一类可能扣分的数据都查到一半以上。",
    undocumented_codes: "黑名单返回含义未公开的返回码或 127.0.0.1 时，不再扣分，该名单按没有应答处理。",
    unknown_is_neutral: "高于 50 分的部分按查到的数据比例计入。此前什么都没查到的地址也有 100 分。",
    agreed_proxy_suspicious: "有两个数据方确认的代理最高只到可疑：扣分由 40 改为 56。",
    listed_not_pristine: "列入黑名单的地址不再评为极纯净。",
    five_lists_count: "汇总型名单报告五个及以上名单时算五家；此前最多算四家。",
    regions_by_use: "除 AI 外，流媒体、社交与购物也按服务公布的支持地区判断。",
    range_by_kind: "可能范围按已知情况分别计算：Tor 出口、VPN 与代理、已列入黑名单的地址各有一行。",
    medium_needs_anonymity: "中等置信度要求匿名类有应答。",
    outvoted_hosting: "只有一个数据方称其为机房、另有两个数据方给出其他用途时，不再判为机房。",
    age_lowers_confidence:
      "较旧的名单与数据表在衡量查到多少数据时减半，超过时效的已入库报告置信度降一级。分数不变。",
  },
};
