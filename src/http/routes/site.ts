import * as v from "valibot";
import { formatLlms } from "#locale";
import type { Clients, Site } from "../context.ts";
import { lang, listParameters } from "../parameters.ts";
import { inBothLanguages } from "../paths.ts";
import { contactOf } from "../plugins/limits.ts";
import { createRoutes } from "../plugins/request_context.ts";
import { once, textReply } from "../reply.ts";
import { problems, text } from "../responses.ts";
import { LookupQuery } from "./lookup.ts";

const PUBLIC = { cacheControl: "public, max-age=300" } as const;

/** `/llms.txt` and `/en/llms.txt`: a summary of the service for language models. */
export function llmsRoute(path: string, context: Site & Clients) {
  return inBothLanguages(path, (pattern) =>
    createRoutes().get(
      pattern,
      once((language) => {
        const { baseUrl: origin, limits } = context;
        const parameters = listParameters(LookupQuery, language);
        const summary = formatLlms({ origin, ...limits, ...contactOf(context), parameters }, language);
        return textReply(summary, { ...PUBLIC, languages: [language] }, "text/markdown");
      }),
      {
        query: v.object({ lang }),
        response: {
          200: text("The summary.", { mediaType: "text/markdown" }),
          ...problems("nothing", "text", [400]),
        },
        detail: {
          operationId: "getSummary",
          summary: "What language models should know of the service",
          description:
            "How to call it, its limits, how to read an answer, and what not to conclude (llmstxt.org).",
          tags: ["Service"],
        },
      },
    ),
  );
}

/** Paths where every request costs a lookup or an allowance that people need. */
const DISALLOWED = [
  "/api/",
  "/auth",
  "/cli",
  "/en/cli",
  "/gate/",
  "/en/gate/",
  "/ip$",
  "/ip?",
  "/ip/me",
  "/en/ip$",
  "/en/ip?",
  "/en/ip/me",
  "/mcp",
  "/compare?",
  "/en/compare?",
  "/*?refresh=",
  "/*&refresh=",
];

/** `/robots.txt` (RFC 9309): crawlers may read pages and stored reports, and may not start surveys. */
export function robotsRoute(path: string, context: Site & Clients) {
  const write = (): string =>
    [
      "User-agent: *",
      ...DISALLOWED.map((path) => `Disallow: ${path}`),
      "Allow: /",
      "",
      `Sitemap: ${context.baseUrl}/sitemap.xml`,
      "",
    ].join("\n");
  return createRoutes().get(
    path,
    once(() => textReply(write(), PUBLIC)),
    {
      response: { 200: text("The rules."), ...problems("nothing", "text") },
      detail: {
        operationId: "getRobots",
        summary: "Rules for crawlers",
        description: "RFC 9309.",
        tags: ["Pages"],
      },
    },
  );
}
