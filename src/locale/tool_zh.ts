import type { ToolTexts } from "./tool_texts.ts";

/** 供模型使用的工具所答的中文文本。 */
export const toolZh: ToolTexts = {
  notHeard: (sources) => `以下来源未能给出结果，其看法未知，不代表干净：${sources}。`,
  notAsked: (sources) => `以下来源未被询问，其看法同样未知：${sources}。`,
  reasoned: (names, why) => `${names}（${why}）`,
  semicolon: "；",
  allHeard: "没有来源失败或被跳过。",
  passOn: (unknowns) => `转述任何结论时，请一并说明仅凭 IP 无法得知的事：${unknowns}。`,
  cite: (url) => `引用本报告：${url}`,
  openLeft: (left) => `今天还可免验证查询的未入库地址：${left} 个。`,
  comparison: (addresses) => `${addresses} 个地址对比`,
  summary: (purity, band, confidence) => `纯净度 ${purity}/100，${band}，置信度${confidence}`,
  deductions: (factors) => `扣分：${factors}`,
  noDeductions: "没有扣分",
  listedOn: (lists) => `列入：${lists}`,
  listsNotHeard: (lists) => `未能查询的黑名单：${lists}`,
  noFinding: "这次没有查询，因此不说明该地址的好坏。",
  waitSeconds: (seconds) => `请等待 ${seconds} 秒，再重试一次。`,
  openPage: (url) => `请用户在浏览器中打开：${url}`,
  limits: [
    ({ lookupsPerMinute }) => `每个客户端每分钟 ${lookupsPerMinute} 次查询；对比中的每个地址算一次。`,
    ({ newPerMinute }) => `其中未入库的地址每分钟最多 ${newPerMinute} 个。`,
    ({ openPerDay, openPerMinute }) =>
      `未经人机验证时：每个客户端每天可查未入库的地址 ${openPerDay} 个，全站每分钟 ${openPerMinute} 个，另有全站每日总量。`,
    () => "已入库的地址与特殊用途地址不占用这些额度。",
    ({ addressesPerComparison }) => `一次对比 2 到 ${addressesPerComparison} 个地址。`,
    () => "不支持批量查询、扫描网段或定时检测。",
    ({ openLeft }) => `该客户端今天剩余：${openLeft} 个。`,
  ],
};
