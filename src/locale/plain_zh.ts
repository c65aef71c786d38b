import { BAND_THRESHOLDS } from "#scoring";
import type { PlainTexts } from "./plain_texts.ts";
import { zh } from "./zh.ts";

/** 简体中文。 */
export const plainZh: PlainTexts = {
  answered: "有记录",
  foundNothing: "无记录",
  failed: "失败",
  skipped: "跳过",
  comma: "、",
  lead: (reason) => `${reason}：`,
  pair: (name, value) => `${name}：${value}`,
  fact: "说明或原因",
  method: "评分方法",
  attackKinds: "攻击类型",
  badge: "IP 纯净度",
  above: (lines) => `以上 ${lines} 项`,
  legend: "图例",
  terms: [
    [
      "纯净度",
      `0 到 100，越高越干净：${BAND_THRESHOLDS.map(([band, from]) =>
        from === 0 ? `更低为${zh.bands[band]}` : `${from} 起为${zh.bands[band]}`,
      ).join("，")}。`,
    ],
    ["置信度", "应听取的依据实际听到了多少；不表示地址是否干净。"],
    ["一致度", "认定该标记的独立来源数，权威来源算作两个；为 1 时按半权计分。"],
    ["使用场景", "0 到 100，越高越合适；-- 表示不评分。"],
    ["*", "商业来源；其余均为公开来源。"],
  ],
  noSignals: "未见风险信号不等于安全；转述结论时，请一并说明仅凭 IP 无法得知的事。",
};
