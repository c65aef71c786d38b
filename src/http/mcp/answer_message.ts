import type { HttpContext } from "../context.ts";
import { MAX_BODY_BYTES } from "../plugins/own_pages.ts";
import type { RequestContext } from "../plugins/request_context.ts";
import { INTERNAL_ERROR, INVALID_PARAMS, isObject, type Members } from "./message.ts";
import { callTool, type Tool } from "./tool.ts";

/** The header that names the protocol version of a request. */
export const VERSION_HEADER = "mcp-protocol-version";

/** Sent to every model that connects. */
const INSTRUCTIONS = [
  "limpid tells how clean an IP address is and shows its reasoning. Use it for one address or a few candidates, never",
  "for lists, ranges or schedules. No risk signals does not mean safe: never call an address safe because of a report.",
  "With any conclusion pass on `unknowns` and the sources that did not answer, give the confidence beside the purity,",
  "and cite `reportUrl`. A refusal says nothing about the address: with verification_required give the person the",
  "reportUrl to open in a browser, otherwise wait as many seconds as retryAfterSeconds says.",
].join(" ");

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

/** The answer to a message; `text` is empty for a notification. */
export interface McpAnswer {
  readonly status: number;
  readonly text: string;
}

/**
 * Answers one message through the SDK, in every protocol version that the SDK supports: no session, one server and one
 * transport per request, answers as plain JSON.
 */
export async function answerMessage(
  context: HttpContext,
  tools: readonly Tool[],
  requestContext: RequestContext,
  message: Members,
): Promise<McpAnswer> {
  importing ??= importSdk();
  const { Server, WebStandardStreamableHTTPServerTransport, schemas } = await importing;
  const { version, baseUrl: websiteUrl } = context;
  const server = new Server(
    { name: "limpid", title: "limpid", version, websiteUrl },
    // The tools never change while the service runs.
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS, jsonSchemaValidator: NO_VALIDATOR },
  );
  server.setRequestHandler(schemas.ListToolsRequestSchema, () => ({
    tools: tools.map(({ definition }) => definition),
  }));
  server.setRequestHandler(schemas.CallToolRequestSchema, ({ params: { name, arguments: args = {} } }) =>
    callTool(context, tools, requestContext, { name, args }),
  );
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
