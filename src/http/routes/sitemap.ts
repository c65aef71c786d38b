import { reportPathOf } from "#render";
import type { HttpContext } from "../context.ts";
import { createRoutes } from "../plugins/request_context.ts";
import { refuse } from "../problem.ts";
import { type Reply, textReply } from "../reply.ts";
import { problems, text } from "../responses.ts";

/** Reports that are listed, each in both languages. */
const MAX_REPORTS = 5000;

/** A fifth of what the protocol allows, so that even a very long origin makes a valid file. */
const MAX_BYTES = 10_000_000;

/** The list changes slowly, and a new list needs a read of thousands of rows. */
const KEPT_MS = 600_000;

const RETRY_AFTER_MS = 5000;

const PAGES = ["/", "/en", "/method", "/en/method", "/compare", "/en/compare", "/docs", "/en/docs"];

const HEAD =
  '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n';
const FOOT = "</urlset>\n";

/** `/sitemap.xml` (https://www.sitemaps.org/protocol.html): the pages, and stored reports, newest first. */
export function sitemapRoute(context: HttpContext) {
  const readSitemap = createSitemap(context);
  return createRoutes().get(
    "/sitemap.xml",
    async () => (await readSitemap()) ?? refuse("overloaded", { retryAfterMs: RETRY_AFTER_MS }),
    {
      response: {
        200: text("The list.", { mediaType: "application/xml" }),
        ...problems("nothing", "text", [503]),
      },
      detail: {
        operationId: "getSitemap",
        summary: "Pages and stored reports, newest first",
        description: "At most 5,000 reports, each in both languages; made anew every ten minutes.",
        tags: ["Service"],
      },
    },
  );
}

/**
 * Makes the sitemap at most every ten minutes; waiting requests share it. While the database cannot be read, the
 * earlier one stays; without one the result is undefined. Pages name their other languages themselves.
 */
function createSitemap(context: HttpContext): () => Promise<Reply<"text"> | undefined> {
  let kept: { readonly reply: Reply<"text">; readonly until: number } | undefined;
  let building: Promise<Reply<"text"> | undefined> | undefined;

  async function build(): Promise<Reply<"text"> | undefined> {
    try {
      const xml = writeSitemap(context.baseUrl, await context.history.newest(MAX_REPORTS));
      const reply = textReply(xml, { cacheControl: "public, max-age=300" }, "application/xml");
      kept = { reply, until: context.now() + KEPT_MS };
    } catch (error) {
      context.log("error", "sitemap_unreadable", { message: String(error) });
      if (kept !== undefined) kept = { ...kept, until: context.now() + RETRY_AFTER_MS };
    }
    return kept?.reply;
  }

  return async () => {
    if (kept !== undefined && context.now() < kept.until) return kept.reply;
    building ??= build().finally(() => {
      building = undefined;
    });
    return building;
  };
}

/** `surveyedAt` is milliseconds since the epoch. */
function writeSitemap(
  origin: string,
  reports: readonly { readonly address: string; readonly surveyedAt: number }[],
): string {
  const base = Bun.escapeHTML(origin);
  const entries = PAGES.map((path) => `<url><loc>${base}${path}</loc></url>\n`);
  let size = HEAD.length + FOOT.length + entries.join("").length;
  for (const { address, surveyedAt } of reports) {
    const day = new Date(surveyedAt).toISOString().slice(0, 10);
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
