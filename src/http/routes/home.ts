import { type AnyElysia, Elysia } from "elysia";
import { findPastedAddresses } from "#address";
import { renderHomePage } from "#render";
import type { Language } from "#report";
import { addressOf } from "../address_of.ts";
import { HomeQuerySchema } from "../contract.ts";
import { createOwnReports } from "../create_own_reports.ts";
import type { HttpDeps } from "../http_deps.ts";
import { HttpProblem } from "../http_problem.ts";
import { lineReply } from "../line_reply.ts";
import { listLinks } from "../list_links.ts";
import { pageReply } from "../page_reply.ts";
import { MOST_CANDIDATES } from "../read_candidates.ts";
import { readQuery } from "../read_query.ts";
import { createReply } from "../reply.ts";
import { comparePathOf, reportPathOf } from "../report_url.ts";
import { type Handler, mount } from "../serve.ts";
import { speakAnswer } from "../speak_answer.ts";

/**
 * `/` and `/en`: the caller's address for terminals; for browsers the page, with what is known of that address already.
 * `?ip=` takes what people paste, and leads to the report of one address or the comparison of several.
 */
export function homeRoutes(deps: HttpDeps): AnyElysia {
  const vary = { vary: "Accept, User-Agent" };
  const findOwn = createOwnReports(deps);
  const handler: Handler = async (exchange) => {
    const { language, shape } = exchange;
    if (shape === "text") return lineReply(addressOf(exchange).text, vary);
    const { ip } = readQuery(exchange.query, HomeQuerySchema);
    if (ip !== undefined) {
      const headers = { ...vary, location: findWay(ip, language) };
      return createReply({ status: 302, keeping: "no-store", shared: false, headers });
    }
    const own = addressOf(exchange);
    const answer = await findOwn(exchange, own);
    const page = renderHomePage({
      address: own.text,
      language,
      origin: deps.baseUrl,
      ...(answer === undefined ? {} : { report: speakAnswer(deps, answer, language) }),
    });
    const headers = { ...vary, link: listLinks(language) };
    return pageReply(page, { status: 200, keeping: "private, no-cache", headers });
  };
  return new Elysia({ name: "routes/home" }).use(mount(deps, "/", handler)).use(mount(deps, "/en", handler));
}

/** Only ever a path of this site, made of addresses in canonical form. */
function findWay(pasted: string, language: Language): string {
  const [address, ...others] = findPastedAddresses(pasted).map(({ text }) => text);
  if (address === undefined) throw new HttpProblem("invalid_ip", { data: { input: pasted.trim() } });
  if (others.length === 0) return reportPathOf(address, language);
  // One more than are compared, so that the page says that these are too many.
  const candidates = [address, ...others].slice(0, MOST_CANDIDATES + 1);
  return `${comparePathOf(language)}?ips=${candidates.join(",")}`;
}
