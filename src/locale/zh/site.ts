import type { SiteTexts } from "../site_texts.ts";

/** Simplified Chinese texts of the home page, the comparison and the error pages. */
export const siteZh: SiteTexts = {
  placeholder: "例如 1.2.3.4 或 2001:db8::7",
  exampleTitle: "报告示例",
  exampleFromTables: "本例只用本地数据表，没有查询实时来源，因此置信度低。完整报告还会查询几十个实时来源。",
  exampleStored: (date) => `查询于 ${date}。`,
  exampleLink: "打开完整报告",
  specialTitle: "您的地址",
  special: (ip, note) => `本站看到的来访地址是 ${ip}，它不是普通的公网地址。${note}`,
  specialHint:
    "可能是您与本站在同一个局域网内，也可能是反向代理没有把您的真实地址传给本站。要查自己的公网 IP，请填入上面的输入框。",

  best: "最佳",
  bestNote: "★ 表示该列最佳；并列时都标，全部相同时不标。",
  winner: ({ ip, purity, uses }) =>
    `其中 ${ip} 最干净：纯净度 ${purity}${uses === 0 ? "" : `，六种使用场景中 ${uses} 种得分最高`}。`,
  tie: (addresses, purity) => `${addresses.join("、")} 并列最干净：纯净度都是 ${purity}。`,
  noWinner: "这些地址或数据不足，或不是上网出口，不评最干净的一个。",
  uses: {
    ai: "AI",
    social: "社交",
    streaming: "流媒体",
    gaming: "游戏",
    ecommerce: "电商",
    email: "邮件",
  },
  typeColumn: "类型",
  listsColumn: "黑名单",
  listedOf: (listed, answered) => `${listed} / ${answered}`,
  unknownLists: (count) => `${count} 个未知`,
  bookmark: "本页网址含全部地址，可以收藏或分享。",
};
