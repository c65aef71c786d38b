import { type AnyElysia, Elysia } from "elysia";
import { createBody } from "../body.ts";
import type { Exchange } from "../exchange.ts";
import { explainFailure } from "../explain_failure.ts";
import type { HttpDeps } from "../http_deps.ts";
import { HttpProblem } from "../http_problem.ts";
import { answerLegacy } from "../mcp/answer_legacy.ts";
import { answerModern, versionIn } from "../mcp/answer_modern.ts";
import { createTools } from "../mcp/create_tools.ts";
import { isForeignOrigin } from "../mcp/is_foreign_origin.ts";
import { type Members, readMessage } from "../mcp/read_message.ts";
import { INTERNAL_ERROR, INVALID_REQUEST, RpcError } from "../mcp/rpc_error.ts";
import type { Tool } from "../mcp/tool.ts";
import { LEGACY_VERSIONS, VERSION_HEADER } from "../mcp/versions.ts";
import { createReply, type Reply } from "../reply.ts";
import { serve } from "../serve.ts";

const ALLOW = ["POST", "OPTIONS"] as const;

/**
 * `POST /mcp`: the Model Context Protocol over streamable HTTP, one message a request, answers as JSON. Programs call
 * it; of pages only those of this site. Listing and explaining cost nothing, looking up costs what it costs anywhere.
 */
export function mcpRoutes(deps: HttpDeps): AnyElysia {
  let tools: readonly Tool[] | undefined;

  async function answer(exchange: Exchange): Promise<Reply> {
    const { request } = exchange;
    if (request.method === "OPTIONS") {
      return createReply({
        status: 204,
        keeping: "no-store",
        shared: false,
        headers: { allow: ALLOW.join(", ") },
      });
    }
    if (request.method !== "POST") throw new HttpProblem("method_not_allowed", { allow: ALLOW });
    let message: Members = {};
    try {
      if (isForeignOrigin(request.headers.get("origin"), deps.baseUrl)) {
        throw new RpcError(403, INVALID_REQUEST, "Cannot answer: pages of other sites may not ask");
      }
      message = await readMessage(request);
      tools ??= createTools(deps);
      return await answerMessage(deps, tools, exchange, message);
    } catch (error) {
      if (request.signal.aborted) throw error;
      return refuse(message, error instanceof RpcError ? error : failureOf(deps, exchange, error));
    }
  }

  deps.watch?.route("/mcp");
  return new Elysia({ name: "routes/mcp" }).all(
    "/mcp",
    ({ request, server }) => serve(deps, request, server, answer, "private", "/mcp"),
    { parse: "none" },
  );
}

async function answerMessage(
  deps: HttpDeps,
  tools: readonly Tool[],
  exchange: Exchange,
  message: Members,
): Promise<Reply> {
  if (!isModern(exchange.request.headers, message)) {
    const { status, text } = await answerLegacy(deps, tools, exchange, message);
    return text === "" ? accepted() : jsonRpc(status, text);
  }
  const { jsonrpc, id, method } = message;
  if (jsonrpc !== "2.0" || typeof method !== "string") {
    throw new RpcError(400, INVALID_REQUEST, "Cannot read message: it is no JSON-RPC 2.0 request");
  }
  // A notification; this version has none that a server must act upon.
  if (!Object.hasOwn(message, "id")) return accepted();
  if (!isId(id))
    throw new RpcError(400, INVALID_REQUEST, "Cannot read message: its id is no string or whole number");
  const result = await answerModern(deps, tools, exchange, message);
  return jsonRpc(200, JSON.stringify({ jsonrpc: "2.0", id, result }));
}

/** A request says by itself which version it is written in; `initialize` is the older ones' way to open. */
function isModern(headers: Headers, message: Members): boolean {
  if (message.method === "initialize") return false;
  const legacy: readonly string[] = LEGACY_VERSIONS;
  const version = versionIn(message) ?? headers.get(VERSION_HEADER);
  return version !== null && !legacy.includes(version);
}

function failureOf(deps: HttpDeps, exchange: Exchange, error: unknown): RpcError {
  explainFailure(deps, exchange, error);
  return new RpcError(500, INTERNAL_ERROR, `Internal error; the log names this request ${exchange.id}`);
}

/** An id that could not be read is left out. */
function refuse({ id }: Members, { status, code, message, data }: RpcError): Reply {
  const error = { code, message, ...(data === undefined ? {} : { data }) };
  return jsonRpc(status, JSON.stringify({ jsonrpc: "2.0", ...(isId(id) ? { id } : {}), error }));
}

function isId(id: unknown): id is string | number {
  return typeof id === "string" || Number.isSafeInteger(id);
}

function jsonRpc(status: number, text: string): Reply {
  const body = createBody("application/json; charset=utf-8", text);
  return createReply({ status, body, keeping: "no-store", shared: false });
}

function accepted(): Reply {
  return createReply({ status: 202, keeping: "no-store", shared: false });
}
