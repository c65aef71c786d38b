import { MAX_BODY_BYTES } from "../contract.ts";
import type { Exchange } from "../exchange.ts";
import type { HttpDeps } from "../http_deps.ts";
import { callTool } from "./call_tool.ts";
import { isObject, type Members } from "./read_message.ts";
import { INTERNAL_ERROR, INVALID_PARAMS } from "./rpc_error.ts";
import { CAPABILITIES, INSTRUCTIONS, serverInfoOf } from "./server_facts.ts";
import type { Tool } from "./tool.ts";
import { VERSION_HEADER } from "./versions.ts";

type Sdk = Awaited<ReturnType<typeof importSdk>>;

let importing: Promise<Sdk> | undefined;

/** On first demand: loading it takes longer than the whole start of the service. */
async function importSdk() {
  const [{ Server }, { WebStandardStreamableHTTPServerTransport }, schemas] = await Promise.all([
    import("@modelcontextprotocol/sdk/server/index.js"),
    import("@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js"),
    import("@modelcontextprotocol/sdk/types.js"),
  ]);
  return { Server, WebStandardStreamableHTTPServerTransport, schemas };
}

/** What goes back: nothing at all to a notification. */
export interface LegacyAnswer {
  readonly status: number;
  readonly text: string;
}

/**
 * Answers one message of a client that opens with `initialize`, through the SDK: no session, one server and one
 * transport for each request, answers as plain JSON.
 */
export async function answerLegacy(
  deps: HttpDeps,
  tools: readonly Tool[],
  exchange: Exchange,
  message: Members,
): Promise<LegacyAnswer> {
  importing ??= importSdk();
  const { Server, WebStandardStreamableHTTPServerTransport, schemas } = await importing;
  const server = new Server(serverInfoOf(deps), {
    capabilities: CAPABILITIES,
    instructions: INSTRUCTIONS,
    jsonSchemaValidator: NO_VALIDATOR,
  });
  server.setRequestHandler(schemas.ListToolsRequestSchema, () => ({
    tools: tools.map(({ definition }) => definition),
  }));
  server.setRequestHandler(schemas.CallToolRequestSchema, ({ params }) =>
    callTool(deps, tools, exchange, params.name, params.arguments ?? {}),
  );
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: true,
    maxRequestBodySize: MAX_BODY_BYTES,
  });
  await server.connect(transport);
  try {
    const response = await transport.handleRequest(restate(exchange.request.headers), {
      parsedBody: message,
    });
    return { status: response.status, text: tame(await response.text()) };
  } finally {
    await server.close();
  }
}

/** The SDK tells of params that its schemas refuse as of a failure within, with all that its parser had to say. */
function tame(text: string): string {
  if (!text.includes(`"code":${INTERNAL_ERROR}`)) return text;
  const answer: unknown = JSON.parse(text);
  if (!isObject(answer) || !isObject(answer.error) || answer.error.code !== INTERNAL_ERROR) return text;
  return JSON.stringify({ ...answer, error: { code: INVALID_PARAMS, message: "Invalid params" } });
}

/** The SDK reads the whole URL and every header; a client may write there what cannot be read. */
function restate(headers: Headers): Request {
  const kept = ["accept", "content-type", VERSION_HEADER].flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value] as [string, string]];
  });
  return new Request("http://localhost/mcp", { method: "POST", headers: kept });
}

/** Only asked of clients' answers to questions that this server never puts; without it each server compiles its own. */
const NO_VALIDATOR = {
  getValidator: () => () => ({ valid: false, data: undefined, errorMessage: "nothing was asked" }) as const,
};
