import * as v from "valibot";
import { isSpecialAsn, parseAddress, parseLoosePrefix } from "#address";
import { neighbourhoodOf, parseAsn, readPrefix } from "#network";
import { asPathOf, networkPathOf, renderSummaryPage, renderSummaryText, summaryPathOf } from "#render";
import {
  AsKindSchema,
  type AsSummary,
  AsSummarySchema,
  CountryShareSchema,
  ListCountSchema,
  type NetworkSummary,
  NetworkSummarySchema,
  PlaceShareSchema,
  UseShareSchema,
} from "#report";
import type { Clients, HttpContext, Operation, Reports } from "../context.ts";
import { choice, lang } from "../parameters.ts";
import { prefersText } from "../plugins/headers.ts";
import { takeLookup } from "../plugins/limits.ts";
import { createRoutes, type RequestContext } from "../plugins/request_context.ts";
import { mirrorNotFound, refuse, refuseWith } from "../problem.ts";
import { jsonReply, pageReply, redirect, textReply } from "../reply.ts";
import {
  either,
  empty,
  type FormatChoice,
  file,
  json,
  type OperationId,
  operation,
  page,
  problems,
  text,
} from "../responses.ts";
import { type CardReplies, RETRY_AFTER_MS } from "./card.ts";

/** The format of the errors under each ending, the media type, and the last word of the operation. */
const ENDINGS = {
  ".json": ["json", "application/json", ""],
  ".txt": ["text", "text/plain", "Text"],
  ".png": ["text", "image/png", "Card"],
} as const;
type Ending = keyof typeof ENDINGS | "";

/** The ending of the path decides the format; without one, the client does. */
const FORMAT: FormatChoice = {
  formats: ["page", "json", "text"],
  choose: ({ path, request }) => {
    const ending = endingOf(path);
    if (ending !== "") return ENDINGS[ending][0];
    return prefersText(request.headers) ? "text" : "page";
  },
};

const QUERY = v.object({
  lang,
  color: choice(["0", "1"], "`0` sends no escape sequences; without it the report is coloured."),
});

const VARY = { vary: "Accept, User-Agent" } as const;

function endingOf(name: string): Ending {
  return (Object.keys(ENDINGS) as Ending[]).find((ending) => name.endsWith(ending)) ?? "";
}

function withoutEnding(name: string): string {
  return name.slice(0, name.length - endingOf(name).length);
}

function segment(description: string, examples: string[]) {
  return v.pipe(v.string(), v.description(description), v.examples(examples));
}

/** Charges a lookup. @returns the refusal of a client without one, and of a mirror, which has no tables. */
function takeTables(context: Reports & Clients & Operation, requestContext: RequestContext) {
  const refused = takeLookup(context, requestContext);
  if (refused !== undefined) return refused;
  if (context.networks === undefined)
    return refuseWith<404>(mirrorNotFound(context.mirror, requestContext.language, {}));
  return context.networks;
}

/** Describes the paths of a route, one for each ending. Without an ending, the client chooses the format. */
function describePaths(path: string, id: "getNetwork" | "getAs", endings: readonly (keyof typeof ENDINGS)[]) {
  return [
    { path, ...operation(`${id}Page`) },
    ...endings.map((ending) => {
      const [format, mediaType, name] = ENDINGS[ending];
      const operationId = `${id}${name}` as OperationId;
      return { path: path + ending, format, mediaType, omits: ["color"], ...operation(operationId) };
    }),
  ];
}

/** What a client asked for: a network as written, and the format. */
interface Asked {
  readonly written: string;
  readonly ending: Ending;
  readonly color?: "0" | "1" | undefined;
}

/** Answers a summary in the format of the request. */
function answerSummary<Summary extends NetworkSummary | AsSummary>(
  context: HttpContext,
  requestContext: RequestContext,
  { ending, color }: Omit<Asked, "written">,
  summary: Summary,
) {
  const { language } = requestContext;
  const languages = [language];
  if (ending === ".json") return jsonReply(summary);
  const format = FORMAT.choose(requestContext);
  if (format === "page")
    return pageReply(renderSummaryPage(summary, { language, origin: context.baseUrl, now: context.now() }), {
      cacheControl: "private, no-cache",
      languages,
      headers: VARY,
    });
  const colour = ending === "" && color !== "0";
  const url = `${context.baseUrl}${summaryPathOf(summary, language)}`;
  const written = renderSummaryText(summary, { language, colour, url, now: context.now() });
  return textReply(written, { languages, ...(ending === "" ? { headers: VARY, shared: false } : {}) });
}

/** The documents within both summaries, which the description says once. */
const SUMMARY_PARTS = {
  AsKind: AsKindSchema,
  UseShare: UseShareSchema,
  CountryShare: CountryShareSchema,
  PlaceShare: PlaceShareSchema,
  ListCount: ListCountSchema,
};

const SAID = "What the tables and lists say.";
const SAID_PAGE = page(SAID, { headers: ["Vary"] });

const NETWORK_RESPONSES = {
  200: either(json(SAID, NetworkSummarySchema), text(SAID), file("The picture.", "image/png"), SAID_PAGE),
  308: empty("The page of the prefix in canonical form. Costs nothing.", { headers: ["Location"] }),
  ...problems("lookup", FORMAT, [404, 503]),
};

/** Answers a prefix as the client wrote it. */
async function answerPrefix(
  context: HttpContext,
  cards: CardReplies,
  requestContext: RequestContext,
  { written, ...format }: Asked,
) {
  const tables = takeTables(context, requestContext);
  if (!("prefix" in tables)) return tables;
  const prefix = readPrefix(written);
  if (typeof prefix === "string")
    return refuse("invalid_parameter", { data: { parameter: "prefix", value: written, reason: prefix } });
  const summary = await tables.prefixInTurn(prefix);
  if (summary === "unavailable") return refuse("overloaded", { retryAfterMs: RETRY_AFTER_MS });
  if (format.ending === ".png") {
    const card = await cards.ofNetwork(summary, requestContext.language);
    // Anyone may cache it, so it shows no limits of this client.
    requestContext.limits.splice(0);
    return card ?? refuse("overloaded", { retryAfterMs: RETRY_AFTER_MS });
  }
  return answerSummary(context, requestContext, format, summary);
}

/** `/net/{first}/{length}` with `.json`, `.txt` and `.png`: a prefix, from tables and lists alone. Never starts a survey. */
export function prefixRoute(path: string, context: HttpContext, cards: CardReplies) {
  return createRoutes()
    .model({ NetworkSummary: NetworkSummarySchema, ...SUMMARY_PARTS })
    .get(
      path,
      async ({ params: { first, length }, query, requestContext }) => {
        const ending = endingOf(length);
        const written = `${first}/${withoutEnding(length)}`;
        const canonical = parseLoosePrefix(written);
        // An error repeats what the visitor wrote.
        const isValid = typeof readPrefix(written) !== "string";
        if (ending === "" && isValid && canonical !== undefined && canonical.text !== written)
          return redirect(networkPathOf(canonical.text, requestContext.language), requestContext.request);
        return answerPrefix(context, cards, requestContext, { ...query, written, ending });
      },
      {
        params: v.object({
          first: segment("First address of the prefix.", ["198.51.100.0", "2001:db8::"]),
          length: segment("Length of the prefix.", ["24", "48"]),
        }),
        query: QUERY,
        response: NETWORK_RESPONSES,
        detail: {
          tags: ["Networks"],
          "x-paths": describePaths("/net/{first}/{length}", "getNetwork", [".json", ".txt", ".png"]),
        },
      },
    );
}

/** `/net/{first}`: the neighbours of an address. The page is that of their prefix. */
export function neighboursRoute(path: string, context: HttpContext, cards: CardReplies) {
  return createRoutes().get(
    path,
    async ({ params: { first }, query, requestContext }) => {
      const input = withoutEnding(first);
      const address = parseAddress(input);
      // Some clients escape the slash of a prefix.
      const isPrefix = address === undefined && input.includes("/");
      const prefix = isPrefix ? parseLoosePrefix(input) : address && neighbourhoodOf(address);
      if (prefix === undefined) return refuse("invalid_ip", { data: { input, reason: "network" } });
      if (FORMAT.choose(requestContext) === "page")
        return redirect(networkPathOf(prefix.text, requestContext.language), requestContext.request);
      const ending = endingOf(first);
      return answerPrefix(context, cards, requestContext, { ...query, written: prefix.text, ending });
    },
    {
      params: v.object({ first: segment("IPv4 or IPv6 address.", ["198.51.100.7"]) }),
      query: QUERY,
      response: NETWORK_RESPONSES,
      detail: operation("getNeighbours"),
    },
  );
}

/** `/as/{number}` with `.json` and `.txt`: an AS, from tables and lists alone. */
export function asRoute(path: string, context: HttpContext) {
  return createRoutes()
    .model({ AsSummary: AsSummarySchema })
    .get(
      path,
      async ({ params: { number }, query, requestContext }) => {
        const ending = endingOf(number);
        const written = withoutEnding(number);
        const asn = parseAsn(written);
        if (ending === "" && asn !== undefined && written !== String(asn))
          return redirect(asPathOf(asn, requestContext.language), requestContext.request);
        const tables = takeTables(context, requestContext);
        if (!("prefix" in tables)) return tables;
        if (asn === undefined || ending === ".png")
          return refuse("invalid_parameter", { data: { parameter: "as", value: number, reason: "not_as" } });
        const summary = await tables.as(asn);
        if (summary === "unavailable") return refuse("overloaded", { retryAfterMs: RETRY_AFTER_MS });
        const reason = isSpecialAsn(asn) ? "reserved" : "not_announced";
        if (summary === undefined) return refuse("not_found", { data: { reason, asn: `${asn}` } });
        return answerSummary(context, requestContext, { ...query, ending }, summary);
      },
      {
        params: v.object({ number: segment("AS number, with or without `AS` before it.", ["64496"]) }),
        query: QUERY,
        response: {
          200: either(json(SAID, AsSummarySchema), text(SAID), SAID_PAGE),
          308: empty("The same AS without letters. Costs nothing.", { headers: ["Location"] }),
          ...problems("lookup", FORMAT, [404, 503]),
        },
        detail: {
          tags: ["Networks"],
          "x-paths": describePaths("/as/{number}", "getAs", [".json", ".txt"]),
        },
      },
    );
}
