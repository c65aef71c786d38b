import { ALWAYS, BUDGET, LIMITED, refer, referHeaders } from "../describe_answers.ts";
import type { Described } from "../operation.ts";
import { HEADER_MISMATCH, INVALID_REQUEST, METHOD_NOT_FOUND } from "./rpc_error.ts";
import { MODERN_VERSION, VERSION_HEADER } from "./versions.ts";

const ID = { type: ["string", "integer"] };

const REQUEST = {
  type: "object",
  properties: {
    jsonrpc: { type: "string", const: "2.0" },
    id: ID,
    method: { type: "string" },
    params: { type: "object" },
  },
  required: ["jsonrpc", "method"],
};

const ERROR = {
  type: "object",
  properties: {
    jsonrpc: { type: "string", const: "2.0" },
    id: { type: ["string", "integer", "null"] },
    error: {
      type: "object",
      properties: { code: { type: "integer" }, message: { type: "string" }, data: { type: "object" } },
      required: ["code", "message"],
    },
  },
  required: ["jsonrpc", "error"],
};

const ANSWER = {
  type: "object",
  properties: { jsonrpc: { type: "string", const: "2.0" }, id: ID, result: { type: "object" } },
  required: ["jsonrpc"],
};

const CALL = {
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "lookup_ip", arguments: { ip: "198.51.100.7", lang: "en" } },
};

const HEADERS = referHeaders([...ALWAYS, "Vary", ...LIMITED, BUDGET]);

/** What may be wrong with a message, by the status that tells it. */
const ERRORS: readonly (readonly [status: number, description: string, code: number])[] = [
  [
    400,
    "No message, a batch, a version that is not spoken, or headers that say other than the body.",
    HEADER_MISMATCH,
  ],
  [403, "Sent by a page of another site.", INVALID_REQUEST],
  [404, "No such method, said to who asks without a handshake.", METHOD_NOT_FOUND],
  [406, "Accept must name application/json and text/event-stream.", INVALID_REQUEST],
  [413, "The message is longer than 16 kB.", INVALID_REQUEST],
  [415, "The message is no application/json.", INVALID_REQUEST],
  [500, "The service failed; the message names the request in its log.", INVALID_REQUEST],
];

/** `POST /mcp` in the OpenAPI description: the envelope only; what is in it, the protocol itself describes. */
export function describeMcp(): Described {
  return {
    post: {
      operationId: "callTools",
      tags: ["Reports"],
      summary: "Tools for models (Model Context Protocol)",
      description: [
        "Streamable HTTP, one JSON-RPC message a request, answers as JSON, no session and no stream:",
        `version ${MODERN_VERSION} and, with its handshake, every one before. Tools: \`lookup_ip\`, \`compare_ips\`,`,
        "`explain_factor`, `service_limits`; `tools/list` gives their schemas. Looking up costs what it costs anywhere,",
        "each compared address one lookup; the rest costs nothing. A refused lookup is a result with `isError`.",
        "Pages of other sites are refused.",
      ].join(" "),
      parameters: [
        {
          name: VERSION_HEADER,
          in: "header",
          required: false,
          description: "Version of the protocol that the message is written in.",
          schema: { type: "string" },
          example: MODERN_VERSION,
        },
        {
          name: "lang",
          in: "query",
          required: false,
          description: "Language of what is told where a call names none; Chinese without it.",
          schema: { type: "string", enum: ["zh", "en"] },
        },
      ],
      requestBody: {
        description: "At most 16 kB.",
        required: true,
        content: { "application/json": { schema: REQUEST, example: CALL } },
      },
      responses: {
        200: {
          description: "The answer, or the error that its method met.",
          headers: HEADERS,
          content: {
            "application/json": {
              schema: ANSWER,
              example: { jsonrpc: "2.0", id: 1, result: { content: [{ type: "text", text: "..." }] } },
            },
          },
        },
        202: { description: "A notification was taken.", headers: HEADERS },
        ...Object.fromEntries(
          ERRORS.map(([status, description, code]) => [status, describeError(description, code)]),
        ),
        414: {
          description: "The URL is longer than 2048 characters.",
          headers: referHeaders(ALWAYS),
          content: { "application/json": { schema: refer("Error") } },
        },
      },
    },
  };
}

function describeError(description: string, code: number): Described {
  return {
    description,
    headers: HEADERS,
    content: {
      "application/json": {
        schema: ERROR,
        example: { jsonrpc: "2.0", error: { code, message: description } },
      },
    },
  };
}
