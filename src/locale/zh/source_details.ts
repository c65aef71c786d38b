/** Chinese texts of the details that sources give with a failure. Details are English words of limpid itself. */
const DETAILS: Readonly<Record<string, string>> = {
  "a table must not use the network": "本地数据表不得联网",
  "access denied": "拒绝访问",
  "alias without an address": "别名没有指向任何地址",
  "another address": "应答的是另一个地址",
  "another prefix": "应答的是另一个网段",
  "another range": "应答的是另一个网段",
  "answer cut short": "应答不完整",
  "answer outside 127.0.0.0/8": "应答不在 127.0.0.0/8 内",
  "answers outside 127.0.0.0/8": "应答不在 127.0.0.0/8 内",
  cancelled: "已取消",
  "certificate not accepted": "证书无效",
  "connection closed": "连接被关闭",
  "connection failed": "连接失败",
  "connection refused": "连接被拒绝",
  "could not answer": "对方无法应答",
  "damaged content encoding": "内容编码损坏",
  "data too old": "数据过旧",
  "the snapshot is too old": "快照过旧",
  "declines to answer": "拒绝应答",
  denied: "被拒绝",
  "DNS question failed": "DNS 查询失败",
  "does not list its test point": "没有列入自己的测试地址",
  failed: "失败",
  "forward name not heard": "正向解析没有应答",
  "host not allowed": "主机不在允许之列",
  "host not found": "找不到主机",
  "internal error": "对方内部出错",
  "key is not a DNS label": "密钥不能用作 DNS 标签",
  "key not accepted or quota used up": "密钥无效或额度已用完",
  "lists the clear test point": "列入了不应列入的测试地址",
  "malformed DNS answer": "DNS 应答格式有误",
  "no answer for the address": "没有该地址的应答",
  "no answer in time": "超时",
  "no credit left": "余额不足",
  "no detections": "没有识别结果",
  "no free slot in time": "排队超时",
  "no known RDAP service": "没有对应的 RDAP 服务",
  "no range": "没有网段",
  "no result for the address": "没有该地址的结果",
  "no usable content type": "没有可用的内容类型",
  "not a count": "次数格式有误",
  "not a name that can be asked": "名称无法查询",
  "not a score": "评分格式有误",
  "not a URL": "网址无效",
  "not an origin record": "不是路由来源记录",
  "not HTTP": "不是 HTTP 应答",
  "not https": "不是 HTTPS",
  "not JSON": "不是 JSON",
  "not ready": "尚未就绪",
  "not tested in time": "自检超时",
  "not valid UTF-8": "不是有效的 UTF-8",
  "port not allowed": "端口不在允许之列",
  "question no longer supported": "对方已不支持该查询",
  "question not accepted": "对方不接受该查询",
  "question not answered": "对方没有回答",
  "quota used up": "额度已用完",
  "record too long": "记录过长",
  "reduced answer without detections": "应答不含识别结果",
  "refuses questions sent through a proxy": "不接受经代理发出的查询",
  "refuses this resolver": "拒绝本站的 DNS 解析器",
  "survey deadline": "超过本次查询的时限",
  "the resolver denies every name": "DNS 解析器对所有域名都返回不存在",
  "too many at once": "同时请求过多",
  "too many questions": "查询过于频繁",
  "too many redirects": "重定向过多",
  "turned off": "已关闭",
  "under maintenance": "维护中",
  "undocumented code": "含义未公开的返回码",
  "unexpected answer": "应答不符合预期",
  "unknown content encoding": "未知的内容编码",
  "unknown zone name": "名单名称有误",
  "user in the URL": "网址不得带用户名",
};

/** Details with a value inside. `$1` is the value. */
const PATTERNS: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/^shape at (.+)$/, "字段 $1"],
  [/^more than (\d+) bytes$/, "超过 $1 字节"],
  [/^more than (\d+) records$/, "超过 $1 条记录"],
  [/^JSON deeper than (\d+) levels$/, "JSON 超过 $1 层"],
  [/^content type (.+)$/, "内容类型 $1"],
  [/^(.+) is asked instead$/, "改为查询 $1"],
  [/^no IPv(\d) zone$/, "没有 IPv$1 名单"],
  [/^undocumented code (.+)$/, "含义未公开的返回码 $1"],
];

/** Prefixes of a detail. Before the colon stands a failed self-test, or the code with which a DNS list refuses. */
const PREFIX = /^(self-test failed|127(?:\.\d{1,3}){3}): (.+)$/;

/** Translates the detail of a failure. Returns `undefined` for a text that is unknown, such as a list's own words. */
export function translateDetail(detail: string): string | undefined {
  const [, prefix, rest = ""] = PREFIX.exec(detail) ?? [];
  if (prefix !== undefined) {
    return `${prefix === "self-test failed" ? "自检未通过" : prefix}：${translateDetail(rest) ?? rest}`;
  }
  if (Object.hasOwn(DETAILS, detail)) return DETAILS[detail];
  for (const [pattern, text] of PATTERNS) {
    if (pattern.test(detail)) return detail.replace(pattern, text);
  }
  return undefined;
}
