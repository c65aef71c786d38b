import type { Clients, Operation, Reports, Site } from "../context.ts";
import { HttpProblem, mirrorNotFound } from "../problem.ts";
import { takeLookup } from "./limits.ts";
import type { RequestContext } from "./request_context.ts";

/** Largest body that a client may send. */
export const MAX_BODY_BYTES = 16_384;

/**
 * Reads the JSON body of a request that only pages of this site may send. A mirror refuses it. It costs one lookup,
 * which is charged before the body is read. Pass it to a route as `parse`.
 */
export function readOwnBody(context: Reports & Clients & Site & Operation) {
  return async ({ requestContext }: { readonly requestContext: RequestContext }): Promise<unknown> => {
    const { request, language } = requestContext;
    if (context.mirror !== undefined) throw mirrorNotFound(context.mirror, language, { reason: "write" });
    requireSameOrigin(request.headers, context.baseUrl);
    const refused = takeLookup(context, requestContext);
    if (refused !== undefined) throw refused.response;
    return readJsonObject(request);
  };
}

/**
 * Refuses a request that a page of another site sent: `Sec-Fetch-Site` decides if the browser sends it
 * (https://www.w3.org/TR/fetch-metadata/), else `Origin` must be that of the base URL.
 */
function requireSameOrigin(headers: Headers, baseUrl: string): void {
  const site = headers.get("sec-fetch-site");
  const isOwn = site === null ? headers.get("origin") === new URL(baseUrl).origin : site === "same-origin";
  if (!isOwn) throw new HttpProblem("forbidden", { data: { reason: "cross_site" } });
}

/**
 * Reads a JSON object of at most 16 kB.
 * @throws {HttpProblem} `too_large` (413), or `invalid_parameter` for another media type or another JSON value.
 */
async function readJsonObject(request: Request): Promise<object> {
  const type = request.headers.get("content-type") ?? "";
  if (!isJson(type)) {
    throw new HttpProblem("invalid_parameter", {
      data: { parameter: "Content-Type", value: type, allowed: ["application/json"] },
    });
  }
  const bytes = await readBytes(request);
  if (bytes === undefined) throw new HttpProblem("too_large", { status: 413 });
  const document = parseJson(bytes);
  if (typeof document === "object" && document !== null && !Array.isArray(document)) return document;
  throw new HttpProblem("invalid_parameter", { data: { parameter: "body", allowed: [] } });
}

/** Whether a Content-Type is JSON. */
export function isJson(contentType: string): boolean {
  return /^application\/json[ \t]*(?:;|$)/i.test(contentType);
}

/** Reads a body of at most 16 kB; undefined for a longer one, also if its Content-Length is wrong. */
export async function readBytes(
  request: Request,
  maxBytes = MAX_BODY_BYTES,
): Promise<Uint8Array | undefined> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) return undefined;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Parses JSON in UTF-8; undefined for anything else. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
