import type { CheckTexts, DocsTexts, PageTexts } from "../page_texts.ts";

/** Simplified Chinese texts of the pages, beside those of the report. */
export const pageZh: PageTexts = {
  pages: "本页",
  more: "全站",
  home: "首页",
  compare: "对比",
  docs: "接口文档",
  forModels: "给大模型的说明",

  asMarkdown: "Markdown",
  otherFormats: "其他格式",
  refresh: "重新查询",
  delisting: "查看或申请移除",
  detail: "说明",
  citation: ({ ip, score, confidence, moment }) =>
    `${ip} 的 IP 纯净度：${score}，置信度${confidence}，查询于 ${moment}。`,

  history: "历史记录",
  historyFacts: ({ count, from, to, lowest, highest }) =>
    lowest === highest
      ? `${from} 至 ${to} 共 ${count} 次记录，纯净度一直是 ${lowest}。`
      : `${from} 至 ${to} 共 ${count} 次记录，纯净度在 ${lowest} 到 ${highest} 之间。`,
  historyTable: "逐次列出",
  date: "日期",
  band: "等级",
  scoringVersion: "评分规则版本",
  scoringChanged: (from, to, date) =>
    `虚线：${date} 起评分规则由第 ${from} 版改为第 ${to} 版，前后的分数不宜直接比较。`,

  slogan: "一个 IP 有多干净？",
  homeDescription:
    "查询任意 IPv4 或 IPv6 地址的纯净度：家宽还是机房，原生还是广播，代理、VPN、Tor 识别，黑名单，滥用记录，六种使用场景，每一分扣在哪里都有依据。",
  homeLead: "输入一个 IP，查看纯净度、每一项扣分的依据，以及哪些数据没有查到。",
  field: "IP 地址",
  fieldHint: "IPv4 或 IPv6。带方括号、端口或空格的地址，甚至整条网址，都可以直接粘贴。",
  lookUp: "查询",
  yourAddress: "您的 IP",
  yourReport: "查看报告",
  aboutTitle: "报告里有什么",
  about: [
    ["纯净度与置信度", "纯净度 0 到 100 分，越高越干净；置信度表示应查的数据查到了多少。两者分开看。"],
    ["逐项扣分", "从 100 分起，每一项扣多少分、谁认定的，逐项列出，加起来就是结果。"],
    ["六种使用场景", "AI 服务、社交注册、流媒体、游戏、跨境电商、邮件发送，各有评分和理由。"],
    [
      "未知的也写明",
      "没有应答的来源、没有结果的黑名单、仅凭 IP 无法得知的事，都写在报告里。未见风险不等于安全。",
    ],
  ],
  compareTitle: "对比多个 IP",
  compareDescription:
    "把最多 20 个候选 IP 并排对比：纯净度、置信度、国家、网络、IP 类型、标记、六种使用场景、黑名单与主要扣分项，标出每项最佳。",
  compareField: "候选 IP",
  compareHint: "最多 20 个，其中未入库（还没有报告）的最多 5 个；用逗号、空格或换行分开。",
  compareSubmit: "对比",
  terminalTitle: "在终端里",
  terminalLead: "不需要密钥，也不需要注册。",
  terminalOwn: "自己的公网 IP",
  terminalReport: "带颜色的报告",
  terminalJson: "完整数据（JSON）",
  terminalText: "72 列纯文本",
  linksTitle: "更多",
  methodLink: "评分方法：每条规则、每个数字",
  docsLink: "接口文档",
  modelsLink: "给大模型和智能体的说明（llms.txt）",

  candidate: "地址",
  compareEmpty: "填入至少两个 IP，结果会并排列在这里。",
  compareCaption: "每行一个 IP，顺序与输入一致",
  notAvailable: "没有结果",
  examples: "可以这样写",
  examplesHint: "每次填一个完整的地址：",
  waitFor: (seconds) => `请等待 ${seconds} 秒再试。`,
  waitOver: "现在可以重试了。",
  tryAgain: "再试一次",
  openReport: "打开该地址的报告",
  code: "错误代码",
  goHome: "回到首页",
};

/** Simplified Chinese texts of the human check, the live progress and the rating form. */
export const checkZh: CheckTexts = {
  title: {
    lookup: (ip) => `完成一次验证，即可查看 ${ip} 的报告`,
    refresh: (ip) => `完成一次验证，即可重新查询 ${ip}`,
    feedback: (ip) => `完成一次验证，即可评价 ${ip}`,
  },
  why: {
    lookup:
      "这个地址未入库（还没有报告），需要查询所有来源。查询免费，但各来源给的额度有限，所以免验证额度用完之后，查询未入库的地址需要先验证是真人。",
    refresh: "这个地址已有报告，重新查询会把所有来源再查一遍。各来源的额度有限，所以需要先验证是真人。",
    feedback: "评价来自正在使用这个地址的人。做一次验证，是为了防止程序刷评价。",
  },
  stepsTitle: "接下来会发生什么",
  steps: {
    lookup: [
      "勾选方框，浏览器会计算一两秒，不用辨认文字，不用听语音，也不用点选图片。",
      "随后同时查询所有来源，您可以看到每一个的进度，一般只要几秒。",
      "报告自动打开，并存入数据库；以后任何人查询这个地址都不再需要验证。",
    ],
    refresh: [
      "勾选方框，浏览器会计算一两秒，不用辨认文字，不用听语音，也不用点选图片。",
      "随后重新查询所有来源，您可以看到每一个的进度，一般只要几秒。",
      "新的报告自动打开。如果这次查到的数据比原来还少，则保留原来的报告。",
    ],
    feedback: [
      "勾选方框，浏览器会计算一两秒，不用辨认文字，不用听语音，也不用点选图片。",
      "回到报告页，给这个地址评分。",
    ],
  },
  ownCheck:
    "验证程序由本站提供，在您的浏览器里运行，不联系任何第三方。通过之后本站写入一个 Cookie，这个浏览器在 30 分钟内可以继续查询未入库的地址。",
  thirdPartyCheck:
    "验证使用 Cloudflare Turnstile，从 challenges.cloudflare.com 加载。通过之后本站写入一个 Cookie，这个浏览器在 30 分钟内可以继续查询未入库的地址。",
  needsScript: "验证需要 JavaScript，您的浏览器没有启用它。",
  needsScriptHint: "请为本站启用 JavaScript，并通过 HTTPS 重新打开本页。已入库的地址不用验证也能查询。",
  needsHttps: "本页是通过 HTTP 打开的，无法进行验证。",
  needsHttpsHint: "浏览器只在 HTTPS 页面（以及 localhost）提供验证所需的加密功能。请通过 HTTPS 打开本页：",
  loading: "正在加载验证程序……",
  forScripts: "给脚本和智能体的说明",
  reasons: {
    failed: "上一次验证没有通过，请再试一次。",
    expired: "上一次验证已经过期：有效期为 10 分钟。请再试一次。",
    replayed: "上一次验证已经用过：每次验证只能使用一次。请再试一次。",
    unavailable: "暂时无法判定验证结果，请过一分钟再试。",
    cross_site: "验证结果来自其他网站，未被接受。请在本页完成验证。",
  },
  widget: {
    label: "我是真人",
    verifying: "浏览器正在计算……",
    verified: "计算完成",
    error: "验证没有成功，请再试一次。",
    expired: "验证已过期，请再试一次。",
    waitAlert: "还在计算，请稍候。",
    verificationRequired: "需要完成验证。",
  },
  progress: {
    verifying: "正在核对计算结果……",
    heading: "正在向各来源查询 {ip}",
    queued: "正在排队，请稍候……",
    count: "已完成 {done} 个，共 {total} 个",
    countFailed: "{failed} 个失败",
    countSkipped: "{skipped} 个跳过",
    countJoin: "，",
    announceStart: "正在查询各来源。",
    announceEnd: "{total} 个来源已全部查完，正在打开报告。",
    sources: "来源",
    waiting: "等待中",
    answered: "有记录",
    empty: "无记录",
    failed: "失败",
    moment: "{state}，{ms} 毫秒",
    cancel: "不再等待",
    cancelledTitle: "您已停止查看进度",
    cancelled: "查询仍在继续，结果会保存下来，几秒之后就能看到报告。",
    openReport: "打开报告",
    problemTitle: "没有成功",
    lost: "报告完成之前连接中断了。如果查询已经开始，它会继续进行，结果会保存下来。",
    unreachable: "无法连接到服务，请检查您的网络。",
    blocked: "验证程序无法加载，请重新打开本页。",
    tryAgain: "再试一次",
  },
  rating: {
    title: "这个 IP 用起来怎么样？",
    lead: "您正在使用这个地址访问本页。评价不会影响评分；某个场景满 3 份评价之后才显示平均分。每个场景每天一份评价，后一份替换前一份。",
    scenario: "使用场景",
    legend: "评价",
    meanings: {
      5: "非常流畅",
      4: "可以使用",
      3: "勉强能用",
      2: "经常被拦",
      1: "无法使用",
    },
    send: "提交评价",
    needsScript: "评价需要 JavaScript。",
    script: {
      choose: "请先选择一个评价。",
      sending: "正在提交……",
      check: "请先完成一次验证：勾选下面的方框，评价随后自动提交。",
      elsewhere: "请先在重新查询页面完成一次验证，然后回到这里提交评价。",
      toCheck: "前往验证",
      thanks: "谢谢，您对「{scenario}」的评价已计入：{rating}。",
      shown: "{scenario}：{count} 份评价，平均 {average} 分（满分 5 分）。",
      notYet: "满 3 份评价后才会显示。",
      failed: "评价没有提交成功，请再试一次。",
    },
  },
};

/** Simplified Chinese texts of the page that documents the API. */
export const docsZh: DocsTexts = {
  title: "接口文档",
  description: "接口的全部路径：参数、限制、响应头、带示例的响应，以及每种文档的字段。无需密钥，无需注册。",
  lead: "无需密钥，无需注册。本页由 OpenAPI 文档生成，列出程序可以发出的全部请求。",
  quickTitle: "快速开始",
  quick: {
    own: "自己的公网 IP",
    json: "一个 IP 的完整报告（JSON）",
    text: "72 列纯文本",
    terminal: "一屏终端报告，带颜色",
    gate: "能不能用：PASS、FAIL 或 UNKNOWN",
  },
  use: [
    () =>
      "提交一个地址，返回一份报告：0 到 100 的纯净度、每一项扣分、每个来源的结果或失败原因，以及仅凭 IP 无法得知的事。未见风险不等于安全：转述结论时请一并说明 unknowns，并引用 reportUrl。",
    ({ lookupsPerMinute, newPerMinute, refreshPerMinute }) =>
      `每个客户端（IPv4 地址或 IPv6 /64）每分钟 ${lookupsPerMinute} 次查询，其中未入库的地址 ${newPerMinute} 个，重新查询 ${refreshPerMinute} 次。`,
    ({ openPerDay, openPerMinute, openDailyTotal }) =>
      `${
        Math.min(openPerDay, openPerMinute, openDailyTotal) > 0
          ? `未经人机验证时，每个客户端每天可查未入库的地址 ${openPerDay} 个，全站每分钟 ${openPerMinute} 个、每天 ${openDailyTotal} 个；用完后返回`
          : "未入库的地址需要人机验证，否则返回"
      } 403 verification_required：在浏览器中打开 reportUrl 完成一次验证，该地址就会入库。已入库的地址不占用额度。`,
    () =>
      "每个 GET 都支持 HEAD；JSON 与纯文本允许跨域读取。未知的参数会被忽略。请勿扫描网段、批量或定时查询。",
  ],
  source: "OpenAPI 3.1 文档：",
  contents: "目录",
  parameters: "参数",
  name: "名称",
  place: "位置",
  places: { query: "查询参数", path: "路径", header: "请求头", cookie: "Cookie" },
  type: "类型",
  meaning: "含义",
  required: "必填",
  requestBody: "请求体",
  responses: "响应",
  headers: "响应头",
  example: "示例",
  call: "调用示例",
  documents: "文档结构",
  field: "字段",
  allHeaders: "全部响应头",
  cookies: "Cookie",
  inOtherLanguage: "英文版：",
};
