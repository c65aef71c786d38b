import * as v from "valibot";
import type { Exchange } from "../exchange.ts";
import type { HttpDeps } from "../http_deps.ts";
import { callTool } from "./call_tool.ts";
import { isObject, type Members } from "./read_message.ts";
import {
  HEADER_MISMATCH,
  INVALID_PARAMS,
  METHOD_NOT_FOUND,
  RpcError,
  UNSUPPORTED_VERSION,
} from "./rpc_error.ts";
import { CAPABILITIES, INSTRUCTIONS, serverInfoOf } from "./server_facts.ts";
import type { Tool } from "./tool.ts";
import { LEGACY_VERSIONS, MODERN_VERSION, VERSION_HEADER } from "./versions.ts";

/** The tools change with the program only. */
const TTL_MS = 3_600_000;

const CallSchema = v.object({
  name: v.pipe(v.string(), v.maxLength(128)),
  arguments: v.exactOptional(v.custom<Members>(isObject)),
});

const META_VERSION = "io.modelcontextprotocol/protocolVersion";
const META_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
const META_SERVER = "io.modelcontextprotocol/serverInfo";

/** The version that a message says it is written in. */
export function versionIn(message: Members): string | undefined {
  const { params } = message;
  const meta = isObject(params) ? params._meta : undefined;
  const version = isObject(meta) ? meta[META_VERSION] : undefined;
  return typeof version === "string" ? version : undefined;
}

/**
 * Answers one request as the version of 2026-07-28 wants it: no session, no handshake, all that matters in the request
 * itself, and headers that say the same as the body. The SDK does not know that version yet, and these three methods
 * are all of it that a server with nothing but tools must have:
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 * @throws {RpcError} for everything that is no result.
 */
export async function answerModern(
  deps: HttpDeps,
  tools: readonly Tool[],
  exchange: Exchange,
  message: Members,
): Promise<Members> {
  const { headers } = exchange.request;
  const params = isObject(message.params) ? message.params : {};
  checkVersion(versionIn(message), headers.get(VERSION_HEADER));
  const { method } = message;
  checkHeader("Mcp-Method", headers.get("mcp-method"), method);
  if (!isObject(params._meta) || !isObject(params._meta[META_CAPABILITIES])) {
    throw new RpcError(400, INVALID_PARAMS, `Cannot read request: _meta has no ${META_CAPABILITIES}`);
  }
  return {
    resultType: "complete",
    ...(await answer(deps, tools, exchange, method, params)),
    _meta: { [META_SERVER]: serverInfoOf(deps) },
  };
}

async function answer(
  deps: HttpDeps,
  tools: readonly Tool[],
  exchange: Exchange,
  method: unknown,
  params: Members,
): Promise<object> {
  switch (method) {
    case "server/discover":
      return {
        supportedVersions: [MODERN_VERSION, ...LEGACY_VERSIONS],
        capabilities: CAPABILITIES,
        instructions: INSTRUCTIONS,
        ttlMs: TTL_MS,
        cacheScope: "public",
      };
    case "tools/list":
      return { tools: tools.map(({ definition }) => definition), ttlMs: TTL_MS, cacheScope: "public" };
    case "tools/call": {
      const { name, args } = readCall(params);
      checkHeader("Mcp-Name", decodeHeader(exchange.request.headers.get("mcp-name")), name);
      return callTool(deps, tools, exchange, name, args);
    }
    default:
      throw new RpcError(404, METHOD_NOT_FOUND, "Method not found");
  }
}

function readCall(params: Members): { readonly name: string; readonly args: Members } {
  const call = v.safeParse(CallSchema, params);
  if (!call.success) {
    throw new RpcError(
      400,
      INVALID_PARAMS,
      "Cannot call tool: params need a name, and arguments be an object",
    );
  }
  return { name: call.output.name, args: call.output.arguments ?? {} };
}

function checkVersion(inBody: string | undefined, inHeader: string | null): void {
  const requested = inBody ?? inHeader ?? "";
  if (inBody !== undefined) checkHeader("MCP-Protocol-Version", inHeader, inBody);
  if (requested !== MODERN_VERSION) {
    throw new RpcError(400, UNSUPPORTED_VERSION, "Unsupported protocol version", {
      supported: [MODERN_VERSION, ...LEGACY_VERSIONS],
      requested: requested.slice(0, 64),
    });
  }
  if (inBody === undefined) {
    throw new RpcError(400, INVALID_PARAMS, `Cannot read request: _meta has no ${META_VERSION}`);
  }
}

function checkHeader(name: string, header: string | null, body: unknown): void {
  if (header === body) return;
  const what = header === null ? "is missing" : "does not match the body";
  throw new RpcError(400, HEADER_MISMATCH, `Header mismatch: ${name} ${what}`);
}

/** A name that no header may hold travels as `=?base64?…?=` (same page, value encoding). */
function decodeHeader(value: string | null): string | null {
  const encoded = value === null ? undefined : /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(value)?.[1];
  return encoded === undefined ? value : Buffer.from(encoded, "base64").toString("utf8");
}
