import { status } from "elysia";
import * as v from "valibot";
import type { HttpContext } from "../context.ts";
import { answerMessage, VERSION_HEADER } from "../mcp/answer_message.ts";
import { compareTool } from "../mcp/compare_tool.ts";
import { factorTool } from "../mcp/factor_tool.ts";
import { limitsTool } from "../mcp/limits_tool.ts";
import { lookupTool } from "../mcp/lookup_tool.ts";
import {
  INTERNAL_ERROR,
  INVALID_REQUEST,
  isObject,
  type Members,
  RpcError,
  readMessage,
  replyJsonRpc,
  replyRpcError,
} from "../mcp/message.ts";
import { lang, type Tool } from "../mcp/tool.ts";
import { describeAs } from "../parameters.ts";
import { explainFailure } from "../plugins/errors.ts";
import { createRoutes, type RequestContext } from "../plugins/request_context.ts";
import type { HttpProblem } from "../problem.ts";
import { emptyReply } from "../reply.ts";
import { empty, json, problems } from "../responses.ts";

/** The envelope of a message. The SDK validates it, because its errors depend on the protocol version. */
const Message = v.pipe(
  v.custom<Members>(isObject),
  describeAs<Members>({
    type: "object",
    properties: {
      jsonrpc: { type: "string", const: "2.0" },
      id: { type: ["string", "integer"] },
      method: { type: "string" },
      params: { type: "object" },
    },
    required: ["jsonrpc", "method"],
    examples: [
      {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "lookup_ip", arguments: { ip: "198.51.100.7", lang: "en" } },
      },
    ],
  }),
);

const Answer = v.pipe(
  v.custom<Members>(isObject),
  describeAs<Members>({
    type: "object",
    properties: {
      jsonrpc: { type: "string", const: "2.0" },
      id: { type: ["string", "integer"] },
      result: { type: "object" },
      error: { type: "object" },
    },
    required: ["jsonrpc"],
  }),
);

const RpcFailure = v.pipe(
  v.custom<Members>(isObject),
  describeAs<Members>({
    type: "object",
    properties: {
      jsonrpc: { type: "string", const: "2.0" },
      id: { type: ["string", "integer", "null"] },
      error: {
        type: "object",
        properties: { code: { type: "integer" }, message: { type: "string" } },
        required: ["code", "message"],
      },
    },
    required: ["jsonrpc", "error"],
  }),
);

/** An invalid query is an error of JSON-RPC too. */
function explainInvalid({ details }: HttpProblem) {
  const why = `Cannot answer: parameter "${details.data?.parameter}" is invalid or repeated`;
  return [replyRpcError(new RpcError(400, INVALID_REQUEST, why)), 400] as const;
}

const NOT_CACHED = { isCacheable: false, shared: false } as const;

/** A JSON-RPC error; `-32600` is an invalid request. */
function failure(description: string) {
  const example = { jsonrpc: "2.0", error: { code: -32_600, message: description } };
  return json(description, RpcFailure, { ...NOT_CACHED, headers: ["Vary"], example });
}

/**
 * `POST /mcp`: the Model Context Protocol over streamable HTTP, one message per request, answers as JSON. For programs,
 * and for pages of this site. A lookup costs what it costs elsewhere; the rest costs nothing.
 */
export function mcpRoute(path: string, context: HttpContext) {
  // No tool returns the caller's address: behind a hosted model it would be the address of the model.
  const tools: readonly Tool[] = [
    lookupTool(context),
    compareTool(context),
    factorTool(context),
    limitsTool(context),
  ];
  const parse = ({ requestContext }: { readonly requestContext: RequestContext }) =>
    readMessage(requestContext.request, context.baseUrl);
  return createRoutes()
    .model({ RpcFailure })
    .post(
      path,
      async ({ body, requestContext }) => {
        const { status: code, text } = await answerOrFail(context, tools, requestContext, body);
        if (text === "") return status(202, emptyReply());
        // The SDK answers with these statuses.
        return status(code as 200 | 400 | 406, replyJsonRpc(text));
      },
      {
        parse: [parse, "json"],
        headers: v.object({
          [VERSION_HEADER]: v.exactOptional(
            v.pipe(v.string(), v.description("Protocol version of the message."), v.examples(["2025-11-25"])),
          ),
        }),
        query: v.object({ lang }),
        body: Message,
        response: {
          ...problems("nothing", "json", [], { access: "private", explainInvalid }),
          200: json("The answer, or the error of the method.", Answer, {
            ...NOT_CACHED,
            headers: ["Vary", "RateLimit", "RateLimit-Policy", "x-open-budget-remaining"],
            example: { jsonrpc: "2.0", id: 1, result: { content: [{ type: "text", text: "..." }] } },
          }),
          202: empty("A notification was accepted."),
          400: failure("No message, a batch, or a protocol version that is not supported."),
          403: failure("A page of another site sent it."),
          406: failure("Accept must name application/json and text/event-stream."),
          413: failure("The message is longer than 16 kB."),
          415: failure("The Content-Type is not application/json."),
          500: failure("The service failed; the message names the request in its log."),
        },
        detail: {
          operationId: "callTools",
          summary: "Tools for models (Model Context Protocol)",
          description:
            "Streamable HTTP: one JSON-RPC message per request, answers as JSON, no session and no stream, versions 2024-10-07 to 2025-11-25. Tools: `lookup_ip`, `compare_ips`, `explain_factor`, `service_limits`; `tools/list` returns their schemas. A lookup costs what it costs elsewhere, and each compared address is one lookup; the rest costs nothing. A refused lookup is a result with `isError`. Pages of other sites are refused.",
          tags: ["Reports"],
        },
      },
    );
}

/** Turns an error of the SDK into a JSON-RPC error and logs it with the request id. */
async function answerOrFail(
  context: HttpContext,
  tools: readonly Tool[],
  requestContext: RequestContext,
  message: Members,
) {
  try {
    return await answerMessage(context, tools, requestContext, message);
  } catch (error) {
    if (requestContext.request.signal.aborted) throw error;
    explainFailure(context, requestContext, error);
    const text = `Internal error; the log names this request ${requestContext.id}`;
    throw new RpcError(500, INTERNAL_ERROR, text, message.id);
  }
}
