import { status } from "elysia";
import { LRUCache } from "lru-cache";
import * as v from "valibot";
import { type Address, findPastedAddresses, isBogon, parseAddress } from "#address";
import type { Answer } from "#lookup";
import { EXAMPLE_ADDRESS, renderHomePage, reportPathOf } from "#render";
import type { Language } from "#report";
import type { Operation, Reports, Site } from "../context.ts";
import { lang, MOST_COMPARED, pasted } from "../parameters.ts";
import { linkHeader, prefixOf } from "../paths.ts";
import { prefersText } from "../plugins/headers.ts";
import { clientAddress, createRoutes, type RequestContext } from "../plugins/request_context.ts";
import { refuse } from "../problem.ts";
import { emptyReply, makeEvery, pageReply, textReply } from "../reply.ts";
import { answerFromTables, localizeAnswer } from "../report_replies.ts";
import { either, empty, type FormatChoice, operation, page, problems, text } from "../responses.ts";

const FORMAT: FormatChoice = {
  formats: ["page", "text"],
  choose: ({ request }) => (prefersText(request.headers) ? "text" : "page"),
};

const VARY = { vary: "Accept, User-Agent" } as const;

/** How long a miss in the database for a client's own address is remembered. */
const MISS_REST_MS = 10_000;

const MAX_CLIENTS = 10_000;

/** How long the example on the page is cached. */
const EXAMPLE_MS = 600_000;

/**
 * `/` and `/en`: the client's address for terminals; for browsers the front page with the stored report of that address.
 * `?ip=` takes what people paste and redirects to the report of one address, or to the comparison of several.
 */
export function homeRoute(context: Reports & Site & Operation) {
  const findOwn = createOwnFinder(context);
  const readExample = makeEvery(EXAMPLE_MS, context.now, () => findExample(context));
  return (path: string) =>
    createRoutes().get(
      path,
      async ({ query, requestContext }) => {
        const { language } = requestContext;
        if (FORMAT.choose(requestContext) === "text")
          return textReply(`${clientAddress(requestContext).text}\n`, { headers: VARY });
        if (query.ip !== undefined) return redirectToReport(query.ip, language);
        const own = clientAddress(requestContext);
        const [answer, example] = await Promise.all([findOwn(requestContext, own), readExample()]);
        const rendered = renderHomePage({
          address: own.text,
          language,
          origin: context.baseUrl,
          ...(answer === undefined ? {} : { report: localizeAnswer(context, answer, language) }),
          ...(example === undefined ? {} : { example: localizeAnswer(context, example, language) }),
        });
        return pageReply(rendered, {
          cacheControl: "private, no-cache",
          languages: [language],
          headers: { ...VARY, link: linkHeader(language) },
        });
      },
      {
        query: v.object({
          lang,
          ip: pasted(
            "Whatever people paste: redirects to the report of the address in it, or to the comparison of several.",
          ),
        }),
        response: {
          200: either(
            page("The caller's address, or the page.", { headers: ["Vary", "Link"] }),
            text("The caller's address, or the page."),
          ),
          302: empty("The report of the address in `ip`, or the comparison of several.", {
            headers: ["Location", "Vary"],
          }),
          ...problems("nothing", FORMAT, [400]),
        },
        detail: operation("getFrontPage"),
      },
    );
}

/** Finds the report of the example: the stored one, or one from the local tables. None without a network table. */
async function findExample({ findKnown, assessTables }: Reports): Promise<Answer | undefined> {
  const address = parseAddress(EXAMPLE_ADDRESS);
  if (address === undefined) return undefined;
  const known = await findKnown(address);
  if (known !== undefined) return known;
  const answer = answerFromTables(await assessTables(address));
  return answer.assessment.asn === undefined ? undefined : answer;
}

/** Finds the stored report of a client's own address. Remembers misses, because anyone can open the page often. */
function createOwnFinder(context: Reports & Site & Operation) {
  const { findKnown, now } = context;
  /** A special-purpose address has no stored report; a local table tells what it is. */
  const explain = async (own: Address) => answerFromTables(await context.assessTables(own));
  const missed = new LRUCache<string, number>({ max: MAX_CLIENTS });
  return async ({ client }: RequestContext, own: Address): Promise<Answer | undefined> => {
    const missedAt = missed.get(client.key);
    if (missedAt !== undefined && now() - missedAt < MISS_REST_MS) return undefined;
    const answer = (await findKnown(own)) ?? (isBogon(own) ? await explain(own) : undefined);
    if (answer === undefined) missed.set(client.key, now());
    else missed.delete(client.key);
    return answer;
  };
}

/** The target is always a path of this site, made of canonical addresses. */
function redirectToReport(text: string, language: Language) {
  const [address, ...others] = findPastedAddresses(text).map(({ text: canonical }) => canonical);
  if (address === undefined) return refuse("invalid_ip", { data: { input: text.trim() } });
  // One more than the comparison takes, so that its page says that these are too many.
  const candidates = [address, ...others].slice(0, MOST_COMPARED + 1);
  const location =
    others.length === 0
      ? reportPathOf(address, language)
      : `${prefixOf(language)}/compare?ips=${candidates.join(",")}`;
  return status(302, emptyReply({ headers: { ...VARY, location } }));
}
