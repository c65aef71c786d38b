import type { PageTexts } from "./page_texts.ts";

/** Chinese words of the pages. */
export const pageZh: PageTexts = {
  pages: "本页",
  more: "全站",
  home: "首页",
  compare: "对比",
  docs: "接口文档",
  forModels: "给模型的说明",

  asMarkdown: "Markdown",
  otherShapes: "其他格式",
  refresh: "重新查询",
  removal: "查看或申请移除",
  outcomes: { answered: "有结果", foundNothing: "应答但没有记录", failed: "失败", skipped: "跳过" },
  detail: "说明",
  citation: ({ ip, purity, band, confidence, moment }) =>
    `${ip}：纯净度 ${purity}/100（${band}），置信度${confidence}，查询于 ${moment}。`,

  history: "历次结论",
  historyFacts: ({ count, from, to, lowest, highest }) =>
    lowest === highest
      ? `${from} 至 ${to} 共 ${count} 次结论，纯净度一直是 ${lowest}。`
      : `${from} 至 ${to} 共 ${count} 次结论，纯净度在 ${lowest} 到 ${highest} 之间。`,
  historyTable: "逐次列出",
  date: "日期",
  band: "等级",
  scoringVersion: "评分版本",
  scoringChanged: (from, to, date) =>
    `虚线：${date} 起评分方法由版本 ${from} 改为版本 ${to}，前后的分数不宜直接比较。`,

  slogan: "一个 IP 有多干净？",
  homeDescription:
    "查询任一 IPv4 或 IPv6 地址的纯净度：代理、VPN、Tor 与机房识别，黑名单，滥用记录，六种使用场景，每一分扣在哪里都有依据。",
  homeLead: "输入一个地址，得到纯净度、每一项扣分的依据，以及没有查到的部分。",
  field: "IP 地址",
  fieldHint: "IPv4 或 IPv6。带方括号、端口、空格的地址或整条网址也可以直接粘贴。",
  look: "查询",
  yourAddress: "你的地址",
  yourReport: "查看报告",
  aboutTitle: "报告里有什么",
  about: [
    ["纯净度与置信度", "0 到 100 分，越高越干净；有多少来源应答另外列出，两者分开看。"],
    ["逐项扣分", "从 100 分起，每一项扣了多少、依据是谁说的，加起来就是结果。"],
    ["六种使用场景", "AI 服务、社交注册、流媒体、游戏、跨境电商、邮件发送，各有评分和理由。"],
    [
      "查不到的也写明",
      "没有应答的来源、没有听到的名单、仅凭 IP 无法得知的事，都写在报告里。没查到风险不等于没有风险。",
    ],
  ],
  compareTitle: "对比几个地址",
  compareDescription:
    "把最多五个候选 IP 并排比较：纯净度、置信度、使用类型、标记、六种场景、黑名单与主要扣分项。",
  compareField: "候选地址",
  compareHint: "最多五个，用逗号、空格或换行分开。",
  compareLook: "对比",
  shellTitle: "在终端里",
  shellLead: "不需要密钥，也不需要注册。",
  shellMine: "自己的公网地址",
  shellReport: "带颜色的报告",
  shellData: "完整数据（JSON）",
  shellText: "72 列纯文本",
  linksTitle: "更多",
  methodLink: "评分方法：每条规则、每个数字",
  docsLink: "接口文档",
  modelsLink: "给模型和智能体的说明（llms.txt）",

  candidate: "地址",
  nothingCompared: "填入两到五个地址，结果会并排列在这里。",
  compareCaption: "每列一个地址，顺序与输入一致",
  notHad: "未能得到的",
  listedOn: "黑名单列入",
  unheardLists: "名单未知",
  topDeductions: "主要扣分",
  fullReport: "完整报告",

  given: "收到的内容",
  examples: "可以这样写",
  examplesHint: "一次一个完整的地址：",
  waitFor: (seconds) => `请等待 ${seconds} 秒再试。`,
  waitOver: "现在可以重试了。",
  tryAgain: "再试一次",
  openReport: "打开该地址的报告",
  code: "代码",
  goHome: "回到首页",
};
