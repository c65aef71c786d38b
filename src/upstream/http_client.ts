import { raceAbort } from "./abort.ts";
import { ACCEPT_ENCODING, inflateWithin } from "./inflate.ts";
import { decodeUtf8, parseJson } from "./json.ts";
import { parseRetryAfter } from "./retry_after.ts";
import { parseTarget, routeThrough } from "./target.ts";
import type { HttpAnswer, HttpQuestion } from "./upstream.ts";
import { UpstreamError } from "./upstream_error.ts";

/** Asks one HTTP question, redirects and retry included. The only caller of `fetch` in the program. */
export interface HttpClient {
  /** @throws {UpstreamError} whenever there is no answer of the wanted form */
  ask(question: HttpQuestion, signal: AbortSignal): Promise<HttpAnswer>;
}

/** What an {@link HttpClient} needs. */
export interface HttpClientOptions {
  readonly hosts: ReadonlySet<string>;
  readonly gateway: string | undefined;
  readonly userAgent: string;
  readonly now: () => number;
}

const DEFAULT_MAX_BYTES = 1_048_576;
const DEFAULT_MAX_DEPTH = 64;
const DEFAULT_TYPES = {
  json: ["application/json", "application/rdap+json"],
  text: ["text/"],
} as const;
const ACCEPTS = { json: "application/json", text: "text/plain, text/*", bytes: "*/*" } as const;
/** A file that is a page is an error message, a login or a paywall. */
const PAGE = /^(?:text\/html|application\/xhtml)/;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Headers that may follow a redirect to another host: anything else might be a key. */
const HARMLESS_HEADERS = new Set(["accept", "accept-language"]);
/** Bun keeps idle connections for 5 minutes and itself repeats a GET that a kept connection lost. */
const KEPT_ALIVE_MS = 330_000;

/** Creates an {@link HttpClient}. Connections are Bun's own and are kept alive. */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  /** When an origin last answered: a connection to it may be waiting. At most one entry a host. */
  const answeredAt = new Map<string, number>();

  async function ask(question: HttpQuestion, signal: AbortSignal): Promise<HttpAnswer> {
    const first = parseTarget(question.url, undefined, options.hosts);
    const redirects = isGet(question) ? (question.redirects ?? 0) : 0;
    let target = first;
    for (let hop = 0; ; hop += 1) {
      const response = await send(question, target, target.host !== first.host, signal);
      const location = response.headers.get("location");
      if (redirects === 0 || location === null || !REDIRECTS.has(response.status)) {
        return await read(question, response, target, signal);
      }
      drop(response);
      if (hop === redirects) throw new UpstreamError("status", "too many redirects");
      target = parseTarget(location, target, options.hosts);
    }
  }

  /**
   * One request, repeated once when the connection closed before it answered. Only a GET, and only on a connection
   * that was new: a lost kept one has been repeated by Bun already, and one retry is the most we allow.
   */
  async function send(
    question: HttpQuestion,
    target: URL,
    isElsewhere: boolean,
    signal: AbortSignal,
  ): Promise<Response> {
    const url = routeThrough(options.gateway, target);
    const origin = new URL(url).origin;
    const answered = answeredAt.get(origin);
    const isNew = answered === undefined || options.now() - answered > KEPT_ALIVE_MS;
    try {
      const init: BunFetchRequestInit = {
        method: question.method ?? "GET",
        headers: headersFor(question, isElsewhere, options.userAgent),
        ...(question.body === undefined ? {} : { body: question.body }),
        redirect: "manual",
        decompress: false,
        signal,
      };
      const response = await fetchOnce(url, init, signal).catch((error: unknown) => {
        if (isNew && isGet(question) && isClosed(error) && !signal.aborted)
          return fetchOnce(url, init, signal);
        throw error;
      });
      answeredAt.set(origin, options.now());
      return response;
    } catch (error) {
      throw connectionError(error);
    }
  }

  async function read(
    question: HttpQuestion,
    response: Response,
    target: URL,
    signal: AbortSignal,
  ): Promise<HttpAnswer> {
    const maxBytes = question.maxBytes ?? DEFAULT_MAX_BYTES;
    try {
      checkStatus(question, response, options.now());
      const packed = await readBytes(response, maxBytes, signal);
      if (packed.length > 0 || response.status === 200) checkContentType(question, response);
      const bytes = await inflateWithin(packed, response.headers.get("content-encoding"), maxBytes);
      return {
        status: response.status,
        headers: response.headers,
        body: parseBody(question, bytes, response.status),
        url: target.href,
        ...orderedWait(response, options.now()),
      };
    } catch (error) {
      drop(response);
      throw blame(error, response, options.now());
    }
  }

  return { ask };
}

/** The race is a second lock on the door: a connection attempt that ignores its signal must not hold a survey. */
function fetchOnce(url: string, init: BunFetchRequestInit, signal: AbortSignal): Promise<Response> {
  const response = fetch(url, init);
  response.then((late) => {
    if (signal.aborted) drop(late);
  }, ignore);
  return raceAbort(response, signal);
}

function headersFor(question: HttpQuestion, isElsewhere: boolean, userAgent: string): Headers {
  const headers = new Headers({ accept: ACCEPTS[question.as] });
  for (const [name, value] of Object.entries(question.headers ?? {})) {
    if (!isElsewhere || HARMLESS_HEADERS.has(name.toLowerCase())) headers.set(name, value);
  }
  headers.set("user-agent", userAgent);
  headers.set("accept-encoding", ACCEPT_ENCODING);
  return headers;
}

function checkStatus(question: HttpQuestion, response: Response, nowMs: number): void {
  const { status } = response;
  if (status === 200 || question.statuses?.includes(status) === true) return;
  throw statusError(response, nowMs);
}

function statusError(response: Response, nowMs: number): UpstreamError {
  const { status } = response;
  const kind = status === 429 ? "quota" : "status";
  return new UpstreamError(kind, `HTTP ${status}`, orderedWait(response, nowMs));
}

function orderedWait({ headers }: Response, nowMs: number): { readonly retryAfterMs?: number } {
  const retryAfterMs = parseRetryAfter(headers.get("retry-after"), nowMs);
  return retryAfterMs === undefined ? {} : { retryAfterMs };
}

/** A status that was asked for with a body that is none, such as a proxy's page: then the status is all that was said. */
function blame(error: unknown, response: Response, nowMs: number): unknown {
  const isWordless = response.status !== 200 && error instanceof UpstreamError && error.kind === "shape";
  return isWordless ? statusError(response, nowMs) : error;
}

function checkContentType(question: HttpQuestion, response: Response): void {
  const type = response.headers.get("content-type")?.trim().toLowerCase() ?? "";
  if (question.as === "bytes" && question.contentTypes === undefined && !PAGE.test(type)) return;
  const accepted = question.contentTypes ?? (question.as === "bytes" ? [] : DEFAULT_TYPES[question.as]);
  if (accepted.some((prefix) => type.startsWith(prefix.toLowerCase()))) return;
  const name = /^[a-z]{1,20}\/[a-z0-9.+-]{1,30}(?=;|\s|$)/.exec(type)?.[0];
  throw new UpstreamError("shape", name === undefined ? "no usable content type" : `content type ${name}`);
}

/** Reads the body as it came over the wire; the stream is let go the moment it is too long. */
async function readBytes(response: Response, maxBytes: number, signal: AbortSignal): Promise<Uint8Array> {
  const tooLarge = () => new UpstreamError("too_large", `more than ${maxBytes} bytes`);
  const promised = response.headers.get("content-length");
  if (Number(promised ?? 0) > maxBytes) throw tooLarge();
  if (isLengthKept(promised, response.headers)) return readWhole(response, maxBytes, signal);
  const reader = response.body?.getReader();
  if (reader === undefined) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await raceAbort(reader.read(), signal);
      if (done)
        return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, length);
      length += value.byteLength;
      if (length > maxBytes) throw tooLarge();
      chunks.push(value);
    }
  } catch (error) {
    reader.cancel().catch(ignore);
    if (error instanceof UpstreamError) throw error;
    throw new UpstreamError("shape", "answer cut short");
  }
}

/** Whether what is promised is all that can come: framing by chunks would overrule it (RFC 9112 section 6.3). */
function isLengthKept(promised: string | null, headers: Headers): promised is string {
  return promised !== null && /^\d{1,12}$/.test(promised) && !headers.has("transfer-encoding");
}

/** A body whose length is known and allowed, at once: piece by piece it would take longer than to parse. */
async function readWhole(response: Response, maxBytes: number, signal: AbortSignal): Promise<Uint8Array> {
  try {
    const bytes = await raceAbort(response.bytes(), signal);
    if (bytes.length > maxBytes) throw new UpstreamError("too_large", `more than ${maxBytes} bytes`);
    return bytes;
  } catch (error) {
    if (error instanceof UpstreamError) throw error;
    throw new UpstreamError("shape", "answer cut short");
  }
}

/** A status other than 200 may say all there is to say without a body. */
function parseBody(question: HttpQuestion, bytes: Uint8Array, status: number): unknown {
  if (question.as === "bytes") return bytes;
  if (question.as === "text") return decodeUtf8(bytes);
  if (bytes.length === 0 && status !== 200) return undefined;
  return parseJson(bytes, question.maxDepth ?? DEFAULT_MAX_DEPTH);
}

function drop(response: Response): void {
  if (response.body !== null && !response.body.locked) response.body.cancel().catch(ignore);
}

function isGet(question: HttpQuestion): boolean {
  return (question.method ?? "GET") === "GET";
}

function isClosed(error: unknown): boolean {
  return codeOf(error) === "ECONNRESET";
}

/** No `cause`: what `fetch` throws carries the URL, and a URL may carry a key. */
function connectionError(error: unknown): UpstreamError {
  if (error instanceof UpstreamError) return error;
  const code = codeOf(error);
  if (code === "ECONNREFUSED" || code === "ConnectionRefused") {
    return new UpstreamError("refused", "connection refused");
  }
  if (code === "ECONNRESET") return new UpstreamError("refused", "connection closed");
  if (code === "ENOTFOUND") return new UpstreamError("refused", "host not found");
  if (/CERT|TLS|SSL|ALTNAME|VERIFY/.test(code))
    return new UpstreamError("refused", "certificate not accepted");
  if (/Header|ContentLength|HTTP/.test(code)) return new UpstreamError("shape", "not HTTP");
  return new UpstreamError("refused", "connection failed");
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

function ignore(): void {}
