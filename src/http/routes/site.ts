import * as v from "valibot";
import { formatLlms } from "#locale";
import { renderExamplePage, renderMethodPage, reportPathOf } from "#render";
import type { Assessment, Language } from "#report";
import type { Clients, Operation, Reports, Site } from "../context.ts";
import { EXAMPLE_HISTORY, exampleReport } from "../openapi/examples.ts";
import { lang, listParameters } from "../parameters.ts";
import { linkHeader } from "../plugins/headers.ts";
import { contactOf } from "../plugins/limits.ts";
import { createRoutes } from "../plugins/request_context.ts";
import { makeEvery, once, pageReply, textReply } from "../reply.ts";
import { operation, page, problems, text } from "../responses.ts";
import { LookupQuery } from "./report.ts";
import robots from "./robots.txt" with { type: "text" };

const PUBLIC = { cacheControl: "public, max-age=300" } as const;

/** `/llms.txt` and `/en/llms.txt`: a summary of the service for language models. */
export function llmsRoute(path: string, context: Site & Clients) {
  return createRoutes().get(
    path,
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
      detail: operation("getSummary"),
    },
  );
}

/**
 * `/robots.txt` (RFC 9309): crawlers may read pages and stored reports, and may not start surveys. It disallows the paths
 * where every request costs a lookup or an allowance that people need.
 */
export function robotsRoute(path: string, context: Site & Clients) {
  return createRoutes().get(
    path,
    once(() =>
      textReply(
        robots.replace("{origin}", () => context.baseUrl),
        PUBLIC,
      ),
    ),
    {
      response: { 200: text("The rules."), ...problems("nothing", "text") },
      detail: operation("getRobots"),
    },
  );
}

/** A fifth of what the protocol allows, so that even a very long origin makes a valid file. */
const MAX_BYTES = 10_000_000;

/** The list changes slowly, and a new list needs a read for each address. */
const LIFE_MS = 600_000;

const PAGES = ["/", "/en", "/method", "/en/method", "/compare", "/en/compare", "/docs", "/en/docs"];

const HEAD =
  '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n';
const FOOT = "</urlset>\n";

/**
 * `/sitemap.xml` (https://www.sitemaps.org/protocol.html): the pages, and the stored reports on the addresses that the
 * operator chose. An address that visitors looked up is their business, so it is not listed.
 */
export function sitemapRoute(path: string, context: Reports & Site & Operation) {
  const readSitemap = makeEvery(LIFE_MS, context.now, async () => {
    const xml = writeSitemap(context.baseUrl, await findChosen(context));
    return textReply(xml, PUBLIC, "application/xml");
  });
  return createRoutes().get(path, async () => readSitemap(), {
    response: {
      200: text("The list.", { mediaType: "application/xml" }),
      ...problems("nothing", "text"),
    },
    detail: operation("getSitemap"),
  });
}

/** Finds the stored reports on the chosen addresses. An address without a report is left out. */
async function findChosen({
  sitemapAddresses,
  findKnown,
}: Reports & Site & Operation): Promise<readonly Assessment[]> {
  const listed: Assessment[] = [];
  for (const address of sitemapAddresses) {
    const answer = await findKnown(address);
    if (answer !== undefined) listed.push(answer.assessment);
  }
  return listed;
}

function writeSitemap(origin: string, reports: readonly Assessment[]): string {
  const base = Bun.escapeHTML(origin);
  const entries = PAGES.map((path) => `<url><loc>${base}${path}</loc></url>\n`);
  let size = HEAD.length + FOOT.length + entries.join("").length;
  for (const { address, surveyedAt } of reports) {
    const day = surveyedAt.slice(0, 10);
    for (const language of ["zh", "en"] as const) {
      const path = Bun.escapeHTML(reportPathOf(address, language));
      const entry = `<url><loc>${base}${path}</loc><lastmod>${day}</lastmod></url>\n`;
      size += entry.length;
      if (size > MAX_BYTES) return HEAD + entries.join("") + FOOT;
      entries.push(entry);
    }
  }
  return HEAD + entries.join("") + FOOT;
}

/** `/method` and `/en/method`: how the score is computed. */
export function methodRoute(path: string, context: Site) {
  return pageRoute(path, "getMethod", (language) =>
    renderMethodPage(context.method, language, context.baseUrl),
  );
}

/** `/example` and `/en/example`: a whole report on a documentation address with invented answers. */
export function exampleReportRoute(path: string, context: Site) {
  return pageRoute(path, "getExampleReport", (language) =>
    renderExamplePage(exampleReport(context.baseUrl, language), EXAMPLE_HISTORY),
  );
}

/** A page that is the same for all visitors; it is made once for each language. */
export function pageRoute(
  path: string,
  id: Parameters<typeof operation>[0],
  render: (language: Language) => string,
) {
  return createRoutes().get(
    path,
    once((language) =>
      pageReply(render(language), {
        ...PUBLIC,
        languages: [language],
        headers: { link: linkHeader(language) },
      }),
    ),
    {
      query: v.object({ lang }),
      response: { 200: page("The page.", { headers: ["Link"] }), ...problems("nothing", "page", [400]) },
      detail: operation(id),
    },
  );
}
