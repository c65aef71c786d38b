import type { DocsTexts } from "./docs_texts.ts";

/** English words of the page that describes the interface. */
export const docsEn: DocsTexts = {
  title: "API documentation",
  description:
    "Every path of the interface: parameters, limits, headers, answers with examples, and the fields of each document. No key, no sign-up.",
  lead: "Everything that programs may ask of this service, made of the same description that they read.",
  source: "Machine-readable (OpenAPI 3.1):",
  contents: "Contents",
  parameters: "Parameters",
  name: "Name",
  place: "Where",
  places: { query: "query", path: "path", header: "header", cookie: "cookie" },
  type: "Type",
  meaning: "Meaning",
  required: "required",
  requestBody: "Request body",
  responses: "Answers",
  status: "Status",
  body: "Body",
  headers: "Headers",
  example: "Example",
  call: "Call",
  documents: "Documents",
  field: "Field",
  cookies: "Cookies",
  twin: "As in Chinese:",
};
