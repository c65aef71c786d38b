import { status } from "elysia";
import * as v from "valibot";
import { isNetworkText, readPrefix } from "#network";
import { comparePathOf, networkPathOf, renderHomePage, reportPathOf } from "#render";
import type { Language, Report } from "#report";
import type { Site } from "../context.ts";
import { exampleReport } from "../openapi/examples.ts";
import type { FindOwn } from "../own_report.ts";
import { findNetwork, lang, pasted, readPasted } from "../parameters.ts";
import { linkHeader, policyOfPage, prefersText } from "../plugins/headers.ts";
import { clientAddress, createRoutes } from "../plugins/request_context.ts";
import { refuse } from "../problem.ts";
import { emptyReply, pageReply, textReply } from "../reply.ts";
import { localizeAnswer } from "../report_replies.ts";
import { either, empty, type FormatChoice, operation, page, problems, text } from "../responses.ts";

const FORMAT: FormatChoice = {
  formats: ["page", "text"],
  choose: ({ request }) => (prefersText(request.headers) ? "text" : "page"),
};

const VARY = { vary: "Accept, User-Agent" } as const;

/**
 * `/` and `/en`: the client's address for terminals; for browsers the front page with what is known of that address.
 * `?ip=` takes what people paste and redirects to the report of one address, to the comparison of several, or to a network.
 */
export function homeRoute(path: string, context: Site, findOwn: FindOwn) {
  const { families } = context;
  const examples = new Map<Language, Report>();
  return createRoutes().get(
    path,
    async ({ query, requestContext }) => {
      const { language } = requestContext;
      if (FORMAT.choose(requestContext) === "text")
        return textReply(`${clientAddress(requestContext).text}\n`, { headers: VARY });
      if (query.ip !== undefined) return redirectToReport(query.ip, language);
      const own = clientAddress(requestContext);
      const example = examples.get(language) ?? exampleReport(context.baseUrl, language);
      examples.set(language, example);
      const rendered = renderHomePage({
        address: own.text,
        language,
        origin: context.baseUrl,
        report: localizeAnswer(context, await findOwn(own), language),
        example,
        ...(families === undefined ? {} : { families }),
      });
      return pageReply(rendered, {
        policy: policyOfPage(rendered, families),
        cacheControl: "private, no-cache",
        languages: [language],
        headers: { ...VARY, link: linkHeader(language) },
      });
    },
    {
      query: v.object({
        lang,
        ip: pasted(
          "Whatever people paste: redirects to the report of the address in it, to the comparison of several, or to a network.",
        ),
      }),
      response: {
        200: either(
          page("The caller's address, or the page.", { headers: ["Vary", "Link"] }),
          text("The caller's address, or the page."),
        ),
        302: empty("The report of the address in `ip`, the comparison of several, or a network's page.", {
          headers: ["Location", "Vary"],
        }),
        ...problems("nothing", FORMAT, [400]),
      },
      detail: operation("getFrontPage"),
    },
  );
}

/** The path of the page of a network or AS that a text names. The page of a wrong network says what is wrong with it. */
function findNetworkPath(text: string, language: Language): string | undefined {
  const network = findNetwork(text);
  if (network !== undefined) return networkPathOf(network, language);
  const found = text.includes("/") && isNetworkText(text) ? readPrefix(text) : undefined;
  return found === "not_prefix" || found === "prefix_too_wide" ? networkPathOf(text, language) : undefined;
}

/** The target is always a path of this site, made of canonical addresses. The comparison names what is mistyped. */
function redirectToReport(text: string, language: Language) {
  const path = findNetworkPath(text.trim(), language);
  if (path !== undefined) return status(302, emptyReply({ headers: { ...VARY, location: path } }));
  const parts = readPasted(text);
  const found = parts.find(({ address, kind }) => address !== undefined || kind === "network");
  if (found === undefined) return refuse("invalid_ip", { data: { input: text.trim() } });
  const words = parts.filter(({ kind }) => kind !== "other").map(({ asked }) => asked);
  const pathOf = found.kind === "network" ? networkPathOf : reportPathOf;
  const location = words.length === 1 ? pathOf(found.asked, language) : comparePathOf(words, language);
  return status(302, emptyReply({ headers: { ...VARY, location } }));
}
