import * as v from "valibot";
import { AsSummarySchema, CONFIDENCES, FLAGS, NetworkSummarySchema, USAGE_TYPES } from "#report";
import { classifyLines, createLineFormat, type FormatLine, formatAll } from "../classify_lines.ts";
import type { Reports } from "../context.ts";
import { ip, lang, titled } from "../parameters.ts";
import { isJson, parseJson, readBytes } from "../plugins/own_pages.ts";
import { createRoutes, type RequestContext } from "../plugins/request_context.ts";
import { HttpProblem, mirrorNotFound } from "../problem.ts";
import { Reply, textReply } from "../reply.ts";
import { either, json, operation, problems, text } from "../responses.ts";
import EXAMPLES from "./examples.json" with { type: "json" };

/** Most addresses of a JSON array. */
const MOST_ADDRESSES = 1000;

/** A JSON array of as many addresses, with room for blanks. */
const MAX_ARRAY_BYTES = 131_072;

/** Streams of one process; each holds some 100 kB. */
const MOST_STREAMS = 64;

const FULL_RETRY_MS = 1000;

/** Shorter than the time after which the server closes a silent connection. */
const STALL_MS = 20_000;

const Classified = titled("Classified", {
  ip: v.string(),
  usageType: v.picklist(USAGE_TYPES),
  asn: v.nullable(v.number()),
  asName: v.nullable(v.string()),
  country: v.nullable(v.string()),
  flags: v.array(v.picklist(FLAGS)),
  purity: v.number(),
  coverage: v.number(),
  range: v.number(),
  confidence: v.picklist(CONFIDENCES),
  purpose: v.exactOptional(v.string()),
});

/** The answer to a line or an item that is not an address. */
const NotClassified = titled("NotClassified", { input: v.exactOptional(v.string()), error: v.string() });

const Many = v.array(v.union([Classified, NetworkSummarySchema, AsSummarySchema, NotClassified]));

const NOT_STORED = { cacheControl: "no-store", shared: false } as const;

const NOT_SHARED = { isCacheable: false, shared: false } as const;

/**
 * `/api/classify`: what the tables alone say about one address, or about many. For clients of the operator only: no
 * limit applies to them. No query, no survey, nothing stored.
 */
export function classifyRoute(path: string, context: Reports) {
  const format = createLineFormat(context.classifier, context.networks);
  const streams = { open: 0 };
  return createRoutes()
    .model({ Classified, NotClassified })
    .get(
      path,
      async ({ query, requestContext }) => {
        requireOperator(context, requestContext, query.ip.text);
        return replyRows<v.InferOutput<typeof Classified>>(await format(query.ip.text));
      },
      {
        query: v.object({ ip, lang }),
        response: {
          200: json(
            "What the tables say. `coverage` is a share, 0 to 1; usually the purity with all evidence is not below `range`.",
            Classified,
            {
              ...NOT_SHARED,
              example: EXAMPLES.classified,
            },
          ),
          ...problems("nothing", "json", [400, 403, 404], { access: "private", reasons: ["not_exempt"] }),
        },
        detail: operation("classify"),
      },
    )
    .post(
      path,
      async ({ requestContext }) => {
        requireOperator(context, requestContext);
        const type = readType(requestContext.request.headers);
        if (type === "array") {
          const rows = await formatAll(await readArray(requestContext.request), format);
          return replyRows<v.InferOutput<typeof Many>>(`[${rows.join(",\n")}]`);
        }
        return streamRows(requestContext.request, format, streams);
      },
      {
        query: v.object({ lang }),
        response: {
          200: either(
            json("One answer for each address, in the same order.", Many, NOT_SHARED),
            text("One JSON object a line.", {
              ...NOT_SHARED,
              mediaType: "application/x-ndjson",
              headers: ["X-Accel-Buffering"],
              example: `${JSON.stringify(EXAMPLES.classified)}\n`,
            }),
          ),
          ...problems("nothing", "json", [400, 403, 404, 413, 503], {
            access: "private",
            reasons: ["not_exempt"],
          }),
        },
        // The body is read by the route, so that lines can be answered while they arrive.
        detail: operation("classifyMany"),
      },
    );
}

/** @throws {HttpProblem} for other clients, and on a mirror, which has no tables. */
function requireOperator(context: Reports, { client, language }: RequestContext, address?: string): void {
  if (!client.exempt) throw new HttpProblem("forbidden", { data: { reason: "not_exempt" } });
  if (context.mirror !== undefined)
    throw mirrorNotFound(context.mirror, language, address === undefined ? {} : { address });
}

/** A JSON document that nobody keeps, because lists change. */
function replyRows<Document>(content: string): Reply<Document> {
  return new Reply(NOT_STORED, { contentType: "application/json; charset=utf-8", content });
}

/** @throws {HttpProblem} for another Content-Type, and for a compressed body. */
function readType(headers: Headers): "array" | "lines" {
  const encoding = headers.get("content-encoding") ?? "identity";
  if (encoding !== "identity") throw invalidHeader("Content-Encoding", encoding, ["identity"]);
  const type = headers.get("content-type") ?? "";
  if (isJson(type)) return "array";
  if (/^text\/plain[ \t]*(?:;|$)/i.test(type)) return "lines";
  throw invalidHeader("Content-Type", type, ["application/json", "text/plain"]);
}

function invalidHeader(parameter: string, value: string, allowed: readonly string[]): HttpProblem {
  return new HttpProblem("invalid_parameter", { data: { parameter, value, allowed } });
}

/** @throws {HttpProblem} when the body is too large, or no array of at most 1000 texts. */
async function readArray(request: Request): Promise<readonly string[]> {
  const bytes = await readBytes(request, MAX_ARRAY_BYTES);
  if (bytes === undefined) throw new HttpProblem("too_large", { status: 413 });
  const array = v.safeParse(v.pipe(v.array(v.string()), v.maxLength(MOST_ADDRESSES)), parseJson(bytes));
  if (array.success) return array.output;
  const allowed = [`array of 0-${MOST_ADDRESSES} strings`];
  throw new HttpProblem("invalid_parameter", { data: { parameter: "body", allowed } });
}

/** Answers the lines of the body while they arrive. @throws {HttpProblem} when too many streams are open. */
function streamRows(request: Request, format: FormatLine, streams: { open: number }): Reply<"text"> {
  if (request.body === null) return textReply("", NOT_STORED, "application/x-ndjson");
  if (streams.open >= MOST_STREAMS) throw new HttpProblem("overloaded", { retryAfterMs: FULL_RETRY_MS });
  streams.open += 1;
  const rows = classifyLines(request.body, format, {
    stallMs: STALL_MS,
    onEnd: () => {
      streams.open -= 1;
    },
  });
  return new Reply(
    // Without it, nginx and similar proxies buffer the answers.
    { ...NOT_STORED, headers: { "x-accel-buffering": "no" } },
    { contentType: "application/x-ndjson; charset=utf-8", content: () => rows },
  );
}
