import { createBody } from "./body.ts";
import type { HttpDeps } from "./http_deps.ts";
import { HttpProblem } from "./http_problem.ts";
import { createReply, type Reply } from "./reply.ts";
import { reportPathOf } from "./report_url.ts";

/** Reports that are listed, each in both languages. */
const MAX_REPORTS = 5000;

/** A fifth of what the protocol allows, so that no origin, however long, makes a file that is refused. */
const MAX_BYTES = 10_000_000;

/** What is listed changes slowly, and listing reads thousands of rows. */
const KEPT_MS = 600_000;

const RETRY_AFTER_MS = 5000;

const PAGES = ["", "/en", "/method", "/en/method", "/compare", "/en/compare", "/docs", "/en/docs"];

const HEAD =
  '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n';
const FOOT = "</urlset>\n";

/**
 * Builds the answer of `/sitemap.xml` (https://www.sitemaps.org/protocol.html): the pages, and reports that are stored,
 * newest first. Made at most every ten minutes, once for all who ask meanwhile; while the database cannot be read the
 * one before stays. Alternates stand on the pages themselves, so they are left out here.
 */
export function createSitemap(
  deps: Pick<HttpDeps, "shelf" | "baseUrl" | "now" | "log">,
): () => Promise<Reply> {
  let kept: { readonly reply: Reply; readonly until: number } | undefined;
  let building: Promise<Reply> | undefined;

  async function build(): Promise<Reply> {
    const xml = writeSitemap(deps.baseUrl, await deps.shelf.newest(MAX_REPORTS));
    const body = createBody("application/xml; charset=utf-8", xml);
    const reply = createReply({ status: 200, body, keeping: "public, max-age=300", shared: true });
    kept = { reply, until: deps.now() + KEPT_MS };
    return reply;
  }

  async function rebuild(): Promise<Reply> {
    try {
      return await build();
    } catch (error) {
      deps.log("error", "sitemap_unreadable", { message: String(error) });
      if (kept === undefined) throw new HttpProblem("overloaded", { retryAfterMs: RETRY_AFTER_MS });
      kept = { ...kept, until: deps.now() + RETRY_AFTER_MS };
      return kept.reply;
    }
  }

  return async () => {
    if (kept !== undefined && deps.now() < kept.until) return kept.reply;
    building ??= rebuild().finally(() => {
      building = undefined;
    });
    return building;
  };
}

/** The document itself; `surveyedAt` is milliseconds since the epoch. */
function writeSitemap(
  origin: string,
  reports: readonly { readonly address: string; readonly surveyedAt: number }[],
): string {
  const base = Bun.escapeHTML(origin);
  const entries = PAGES.map((path) => `<url><loc>${base}${path === "" ? "/" : path}</loc></url>\n`);
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
