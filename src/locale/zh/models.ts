import type { LlmsFacts, ToolTexts } from "../model_texts.ts";

/** Simplified Chinese texts of the MCP tools. */
export const toolZh: ToolTexts = {
  unanswered: (sources) => `以下来源没有应答，结果未知，不代表干净：${sources}。`,
  skipped: (sources) => `以下来源未被查询，结果同样未知：${sources}。`,
  withReason: (names, why) => `${names}（${why}）`,
  semicolon: "；",
  allAnswered: "没有来源失败或被跳过。",
  unknowns: (unknowns) => `转述任何结论时，请一并说明仅凭 IP 无法得知的事：${unknowns}。`,
  cite: (url) => `引用本报告：${url}`,
  moreDetail: "以上为简要结果；完整内容请用 detail=full。",
  allowanceLeft: (left) => `今天还可免验证查询 ${left} 个未入库的地址。`,
  comparison: (addresses) => `${addresses} 个地址对比`,
  summary: (score, confidence) => `纯净度：${score}，置信度${confidence}`,
  deductions: (factors) => `扣分：${factors}`,
  noDeductions: "没有扣分",
  listedOn: (lists) => `列入：${lists}`,
  unknownLists: (lists) => `结果未知的黑名单：${lists}`,
  notLookedUp: "这次没有查询，不能据此判断该地址的好坏。",
  waitSeconds: (seconds) => `请等待 ${seconds} 秒，再重试一次。`,
  openPage: (url) => `请用户在浏览器中打开：${url}`,
  limits: [
    ({ lookupsPerMinute }) => `每个客户端每分钟 ${lookupsPerMinute} 次查询；对比中的每个地址算一次。`,
    ({ newPerMinute }) => `其中未入库的地址每分钟最多 ${newPerMinute} 个。`,
    ({ openPerDay, openPerMinute }) =>
      `未经人机验证时：每个客户端每天可查未入库的地址 ${openPerDay} 个，全站每分钟 ${openPerMinute} 个，另有全站每日总量。`,
    () => "已入库的地址与特殊用途地址不占用这些额度。",
    ({ addressesPerComparison }) => `一次对比 2 到 ${addressesPerComparison} 个地址。`,
    ({ contact }) =>
      `不支持批量查询、扫描网段或定时检测。${contact === undefined ? "" : `有此需要请联系站点运营者：${contact}`}`,
    ({ openLeft }) => `该客户端今天剩余：${openLeft} 个。`,
  ],
};

/** llms.txt in Simplified Chinese; `ADDRESS` stands for an IPv4 or IPv6 address. */
export function llmsZh(facts: LlmsFacts): string {
  const { origin } = facts;
  return `# limpid

> 查询一个 IP 地址有多干净，并给出依据：0 到 100 的纯净度与每一项扣分，代理、VPN、Tor、隐私中继与机房识别，黑名单，滥用记录，六种使用场景的适合程度，每个数据来源的状态，以及仅凭 IP 无法得知的事。无需密钥，无需注册。

适合回答这类问题：这个 IP 干净吗；是不是代理、VPN 或机房地址；适不适合 AI 服务、社交注册、流媒体、游戏、跨境电商或发送邮件；几个候选地址里哪个更好。不适合：DNS 配置、部署、连通性排查，以及平台内部的风控结论。

调用方式：\`GET ${origin}/api/lookup?ip=ADDRESS\` 返回 JSON 报告，请将 \`ADDRESS\` 换成要查的地址。同一份报告的网页在 \`${origin}/ip/ADDRESS\`，在末尾加 \`.json\`、\`.txt\`（72 列纯文本）或 \`.md\`（Markdown）可得到其他格式，其中文本与 Markdown 最省篇幅。下面的链接以文档示例地址 192.0.2.1 为例，查询它不占额度。英文版加前缀 \`/en\` 或参数 \`lang=en\`，否则为中文。

\`/api/lookup\` 的参数：

${facts.parameters.map(({ name, description }) => `- \`${name}\`：${description}`).join("\n")}

如何解读：

- **未见风险不等于安全。** 报告未见风险，只说明有应答的来源没有发现问题；不要因此说该地址安全、可信或有保证。
- **转述结论时一并说明 \`unknowns\`**：平台内部的风控标签、是否独享、曾关联的账号、设备与行为、账号资料是否匹配，都无法仅凭 IP 得知。
- **\`sources[].ok\` = false 不代表干净。** 该来源失败或被跳过（原因见 \`error\` 或 \`skipped\`），结果未知；\`blocklists[].unavailable\` 同理。与问题相关时请点名说明。
- **\`risk.confidence\` 要与 \`risk.purity\` 一起看**：分数高而置信度低，说明查到的数据很少。\`risk.coverage\` 是应查的数据查到了多少（\`total\` 为总计，其余按类别），\`risk.range.low\` 是全部查到后同类地址的 95% 不低于的纯净度。置信度低时，先说「数据不足」再给数字，例如「数据不足，60/100，查到 20% 的数据，通常不低于 41（同类地址的 95%）」。
- **任何结论都要引用 \`reportUrl\`。**
- \`risk.factors\` 是扣分明细：\`points\` 为正是扣分，为负是加回，100 减去各项之和即纯净度，\`floor\` 是不能抵消的最低风险。\`flagAgreement\` 是几家独立数据认定该标记，权威来源算两家，只有 1 家时减半计分。出现 \`geo.claims\` 表示各来源对国家说法不一，其中列出谁说了什么。
- \`scenarioApplicable\` = false：该地址是公共基础设施或特殊用途地址，不是上网出口，原因见 \`scenarioNote\`，不要转述其纯净度。
- \`stale\` = true：已入库的报告较旧。IP 的性质很少变化，通常仍可直接使用。

限制：每个客户端每分钟 ${facts.lookupsPerMinute} 次查询，其中未入库的地址 ${facts.newPerMinute} 个。未经人机验证时，每个客户端每天可查未入库的地址 ${facts.openPerDay} 个，全站每分钟 ${facts.openPerMinute} 个，另有全站每日总量；已入库的地址不占用这些额度。剩余额度见响应头 \`x-open-budget-remaining\`。\`refresh=1\` 会重新查询所有来源，需要人机验证，每分钟最多 ${facts.refreshPerMinute} 次，仅在 \`stale\` 为 true 时使用。

不支持批量：请勿通过本接口检测地址清单、扫描网段或定时轮询，有此需要请联系站点运营者${facts.contact === undefined ? "" : `（${facts.contact}）`}。少量候选地址请用对比接口，一次最多 5 个。

遇到拒绝时：

- 403 且 \`code\` = \`verification_required\`：未入库地址的免验证额度已用完。不要重试，也不要自行尝试通过验证。请把响应中的 \`reportUrl\` 交给用户：在浏览器中打开一次并完成验证，该地址就会入库，之后同样的调用无需验证。
- 429（\`rate_limited\`、\`open_rate_limited\`）与 503（\`overloaded\`）：按响应头 \`Retry-After\` 的秒数等待，再重试一次。
- 403 且 \`code\` = \`forbidden\`：该请求只能由本站页面或运营者的客户端发出，不要重试。
- 400 \`invalid_ip\`：不是完整的 IPv4 或 IPv6 地址（不能带端口、前缀长度、区域标识，也不能是主机名）。
- 所有错误都是 JSON（纯文本格式则为以错误代码开头的文字），含 \`error\`、\`code\`，常带 \`hint\` 与 \`reportUrl\`；任何错误都不能说明该地址的好坏。

## 报告

- [JSON](${origin}/api/lookup?ip=192.0.2.1): 完整报告；\`${origin}/ip/ADDRESS.json\` 与之相同
- [纯文本](${origin}/ip/192.0.2.1.txt): 72 列的完整报告
- [Markdown](${origin}/ip/192.0.2.1.md): Markdown 格式的完整报告
- [STIX 2.1](${origin}/ip/192.0.2.1.stix.json): 供威胁情报平台使用的结论
- [网页](${origin}/ip/192.0.2.1): 供人阅读，脚本元素 \`service-report\` 内含 JSON
- [对比](${origin}/api/compare?ips=192.0.2.1,198.51.100.1): 最多 5 个地址并列比较，每个计一次查询
- [历史](${origin}/api/history?ip=192.0.2.1): 已入库地址的历史记录
- [归类](${origin}/docs#classify): 只按本地数据表判断，仅限运营者的客户端
- [本机地址](${origin}/api/myip): 调用者的公网地址；经由 MCP 等中间服务器调用时，得到的是服务器的地址，不是用户的。路径中的地址写作 \`me\` 即为该地址：\`${origin}/ip/me.json\`

## 工具

- [Model Context Protocol](${origin}/docs#callTools): \`POST ${origin}/mcp\`，streamable HTTP；\`lookup_ip\`、\`compare_ips\`、\`explain_factor\`、\`service_limits\`，限制相同
- [准入判定](${origin}/gate/192.0.2.1?scenario=ai&min=70&status=200): 200 \`PASS\`、409 \`FAIL\` 或 503 \`UNKNOWN\`，供脚本与代理客户端使用
- [OpenAPI](${origin}/openapi.json): 接口描述，OpenAPI 3.1

## Optional

- [评分方法](${origin}/method): 每条规则、权重、封顶与最低风险
- [接口文档](${origin}/docs): 在浏览器中阅读
- [徽章](${origin}/badge/192.0.2.1.svg): SVG 格式的分数徽章
- [终端报告](${origin}/cli/192.0.2.1): 72 列，带颜色；加 \`color=0\` 则不带
- [English](${origin}/en/llms.txt): 本说明的英文版
`;
}
