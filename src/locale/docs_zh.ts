import type { DocsTexts } from "./docs_texts.ts";

/** 接口文档页面的中文用词。 */
export const docsZh: DocsTexts = {
  title: "接口文档",
  description: "接口的全部路径：参数、限制、响应头、带示例的响应，以及每种文档的字段。无需密钥，无需注册。",
  lead: "程序可以向本服务请求的一切，与机器可读的接口描述同出一源。各项说明以英文书写。",
  source: "机器可读版本（OpenAPI 3.1）：",
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
  status: "状态码",
  body: "响应体",
  headers: "响应头",
  example: "示例",
  call: "调用",
  documents: "文档结构",
  field: "字段",
  cookies: "Cookie",
  twin: "与中文路径相同：",
};
