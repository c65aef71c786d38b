import type { Data } from "#report";
import { factList, factText, findNumber, findText } from "../facts.ts";
import type { ProblemTexts } from "../report_texts.ts";

function retryHint(data: Data): string {
  const seconds = findNumber(data, "retryAfterSeconds");
  return seconds === undefined ? "请稍后重试。" : `请在 ${seconds} 秒后重试。`;
}

function verificationError(data: Data): string {
  const limit = findNumber(data, "limit");
  switch (findText(data, "reason")) {
    case "refresh":
      return "重新查询需要先完成人机验证。";
    case "client_day":
      if (limit === 0) return "查询未入库的地址需要先完成人机验证。";
      return limit === undefined
        ? "您今天免验证查询未入库地址的额度已用完，需要先完成人机验证。"
        : `您今天免验证查询 ${limit} 个未入库地址的额度已用完，需要先完成人机验证。`;
    case "total_day":
      return "全站今天免验证查询未入库地址的总额度已用完，需要先完成人机验证。";
    default:
      return "免验证查询未入库地址的额度已用完，需要先完成人机验证。";
  }
}

function verificationHint(data: Data): string {
  if (findText(data, "reason") === "refresh")
    return "请在浏览器中打开 reportUrl，完成一次验证；30 分钟内该浏览器可以继续重新查询。";
  const once = "请在浏览器中打开 reportUrl 完成一次验证；该地址随即入库，以后查询不再需要验证。";
  // An allowance of 0 is not reset.
  const isReset = findNumber(data, "limit") !== 0;
  return `${once}${isReset ? "免验证额度在 UTC 零点重新计算。" : ""}${contactHint(data)}`;
}

/** How to reach the operator about more requests, if the operator says so. */
function contactHint(data: Data): string {
  const contact = findText(data, "contact");
  return contact === undefined ? "" : `如需更多查询，请联系站点运营者：${contact}`;
}

function forbiddenError(data: Data): string {
  switch (findText(data, "reason")) {
    case "no_proxy":
      return "没有受信任的代理在 X-Forwarded-For 中给出访客地址。";
    case "not_exempt":
      return "该请求只对运营者指定的客户端开放。";
    case "feedback":
      return "评价之前需要先完成人机验证。";
    case "failed":
      return "人机验证未通过。";
    case "expired":
      return "人机验证已过期。";
    case "replayed":
      return "这次人机验证的结果已经用过。";
    case "unavailable":
      return "暂时无法核实人机验证的结果。";
    default:
      return "该请求只能由本站页面发出。";
  }
}

function forbiddenHint(data: Data): string {
  switch (findText(data, "reason")) {
    case "no_proxy":
      return "请把网站服务器的地址写入 LIMPID_TRUSTED_PROXIES，并让它发送 X-Forwarded-For。";
    case "not_exempt":
      return "请运营者把客户端的地址加入 LIMPID_EXEMPT_CLIENTS。其他人可以使用 /api/lookup。";
    case "feedback":
      return "请在浏览器中打开 reportUrl，在该页面完成验证后再评价。";
    case "failed":
    case "expired":
    case "replayed":
      return "请重新完成一次验证。";
    case "unavailable":
      return "请过一会儿重新验证；查询已入库的地址不受影响。";
    default:
      return "请在浏览器中打开本站的页面，在页面上操作。";
  }
}

function rateLimitError(data: Data): string {
  const limit = findNumber(data, "limit");
  if (limit === undefined) return "请求过于频繁。";
  switch (findText(data, "reason")) {
    case "new_per_minute":
      return `请求过于频繁：每分钟最多查询 ${limit} 个未入库的地址。`;
    case "refresh_per_minute":
      return `请求过于频繁：每分钟最多重新查询 ${limit} 次。`;
    default:
      return `请求过于频繁：每分钟最多 ${limit} 次。`;
  }
}

/** The values of a language: a client that reads neither hint learns them from the error. */
function offered(data: Data): string {
  const allowed = factList(data, "allowed");
  return findText(data, "parameter") === "lang" && allowed.length > 0 ? `，可选：${allowed.join("、")}` : "";
}

const NETWORK_ERRORS: Readonly<Record<string, (value: string) => string>> = {
  not_prefix: (value) => `「${value}」不是有效的网段。`,
  prefix_too_wide: (value) => `网段「${value}」过大。`,
  special_space: (value) => `「${value}」属于特殊用途地址，没有公网邻居。`,
  not_as: (value) => `「${value}」不是有效的 AS 编号。`,
};

const NETWORK_HINTS: Readonly<Record<string, string>> = {
  not_prefix: "请填写首个地址、斜线和前缀长度，例如 198.51.100.0/24。",
  prefix_too_wide: "IPv4 最大为 /8，IPv6 最大为 /19。",
  special_space: "请填写公网地址的网段。",
  not_as: "请填写 1 到 4294967295 的编号，例如 15169 或 AS15169。",
};

/** Simplified Chinese texts of every error code. */
export const problemsZh: ProblemTexts = {
  invalid_ip: {
    error: (data) => {
      const input = findText(data, "input");
      return input === undefined ? "不是有效的 IP 地址。" : `「${input}」不是有效的 IP 地址。`;
    },
    hint: () => "请填写一个完整的 IPv4 或 IPv6 地址，不带端口、前缀长度、区域标识或空格。",
  },
  invalid_parameter: {
    error: (data) => {
      const network = NETWORK_ERRORS[String(data.reason)];
      if (network !== undefined) return network(findText(data, "value") ?? "");
      if (data.reason === "missing") return `缺少参数 ${factText(data, "parameter")}。`;
      if (data.isArgument === true) return `参数 ${factText(data, "parameter")} 无效。`;
      return data.reason === "too_many_new"
        ? `这个地址未入库，一次对比最多含 ${data.most} 个未入库的地址。`
        : Object.hasOwn(data, "value")
          ? `参数 ${factText(data, "parameter")} 的值「${findText(data, "value") ?? ""}」无效${offered(data)}。`
          : `参数 ${factText(data, "parameter")} 无效或重复出现。`;
    },
    hint: (data) => {
      const network = NETWORK_HINTS[String(data.reason)];
      if (network !== undefined) return network;
      if (data.reason === "too_many_new") return "请先单独查询它，之后就可以加入对比。";
      if (data.reason === "address_count")
        return `请给出 ${data.least} 到 ${data.most} 个不同的地址${data.isArgument === true ? "" : "，以逗号分隔"}。`;
      if (data.reason === "asks_nothing") return "须同时给出 `deny` 或 `min`，否则所有访客都会放行。";
      if (data.reason === "denied_too") return "同一类地址不能既放行又拒绝。";
      const allowed = factList(data, "allowed");
      const parts = [
        ...(allowed.length === 0 ? [] : [`可用的值：${allowed.join("、")}`]),
        ...(data.isArgument === true ? [] : ["每个参数只能出现一次"]),
      ];
      return parts.length === 0 ? "参数的格式见该工具的 inputSchema。" : `${parts.join("；")}。`;
    },
  },
  verification_required: {
    error: verificationError,
    hint: verificationHint,
  },
  forbidden: {
    error: forbiddenError,
    hint: forbiddenHint,
  },
  unauthorized: {
    error: () => "需要访问令牌。",
    hint: () => "请在请求头 Authorization 中提供站点运营者设置的令牌：Bearer 加上令牌。",
  },
  not_found: {
    error: ({ reason, asn }) =>
      reason === "not_announced" ? `网络表中没有 AS${asn}：目前无人广播它。` : "没有这个页面或接口。",
    hint: ({ reason }) =>
      reason === "not_announced"
        ? "请核对编号；刚开始广播的 AS 会在网络表更新后出现。"
        : "全部路径见 /openapi.json。",
  },
  not_in_mirror: {
    error: ({ reason }) => {
      if (reason === "refresh") return "这个只读镜像不会重新查询来源。";
      if (reason === "write") return "这个只读镜像不接受任何提交。";
      return "这个只读镜像中没有该地址。";
    },
    hint: ({ primary, reason }) => {
      if (primary === false) return "它没有说明主站在哪里，请询问站点运营者。";
      if (reason === "write") return "请使用 reportUrl 所指的主站。";
      return "请在 reportUrl 所指的主站查询。";
    },
  },
  method_not_allowed: {
    error: () => "该路径不支持这种请求方法。",
    hint: (data) => {
      const allowed = factList(data, "allowed");
      return allowed.length === 0 ? "可用的方法见响应头 Allow。" : `可用的方法：${allowed.join("、")}。`;
    },
  },
  too_large: { error: () => "请求过大。", hint: () => "请缩短网址、请求头或请求体。" },
  rate_limited: {
    error: rateLimitError,
    hint: (data) => `${retryHint(data)}${contactHint(data)}`,
  },
  open_rate_limited: {
    error: (data) => {
      const limit = findNumber(data, "limit");
      return limit === undefined
        ? "全站免验证查询未入库地址过于频繁。"
        : `全站免验证查询未入库地址过于频繁：所有访客合计每分钟最多 ${limit} 个。`;
    },
    hint: (data) => `${retryHint(data)}${contactHint(data)}`,
  },
  internal: {
    error: () => "服务内部出错，本次请求未能完成。",
    hint: (data) => {
      const id = findText(data, "requestId");
      return id === undefined ? "请稍后重试。" : `请稍后重试；若反复出现，请向站点运营者提供请求编号 ${id}。`;
    },
  },
  overloaded: { error: () => "服务繁忙，暂时无法处理更多请求。", hint: retryHint },
};
