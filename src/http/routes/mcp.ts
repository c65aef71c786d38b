import { status } from "elysia";
import * as v from "valibot";
import type { HttpContext } from "../context.ts";
import { compareTool } from "../mcp/compare_tool.ts";
import {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  isObject,
  type Members,
  RpcError,
  readMessage,
  replyJsonRpc,
  replyRpcError,
} from "../mcp/message.ts";
import { answerResources } from "../mcp/resources.ts";
import TEXTS from "../mcp/texts.json" with { type: "json" };
import { callTool, lang, type Tool } from "../mcp/tool.ts";
import { factorTool, limitsTool, lookupTool } from "../mcp/tools.ts";
import { describeAs } from "../parameters.ts";
import { explainFailure } from "../plugins/errors.ts";
import { MAX_BODY_BYTES } from "../plugins/own_pages.ts";
import { createRoutes, type RequestContext } from "../plugins/request_context.ts";
import type { HttpProblem } from "../problem.ts";
import { emptyReply } from "../reply.ts";
import { empty, json, operation, problems } from "../responses.ts";

/** Describes a JSON-RPC object. The SDK validates it: its errors depend on the protocol version. */
function describeMessage(jsonSchema: Members) {
  return v.pipe(v.custom<Members>(isObject), describeAs<Members>(jsonSchema));
}

const Message = describeMessage(TEXTS.schemas.message);
const Answer = describeMessage(TEXTS.schemas.answer);
const RpcFailure = describeMessage(TEXTS.schemas.failure);

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
        detail: operation("callTools"),
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

/** The header that names the protocol version of a request. */
const VERSION_HEADER = "mcp-protocol-version";

type Sdk = Awaited<ReturnType<typeof importSdk>>;

let importing: Promise<Sdk> | undefined;

/** Imports the SDK for the first message, because loading it takes longer than the start of the service. */
async function importSdk() {
  const [{ Server }, { WebStandardStreamableHTTPServerTransport }, schemas] = await Promise.all([
    import("@modelcontextprotocol/sdk/server/index.js"),
    import("@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js"),
    import("@modelcontextprotocol/sdk/types.js"),
  ]);
  return { Server, WebStandardStreamableHTTPServerTransport, schemas };
}

/**
 * Answers one message through the SDK, in every protocol version that the SDK supports: no session, one server and one
 * transport per request, answers as plain JSON. `text` is empty for a notification.
 */
async function answerMessage(
  context: HttpContext,
  tools: readonly Tool[],
  requestContext: RequestContext,
  message: Members,
): Promise<{ readonly status: number; readonly text: string }> {
  importing ??= importSdk();
  const { Server, WebStandardStreamableHTTPServerTransport, schemas } = await importing;
  const { version, baseUrl: websiteUrl } = context;
  const server = new Server(
    { name: "limpid", title: "limpid", version, websiteUrl },
    // The tools never change while the service runs.
    {
      capabilities: { tools: {}, resources: {}, prompts: {} },
      instructions: TEXTS.instructions,
      jsonSchemaValidator: NO_VALIDATOR,
    },
  );
  server.setRequestHandler(schemas.ListToolsRequestSchema, () => ({
    tools: tools.map(({ definition }) => definition),
  }));
  const call = (name: string, args: Members) => callTool(context, tools, requestContext, { name, args });
  server.setRequestHandler(schemas.CallToolRequestSchema, ({ params: { name, arguments: args = {} } }) =>
    call(name, args),
  );
  answerResources(server, schemas, (args) => call("lookup_ip", args));
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: true,
    maxRequestBodySize: MAX_BODY_BYTES,
  });
  await server.connect(transport);
  try {
    const request = copyRequest(requestContext.request.headers);
    const response = await transport.handleRequest(request, { parsedBody: message });
    return { status: response.status, text: hideParserOutput(await response.text()) };
  } finally {
    await server.close();
  }
}

/** Shortens the SDK's error for invalid params, which contains the whole output of its parser. */
function hideParserOutput(text: string): string {
  if (!text.includes(`"code":${INTERNAL_ERROR}`)) return text;
  const answer: unknown = JSON.parse(text);
  if (!isObject(answer) || !isObject(answer.error) || answer.error.code !== INTERNAL_ERROR) return text;
  return JSON.stringify({ ...answer, error: { code: INVALID_PARAMS, message: "Invalid params" } });
}

/** Creates a request with a fixed URL and checked headers: the SDK reads all of them, and the client controls them. */
function copyRequest(headers: Headers): Request {
  const kept = ["accept", "content-type", VERSION_HEADER].flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value] as [string, string]];
  });
  return new Request("http://localhost/mcp", { method: "POST", headers: kept });
}

/** Replaces the SDK's validator for answers of clients. This server sends no requests, and compiling one takes time. */
const NO_VALIDATOR = {
  getValidator: () => () => ({ valid: false, data: undefined, errorMessage: "No request was sent" }) as const,
};
