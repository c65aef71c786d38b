/**
 * Chinese texts of the descriptions of the interface, by their English text: operations, parameters, answers, fields and
 * headers. The English texts are in the declarations (`src/http/routes`, `src/http/openapi`, `src/report`).
 */
export const INTERFACE: Readonly<Record<string, string>> = {
  Reports: "报告",
  Caller: "调用者",
  Verification: "人机验证",
  Service: "服务",
  Operator: "站点运营",
  "This service.": "本服务。",
  "What is known and concluded about one address.": "一个地址的数据与结论。",
  "The address that a request comes from.": "请求所来自的地址。",
  "The human verification: for the pages of this site, not for programs.":
    "人机验证：供本站页面使用，不供程序使用。",
  "The service about itself.": "服务自身的说明。",
  "For the operator of the service.": "供站点运营者使用。",
  "Report of an address as JSON": "查询一个地址，返回 JSON 报告",
  "The report.": "报告。",
  "Report as JSON, Chinese": "JSON 报告，中文",
  "Report as JSON, English": "JSON 报告，英文",
  "Report as plain text, Chinese": "纯文本报告，中文",
  "Report as plain text, English": "纯文本报告，英文",
  "Report as Markdown, Chinese": "Markdown 报告，中文",
  "Report as Markdown, English": "Markdown 报告，英文",
  "Report as a web page, Chinese": "网页报告，中文",
  "Report as a web page, English": "网页报告，英文",
  "72 columns of plain text, with the same limits. Errors start with their code.":
    "72 列纯文本，限制相同。出错时以错误代码开头。",
  "The whole report for language models, with the same limits. Errors are plain text that starts with the code.":
    "供大模型使用的完整报告，限制相同。出错时为以错误代码开头的纯文本。",
  "One screen: at most 40 lines of 72 columns, in the 16 colours that every terminal has. With `full=1` the whole report; with `full=1` and `color=0` it is the plain text report. With `format=line` it is one line of ASCII for programs, the same in both languages: no field is ever missing, the order stays, new fields are added at the end. Errors start with their code.":
    "一屏：最多 40 行，每行 72 列，使用各终端都有的 16 色。带 `full=1` 为完整报告，再带 `color=0` 即纯文本报告。带 `format=line` 为单行 ASCII，供程序使用，两种语言相同：字段不会缺少，顺序不变，新字段加在末尾。出错时以错误代码开头。",
  "The page holds the JSON report in `script#service-report`. The same limits apply.":
    "网页内的 `script#service-report` 含 JSON 报告。限制相同。",
  "`0` sends no escape sequences; without it the report is coloured.": "`0` 表示不带颜色；缺省带颜色。",
  "The whole report instead of the part that fits one screen.": "完整报告，而不是一屏摘要。",
  "One line of ASCII in a fixed order: purity, band, usage type, native type, country, flags, confidence, address.":
    "单行 ASCII，顺序固定：纯净度、等级、IP 类型、原生类型、国家、标记、置信度、地址。",
  "The use whose score decides; without it, purity.": "以哪个使用场景的得分为准；缺省为纯净度。",
  "Least score that passes, 0 to 100; 70 by default.": "通过所需的最低分，0 到 100，默认 70。",
  "Answers PASS, FAIL and UNKNOWN with status 200, for clients that see bodies only. Errors keep their status.":
    "PASS、FAIL、UNKNOWN 一律以状态码 200 返回，供只看正文的客户端使用。错误保持原状态码。",
  "The score is `min` or more; with `status=200`, any outcome.":
    "得分不低于 `min`；带 `status=200` 时为任意结果。",
  "The score is lower, or the service is not offered there.": "得分低于 `min`，或服务不支持该地区。",
  "UNKNOWN: there is not enough evidence; with Retry-After if no live source answered. Or the service is overloaded, in one sentence.":
    "UNKNOWN：查到的数据不足；没有任何实时来源应答时带 Retry-After。或者服务繁忙，内容为一句话。",
  "The badge of a known or an unknown address.": "已入库或未入库地址的徽章。",
  "The client's copy is current.": "客户端的副本仍是最新的。",
  "Not an address, or a known parameter with an invalid value or given twice.":
    "不是 IP 地址；或已知参数的值无效，或重复出现。",
  "Does not exist. On a mirror: not in its copy; `reportUrl` is the page on the full service.":
    "不存在。在镜像上：副本里没有，`reportUrl` 是主站上的页面。",
  "Too many requests of this client, or of all clients without verification. After the delay in Retry-After the limit no longer applies.":
    "该客户端请求过多，或全站免验证请求过多。等待 Retry-After 的秒数之后不再受限。",
  "The service failed. The hint names the request and nothing else.": "服务内部出错。提示中只有请求编号。",
  "2 to 5 addresses side by side": "并排比较 2 到 5 个地址",
  "Each address costs what it costs alone: a lookup, and allowance if it is unknown. Addresses without a report are in `problems` with the reason. With at least one report the status is 200; otherwise the answer is the first problem with its status. An address given twice counts once.":
    "每个地址与单独查询一样计：计一次查询，未入库的还占用额度。没有报告的地址列在 `problems` 中并附原因。至少有一份报告时状态码为 200，否则返回第一个错误及其状态码。重复的地址只算一次。",
  "2 to 5 addresses, separated by commas; IPv6 may stand in square brackets.":
    "2 到 5 个地址，以逗号分隔；IPv6 可以加方括号。",
  "The reports, and the addresses without one.": "各份报告，以及没有报告的地址。",
  "Earlier conclusions about an address": "一个地址的历史记录",
  "Read from the database: queries no source and costs no allowance. An address that is not stored has an empty list, not an error. Costs a lookup.":
    "由数据库读取：不查询来源，不占用额度。未入库的地址返回空列表，不是错误。计一次查询。",
  "The conclusions, newest first.": "历史记录，从新到旧。",
  "Too busy to query the sources. Wait as many seconds as Retry-After says.":
    "服务繁忙，暂时无法查询来源。请等待 Retry-After 的秒数。",
  "A lookup with its progress, as server-sent events": "查询并实时返回进度（server-sent events）",
  "Events: `queued`; `started` with the sources; `source` for each source that answers, with `done` and `total`; last `report` with its `url`, or `problem` with the error body. A comment every 10 seconds. A client that stops reading ends only its own stream: the survey continues and its answer is stored. At most 256 streams.":
    "事件：`queued` 排队；`started` 含来源列表；每个来源应答时一个 `source`，含 `done` 与 `total`；最后是 `report`（含 `url`）或 `problem`（含错误正文）。每 10 秒一条注释。客户端停止读取只会结束自己的流，查询继续进行，结果会入库。最多 256 个流。",
  "The events, from the first one on.": "从第一个开始的全部事件。",
  "A challenge for the human verification": "人机验证题目",
  "In the form that the ALTCHA widget reads. Valid for one address and action, for 10 minutes and one solution. Not found if the service uses another verification. Costs a lookup.":
    "ALTCHA 组件所用的格式。只对一个地址和一个操作有效，10 分钟内可提交一次。服务使用其他验证时返回 404。计一次查询。",
  "What the verification is for.": "验证的用途。",
  "The challenge.": "题目。",
  "Submits the solution of a human verification": "提交人机验证的结果",
  "Only for pages of this site. A solution is accepted once, for its address and action. Costs a lookup.":
    "只供本站页面使用。每个结果只接受一次，且只对其地址和操作有效。计一次查询。",
  "The visitor is verified and has a pass.": "验证通过，访客得到通行 Cookie。",
  "A person must open `reportUrl` in a browser and solve the verification there once. Then repeat the request. `forbidden`: only pages of this site may send it.":
    "需要有人在浏览器中打开 `reportUrl` 完成一次验证，然后重复该请求。`forbidden`：该请求只能由本站页面发出。",
  "At most 16 kB.": "最多 16 kB。",
  "What the tables alone say, for clients of the operator": "只按本地数据表判断一个地址，仅限运营者的客户端",
  "Only for `LIMPID_EXEMPT_CLIENTS`. Queries nobody and stores nothing.":
    "仅限 `LIMPID_EXEMPT_CLIENTS` 中的客户端。不查询任何来源，也不存储任何内容。",
  "What the tables say. `coverage` is a share, 0 to 1.": "数据表给出的结论。`coverage` 是比例，0 到 1。",
  "What the tables alone say about many addresses": "只按本地数据表判断一批地址",
  "A JSON array of at most 1000 addresses, or `text/plain` with one address a line, without limit: answers are sent while the lines arrive, so read them while you send. What is no address gives `input` and `error`.":
    "正文可以是最多 1000 个地址的 JSON 数组，也可以是 `text/plain`，每行一个地址，行数不限：收到一行就回答一行，请边发送边读取。不是地址的内容返回 `input` 和 `error`。",
  "One answer for each address, in the same order.": "每个地址一条结论，顺序不变。",
  "At most 1000 addresses in an array; any number of lines.": "数组最多 1000 个地址；行数不限。",
  "Rates the caller's own address for a use": "评价自己的地址在某个场景下的使用体验",
  "Only for pages of this site and verified visitors. One vote per client (IPv4 address or IPv6 /64), use, address and UTC day, whatever browser sends it: a later vote replaces the earlier one. Ratings are shown from 3 votes on and are not part of the score. Costs a lookup.":
    "只供本站页面和已验证的访客使用。每个客户端（IPv4 地址或 IPv6 /64）对每个场景、每个地址每天（UTC）一票，与浏览器无关，后一票替换前一票。满 3 票才显示，不影响评分。计一次查询。",
  "All ratings of the address, this one included.": "该地址的全部评价，含本次。",
  "Tools for models (Model Context Protocol)": "供大模型调用的工具（Model Context Protocol）",
  "Streamable HTTP: one JSON-RPC message per request, answers as JSON, no session and no stream, versions 2024-10-07 to 2025-11-25. Tools: `lookup_ip`, `compare_ips`, `explain_factor`, `service_limits`; `tools/list` returns their schemas. A lookup costs what it costs elsewhere, and each compared address is one lookup; the rest costs nothing. A refused lookup is a result with `isError`. Pages of other sites are refused.":
    "Streamable HTTP：每个请求一条 JSON-RPC 消息，以 JSON 响应，没有会话，没有流，协议版本 2024-10-07 到 2025-11-25。工具：`lookup_ip`、`compare_ips`、`explain_factor`、`service_limits`，结构见 `tools/list`。查询次数与其他接口一样计，对比中的每个地址算一次，其余不计查询。被拒绝的查询是带 `isError` 的结果。不接受其他网站的页面。",
  "Protocol version of the message.": "消息的协议版本。",
  "The answer, or the error of the method.": "响应，或方法的错误。",
  "A notification was accepted.": "已接受一条通知。",
  "No message, a batch, or a protocol version that is not supported.":
    "没有消息、是批量消息，或协议版本不受支持。",
  "A page of another site sent it.": "请求来自其他网站的页面。",
  "Accept must name application/json and text/event-stream.":
    "Accept 必须包含 application/json 与 text/event-stream。",
  "The message is longer than 16 kB.": "消息超过 16 kB。",
  "The Content-Type is not application/json.": "Content-Type 不是 application/json。",
  "The service failed; the message names the request in its log.": "服务内部出错；消息中有日志里的请求编号。",
  "The caller's public address": "调用者的公网 IP",
  "JSON, or with `format=text` the bare address and a newline. Costs no lookup.":
    "JSON；带 `format=text` 时只有地址和换行。不计查询。",
  "The bare address and a newline instead of JSON.": "只返回地址和换行，而不是 JSON。",
  "The caller's address.": "调用者的地址。",
  "The caller's address for terminals, the front page for browsers, Chinese":
    "终端得到自己的 IP，浏览器得到首页，中文",
  "The caller's address for terminals, the front page for browsers, English":
    "终端得到自己的 IP，浏览器得到首页，英文",
  "curl and similar programs, or `Accept: text/plain`, get their address and a newline.":
    "curl 之类的程序，或带 `Accept: text/plain` 的请求，得到自己的地址和换行。",
  "How the score is computed, Chinese": "评分方法，中文",
  "How the score is computed, English": "评分方法，英文",
  "Every rule, weight, cap, floor, half-life, band and use-case table, generated from the tables that score.":
    "每条规则、权重、封顶、最低风险、半衰期、等级与使用场景表，由计分所用的表格生成。",
  "Whether the process answers": "进程是否有响应",
  "Checks nothing else.": "不检查其他任何内容。",
  "It answers.": "进程有响应。",
  "Whether the service can do its work": "服务是否可用",
  "Checks the database and the tables; sends nothing to other services.":
    "检查数据库与数据表，不向其他服务发送任何请求。",
  "It is ready.": "可用。",
  "It is not ready; `checks` says why.": "不可用，原因见 `checks`。",
  "Metrics, for the operator": "监控指标，供站点运营者使用",
  "Prometheus text format. With the operator's token from anywhere; if no token is configured, only from the service's own machine, and everyone else gets 404. Costs no lookup.":
    "Prometheus 文本格式。有站点运营者的令牌时可从任何地方访问；未配置令牌时只能从服务所在的机器访问，其他人得到 404。不计查询。",
  "The metrics.": "监控指标。",
  "The operator's token is missing or wrong.": "缺少站点运营者的令牌，或令牌有误。",
  "The URL is longer than 2048 characters.": "网址超过 2048 个字符。",
  "This description": "本描述文件",
  "OpenAPI 3.1.0.": "OpenAPI 3.1.0。",
  "This document.": "本文档。",
  "This description as a web page, Chinese": "接口文档网页，中文",
  "This description as a web page, English": "接口文档网页，英文",
  "Generated from the same document, without script.": "由同一份文档生成，不需要脚本。",
  "What language models should know of the service, Chinese": "给大模型的说明，中文",
  "What language models should know of the service, English": "给大模型的说明，英文",
  "How to call it, its limits, how to read an answer, and what not to conclude (llmstxt.org).":
    "如何调用、有哪些限制、如何解读，以及不能得出哪些结论（llmstxt.org）。",
  "Rules for crawlers": "爬虫规则",
  "RFC 9309.": "RFC 9309。",
  "The rules.": "规则。",
  "The list.": "列表。",
  "A file of the web pages": "网页所用的文件",
  "Style sheets, scripts and icons.": "样式表、脚本与图标。",
  "File name.": "文件名。",
  "The file.": "文件。",
  "The icon of the site": "网站图标",
  "An SVG image, in spite of the name.": "名称虽是 ico，内容是 SVG 图片。",
  "The icon.": "图标。",
  "Normalised address: dotted IPv4, or IPv6 as RFC 5952 writes it.":
    "规范化的地址：点分 IPv4，或 RFC 5952 写法的 IPv6。",
  "Address version. ::ffff:a.b.c.d counts as IPv4.": "地址版本。::ffff:a.b.c.d 算作 IPv4。",
  "When the sources were asked. Read together with `stale`.": "查询来源的时间。请与 `stale` 一起看。",
  "`fresh` = asked just now, `cache` = this process's memory, `store` = the database.":
    "`fresh` = 刚刚查询，`cache` = 缓存，`store` = 数据库。",
  "What the network behind the address is used for.": "IP 类型，即该网络的用途。",
  "`native` = registered and used in one country, `broadcast` = registered in one and used in another.":
    "`native` = 原生，注册地与使用地相同；`broadcast` = 广播，注册地与使用地不同。",
  "Why `nativeType` is `unknown`, in one sentence.": "`nativeType` 为 `unknown` 的原因，一句话。",
  "The commercial VPN service behind the address, if it is known.": "已知的商业 VPN 运营方。",
  "ISO 3166-1 alpha-2.": "ISO 3166-1 二字母代码。",
  "IANA time zone.": "IANA 时区。",
  "0 to 100, higher is cleaner.": "0 到 100，越高越干净。",
  "Positive deducts from purity, negative adds back.": "为正是扣分，为负是加回。",
  "A minimum risk that nothing offsets.": "不能抵消的最低风险。",
  "Null when the level is `restricted` or `not_applicable`.":
    "等级为 `restricted` 或 `not_applicable` 时为 null。",
  "Listed, but not a risk (a residential-range declaration, for example).":
    "已列入，但不是风险（例如声明该网段是家宽），不扣分。",
  "A fact about the answer, such as the date of the data.": "关于应答的说明，例如数据日期。",
  "The page for people. Cite it with any conclusion.": "供人阅读的网页。任何结论都要引用它。",
  "Ids of deductions that have no English text. Normally empty.": "没有英文文字的扣分项的 id，通常为空。",
  "What went wrong, in one sentence.": "出了什么错，一句话。",
  "Stable name of the condition, for programs.": "固定的错误代码，供程序使用。",
  "What to do about it.": "应当怎么做。",
  "A page with more help for people.": "供人查看的帮助页面。",
  "In the order of the request.": "按请求中的顺序。",
  "As the request wrote it.": "请求中的原文。",
  "Addresses without a report here, each with the reason. Nothing is known of them from this.":
    "没有报告的地址及原因；不能据此得出任何结论。",
  "Canonical address.": "规范化的地址。",
  "Report as a picture for link previews, Chinese": "报告图片，供链接预览，中文",
  "Report as a picture for link previews, English": "报告图片，供链接预览，英文",
  "1200 x 630 pixels. Shows only what is stored: the picture of an unknown address says so and shows what the local tables know, without a score. It never starts a survey. Costs a lookup. Anyone may cache it for 5 minutes.":
    "1200 × 630 像素。只显示已入库的结果：未入库的地址会写明，并显示本地数据表里的内容，不评分。不会触发查询。计一次查询。任何缓存都可以保存 5 分钟。",
  "Report for terminals, or in one line, Chinese": "终端报告，或单行报告，中文",
  "Report for terminals, or in one line, English": "终端报告，或单行报告，英文",
  "The score as an SVG image for embedding, Chinese": "SVG 徽章，可嵌入网页，中文",
  "The score as an SVG image for embedding, English": "SVG 徽章，可嵌入网页，英文",
  "The picture for link previews of a page, Chinese": "页面的链接预览图，中文",
  "The picture for link previews of a page, English": "页面的链接预览图，英文",
  "1200 x 630 pixels. Anyone may cache it for 5 minutes.": "1200 × 630 像素。任何缓存都可以保存 5 分钟。",
  "Up to 20 addresses side by side as a web page, Chinese": "并排比较最多 20 个地址的网页，中文",
  "Up to 20 addresses side by side as a web page, English": "并排比较最多 20 个地址的网页，英文",
  "Finds the addresses in pasted text, and redirects to the URL that names just these. Each address costs what it costs alone. The page names addresses without a report, with the reason; with at least one report the status is 200. Without `ips` it is the empty form, which costs nothing.":
    "从粘贴的文字中找出地址，并跳转到只含这些地址的网址。每个地址与单独查询一样计。没有报告的地址也会列出并说明原因；至少有一份报告时状态码为 200。没有 `ips` 时为空表单，不计查询。",
  "Pages, and the stored reports that the operator chose": "页面，以及站点运营者选定的已入库报告",
  "Addresses that visitors looked up are not listed. Each report is listed in both languages; made anew every ten minutes.":
    "不列出访客查询过的地址。每份报告列出两种语言；每十分钟重新生成。",
  "Page and ending.": "页面与后缀。",
  "Up to 20 addresses, as people paste them, of which 5 may have no report yet; without it the empty form.":
    "最多 20 个地址，可直接粘贴，其中最多 5 个未入库；缺省为空表单。",
  "The picture.": "图片。",
  "The same comparison under a short URL that can be bookmarked. Costs nothing.":
    "同一对比的短网址，可收藏。不计查询。",
  "Older than the staleness threshold: confidence is one step lower, purity unchanged; a refresh is advisable.":
    "报告已超过时效：置信度降一级，纯净度不变；建议重新查询。",
  "False: no source that answered reports it.": "false：有应答的来源都没有认定。",
  "Independent source families that report a flag, an authority alone counting as two. 1 counts half in the score.":
    "认定某个标记的独立数据方数，权威来源单独即算两家。为 1 时减半计分。",
  "When sources disagree: who names which country, the best supported first.":
    "各来源说法不一时：哪些来源认为是哪个国家，支持最多的在前。",
  "Coverage: share of the planned data that was obtained, 0 to 1 by weight of the sources: in all, and by kind. 0 where this instance asks no source of the kind. Absent from old reports that cannot be scored again.":
    "覆盖度：应查的数据实际查到的比例，0 到 1，按来源权重计，有总计，也分类别。本站不查询某类来源时为 0。不能重新评分的旧报告没有此项。",
  "The purity that remains possible if what was not heard speaks as for 95 % of such networks. `purity` lies inside.":
    "假设没有查到的那部分数据，不比同类网络中 95% 的已标注地址更差，纯净度可能落入的范围。`purity` 在此范围内。",
  "Source coverage behind the score; one step lower while `stale`.":
    "应查的数据查到了多少；`stale` 时降一级。",
  "On `ai`: does each vendor support the country?": "仅 `ai`：各厂商是否支持该国家。",
  "False for public infrastructure and special-purpose space.":
    "公共基础设施与特殊用途地址为 false：不是上网出口。",
  "The list did not answer: whether it lists the address is unknown.":
    "该名单本次没有给出结果，是否列入未知。",
  "An exit and no abuse: the points are there.":
    "该名单认定它是代理、VPN 或 Tor 出口，不是滥用；已在那一项扣分。",
  "Devices observed on the address and in its subnet; not who uses it now.":
    "在该地址及其子网上观察到的设备数，不说明此刻谁在使用。",
  "False: no usable answer. That is not a clean result.": "false：没有可用的应答，不能当作干净。",
  "What it states. Absent: not stated.": "该来源给出的结论；没有的项表示没有给出。",
  "What an address alone cannot show. Pass it on with any conclusion.":
    "仅凭 IP 无法得知的事。转述任何结论时请一并说明。",
  "When the sources were queried; as in the report.": "查询来源的时间，与报告中相同。",
  "Language of the texts; both if `lang` is unknown. On every answer.":
    "文字的语言；`lang` 的值未知时为两种。每个响应都有。",
  "When the sources were queried.": "查询来源的时间。",
  "As `risk.level` of the report, at that time.": "当时的 `risk.level`。",
  "Scores of different versions do not compare directly.": "不同版本的分数不宜直接比较。",
  "Newest first, 50 at most; empty for an address that is not stored.":
    "从新到旧，最多 50 条；未入库的地址为空。",
  "One IPv4 or IPv6 address, without port, prefix length or zone. IPv6 may stand in square brackets; ::ffff:a.b.c.d is read as IPv4.":
    "一个 IPv4 或 IPv6 地址，不带端口、前缀长度或区域标识。IPv6 可以加方括号；::ffff:a.b.c.d 按 IPv4 处理。",
  "The solution, as the widget of the verification returns it.": "验证组件返回的结果。",
  "When the pass expires.": "通行 Cookie 的到期时间。",
  "What the caller uses the address for.": "调用者用该地址做什么。",
  "5 very smooth, 4 usable, 3 barely usable, 2 often blocked, 1 unusable.":
    "5 非常流畅，4 可以使用，3 勉强能用，2 经常被拦，1 无法使用。",
  "The address that this request came from, in canonical form.": "该请求所来自的地址，规范化写法。",
  "Version of the program.": "程序版本。",
  "On a mirror: seconds since its copy was last complete.": "在镜像上：副本上次完整以来的秒数。",
  "On a mirror: the last page of the primary's log that it has.": "在镜像上：已有的主库日志最后一页。",
  "Set by `/api/verify` when a person has passed the human verification; signed, valid for 30 minutes. No endpoint that only reads needs it, but it lifts the daily allowance and permits `refresh=1`.":
    "通过人机验证后由 `/api/verify` 设置；带签名，30 分钟有效。只读接口都不需要它，但有了它不受每日额度限制，并可使用 `refresh=1`。",
  "Set by the operator of the service; for `/metrics` only.": "由站点运营者设置，只用于 `/metrics`。",
  "The id of this request in the log of the service.": "该请求在服务日志中的编号。",
  "`private, no-cache` if the answer depends on the caller, `no-store` on errors. On every answer.":
    "响应因调用者而异时为 `private, no-cache`，出错时为 `no-store`。每个响应都有。",
  "Tag of this body; send it back as If-None-Match. The tag of a report does not depend on `source`.":
    "正文的标识；下次以 If-None-Match 发回。报告的标识与 `source` 无关。",
  "Request headers that this answer depends on.": "响应所依据的请求头。",
  "The path to request instead.": "应改为请求的路径。",
  "This description (`service-desc`); on pages, other formats (`alternate`) and the summary for language models (`describedby`). Comes with Access-Control-Allow-Origin.":
    "本接口的描述（`service-desc`）；网页上另有其他格式（`alternate`）与给大模型的说明（`describedby`）。与 Access-Control-Allow-Origin 同时出现。",
  "Lookups of unknown addresses that this client may still make today without human verification; at most 5 seconds old.":
    "该客户端今天还可免验证查询的未入库地址数；最多滞后 5 秒。",
  "The pass: for half an hour this browser may look up unknown addresses, refresh and rate.":
    "通行 Cookie：30 分钟内该浏览器可以查询未入库的地址、重新查询和评价。",
  "Tells proxies not to hold the events back.": "让代理不要缓冲事件。",
  "What is left of each limit that applied, and seconds until there is more (draft-ietf-httpapi-ratelimit-headers-11).":
    "各项限制的剩余次数，以及多少秒后恢复（draft-ietf-httpapi-ratelimit-headers-11）。",
  "Quota and window in seconds of each limit that applied. Comes with RateLimit.":
    "各项限制的次数与时间窗（秒）。与 RateLimit 同时出现。",
  "How to authenticate (RFC 6750).": "如何认证（RFC 6750）。",
  "Whole seconds to wait before the next request.": "下次请求前应等待的整秒数。",
  "Pages of any site may read this answer.": "任何网站的页面都可以读取该响应（CORS）。",
  "Headers that those pages may read. Comes with Access-Control-Allow-Origin.":
    "这些页面可以读取的响应头。与 Access-Control-Allow-Origin 同时出现。",
  "What a browser may load for this answer. On every answer.": "浏览器可以为该响应加载什么。每个响应都有。",
  "Always `nosniff`. On every answer.": "总是 `nosniff`。每个响应都有。",
  "Always `no-referrer`. On every answer.": "总是 `no-referrer`。每个响应都有。",
  "Ignores cache and database and queries every source again. Needs human verification, and is limited per minute.":
    "跳过缓存与数据库，重新查询每个来源。需要人机验证；每分钟的次数有限。",
  "Language of the texts: `zh` (Chinese, the default) or `en`. A path that starts with `/en` wins.":
    "文字的语言：`zh`（中文，默认）或 `en`。以 `/en` 开头的路径优先。",
  "Whatever people paste: redirects to the report of the address in it, or to the comparison of several.":
    "粘贴的任意文字：跳转到其中地址的报告，或多个地址的对比。",
  "The same page under the canonical form of the address. Costs nothing.":
    "同一页面，地址为规范化写法。不计查询。",
  "The comparison, or the form.": "对比结果，或表单。",
  "The body is longer than 16 kB.": "正文超过 16 kB。",
  "The caller's address, or the page.": "调用者的地址，或网页。",
  "The report of the address in `ip`, or the comparison of several.": "`ip` 中地址的报告，或多个地址的对比。",
  "The page.": "网页。",
  "The summary.": "说明。",
  "Answers from memory or the database if the address is known; otherwise queries every source once. With `fields` or `sources` the report is shorter; a misspelt field is refused.":
    "已入库的地址由缓存或数据库应答，否则向每个来源查询一次。加 `fields` 或 `sources` 可得到较短的报告；拼错的字段会被拒绝。",
  "The same as `/api/lookup`, with the same limits, under its own path and the same parameters `fields` and `sources`.":
    "与 `/api/lookup` 相同，限制及参数 `fields`、`sources` 也相同，只是路径不同。",
  "The caller's report as a web page, Chinese": "调用者自己的网页报告，中文",
  "The same as `/ip/me`, with the same limits. Its script also compares the browser's time zone, clock and languages with the address, and sends nothing.":
    "与 `/ip/me` 相同，限制也相同。页面脚本还会把浏览器的时区、时钟和语言与该地址对照，不发送任何数据。",
  "The caller's report as a web page, English": "调用者自己的网页报告，英文",
  "The caller's report for terminals, Chinese": "调用者自己的终端报告，中文",
  "The same as `/cli/me`, with the same limits.": "与 `/cli/me` 相同，限制也相同。",
  "The caller's report for terminals, English": "调用者自己的终端报告，英文",
  "Report as a STIX 2.1 bundle, Chinese": "STIX 2.1 报告，中文",
  "Report as a STIX 2.1 bundle, English": "STIX 2.1 报告，英文",
  "For threat intelligence platforms, with the same limits. Only an address that is accused and not clean has an indicator.":
    "供威胁情报平台使用，限制相同。只有受到指控且不干净的地址才有 indicator 对象。",
  "Whether a visitor may pass, for web servers in front of a site":
    "访客可否通过，供网站前面的 Web 服务器使用",
  "For `auth_request` of nginx, `forward_auth` of Caddy and `ForwardAuth` of Traefik. The visitor is the client that a proxy of `LIMPID_TRUSTED_PROXIES` names in `X-Forwarded-For`; other requests are refused with 403. Answers from memory, the database or the tables alone, and never waits for a survey: for an unknown address it can start one in the background, within the limits of the visitor. Costs no lookup. The answer is 204 or 403, also for a wrong policy, because nginx understands no other status.":
    "供 nginx 的 `auth_request`、Caddy 的 `forward_auth` 与 Traefik 的 `ForwardAuth` 使用。访客是 `LIMPID_TRUSTED_PROXIES` 中的代理在 `X-Forwarded-For` 里给出的客户端，其他请求以 403 拒绝。只由缓存、数据库或本地数据表应答，从不等待实时查询：未入库的地址可以在后台查询一次，占用访客自己的额度。不计查询次数。只回答 204 或 403，策略写错时也是 403，因为 nginx 不认识其他状态码。",
  "Least purity, 0 to 100; without it no purity is too low.": "纯净度下限，0 到 100；省略时不限纯净度。",
  "Kinds of addresses that are denied, separated by commas: `proxy`, `vpn`, `tor`, `relay`, `hosting`, `mobile`, `bogon`, `crawler`, `cdn`, `shared`.":
    "拒绝的地址类别，以逗号分隔：`proxy`（代理）、`vpn`、`tor`、`relay`（隐私中继）、`hosting`（机房）、`mobile`（移动网络）、`bogon`（特殊用途地址）、`crawler`（搜索引擎爬虫）、`cdn`、`shared`（多台设备共用的地址）。",
  "Starts no survey.": "不启动实时查询。",
  "Kinds of addresses that pass whatever their purity, as in `deny`. `deny` is stronger, except that an allowed crawler always passes.":
    "不论纯净度都放行的地址类别，写法同 `deny`。与 `deny` 冲突时以 `deny` 为准，但放行的爬虫总能通过。",
  "What happens if the evidence is not enough: the visitor passes (the default), or is denied.":
    "依据不足时放行（默认）还是拒绝。",
  "The visitor may pass.": "访客可以通过。",
  "The visitor is denied. With the header X-IP-Error, nobody was judged: the policy is wrong, or no trusted proxy named the visitor; the body says which.":
    "拒绝访客。带有 X-IP-Error 响应头时没有判定任何人：策略写错，或没有受信任的代理给出访客地址，原因见正文。",
  "`pass`, `unknown`, or `deny` and what denied: a word of the policy, or `min`.":
    "`pass`（通过）、`unknown`（依据不足），或 `deny` 加拒绝的原因：策略中的类别或 `min`。",
  "Where the answer is from: `memory`, `database`, `tables` (alone), or `none`.":
    "判定的依据：`memory`（缓存）、`database`（数据库）、`tables`（只有本地数据表）或 `none`（没有）。",
  "Purity of the visitor's address, 0 to 100. Read it with X-IP-Confidence.":
    "访客地址的纯净度，0 到 100，须与 X-IP-Confidence 一起看。",
  "Band of the purity.": "纯净度等级。",
  "How much source coverage backs the purity.": "纯净度的置信度：有多少来源支持。",
  "The kinds of addresses that it belongs to, in the words of the policy, or `none`.":
    "该地址所属的类别，用词与策略相同；没有则为 `none`。",
  "Why nobody was judged: a code, and the parameter.": "没有判定的原因：错误代码与参数名。",
  "Only these top-level fields of the JSON report, separated by commas, and always `ip`, `version`, `queriedAt` and `source`: `fields=risk,flags`.":
    "JSON 报告只返回这些顶层字段，以逗号分隔；`ip`、`version`、`queriedAt` 与 `source` 总会返回：`fields=risk,flags`。",
  "`brief`: each item of `sources` in the JSON report has only its `name` and its `state`: `answered`, `failed` or `skipped`.":
    "`brief`：JSON 报告的 `sources` 每项只含 `name` 与 `state`：`answered`（已应答）、`failed`（失败）或 `skipped`（未查询）。",
  "IPv4 or IPv6 address; IPv6 may stand in square brackets. `me` is the caller's own address.":
    "IPv4 或 IPv6 地址，IPv6 可以加方括号。`me` 表示调用者自己的地址。",
  "PASS, FAIL or UNKNOWN, for scripts and proxy clients, Chinese":
    "PASS、FAIL 或 UNKNOWN，供脚本与代理客户端使用，中文",
  "PASS, FAIL or UNKNOWN, for scripts and proxy clients, English":
    "PASS、FAIL 或 UNKNOWN，供脚本与代理客户端使用，英文",
  "Compares the score of a use, or without `scenario` the purity, with `min`. The answer is UNKNOWN, never PASS, if no live source answered (with less than 50 from the other evidence, it is FAIL), and for public infrastructure, crawlers and special-purpose addresses, which have no score. A region where the service is not offered is `FAIL restricted`. It queries sources and costs the same as a lookup; its refusals keep their status, as text that starts with the code. `/gate/me` judges the caller: a proxy client that fetches it through a node learns the verdict on this node. A caller without a public address gets UNKNOWN and the reason, such as `UNKNOWN private_use`.":
    "把某个使用场景的得分（没有 `scenario` 时为纯净度）与 `min` 比较。没有任何实时来源应答时，结果是 UNKNOWN，绝不是 PASS（其余证据得分低于 50 时为 FAIL）；公共基础设施、爬虫与特殊用途地址没有得分，结果也是 UNKNOWN。服务不支持的地区为 `FAIL restricted`。它会查询来源，计一次查询；被拒绝时保持原状态码，内容为以错误代码开头的文字。`/gate/me` 判定调用者：代理客户端经由某个节点请求它，得到的就是该节点的结果。没有公网地址的调用者得到 UNKNOWN 与原因，例如 `UNKNOWN private_use`。",
  "Shows only what is stored: an unknown address has a grey badge that says so, and no source is queried, so that a badge on a page spends nobody's allowance. Costs a lookup. Anyone may cache it for 5 minutes, but not `/badge/me.svg`, which shows the caller.":
    "只显示已入库的结果：未入库的地址显示灰色徽章，不查询任何来源，因此嵌在网页里不会消耗任何人的额度。计一次查询。任何缓存都可以保存 5 分钟。`/badge/me.svg` 显示调用者自己，除外。",
};
