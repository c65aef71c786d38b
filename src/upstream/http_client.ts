import { ACCEPT_ENCODING, readBody } from "./http_body.ts";
import { type HttpAnswer, type HttpRequest, raceAbort, UpstreamError } from "./upstream.ts";

const ACCEPT = { json: "application/json", text: "text/plain, text/*", bytes: "*/*" } as const;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Headers that a redirect to another host may keep: any other header may be a key. */
const HARMLESS_HEADERS = new Set(["accept", "accept-language"]);
/** Bun keeps idle connections for 5 minutes, and repeats a GET itself when a kept connection was lost. */
const KEPT_ALIVE_MS = 330_000;

/**
 * Makes Bun start its thread for requests, by one that fails and leaves no trace. Without a free file descriptor the first
 * request would end the process (Bun 1.4.5), and connections of clients may have taken them all by then.
 */
function startRequestThread(): void {
  fetch("http://localhost/", { unix: "/dev/null" }).catch(() => undefined);
}

/**
 * Creates a client that sends one HTTP request, follows redirects and retries once. Beside `postMessage`, it is the only
 * caller of `fetch` in the program. Bun manages the connections and keeps them alive. `hosts` is the allow-list.
 */
export function createHttpClient(options: {
  readonly hosts: ReadonlySet<string>;
  readonly gateway: string | undefined;
  readonly userAgent: string;
  readonly now: () => number;
}) {
  /** When an origin last answered, which means that a connection to it may be open. At most one entry for each host. */
  const answeredAtMs = new Map<string, number>();
  startRequestThread();

  /** @throws {UpstreamError} when there is no answer in the requested format */
  async function ask(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
    const first = parseTarget(request.url, undefined, options.hosts);
    const redirects = isGet(request) ? (request.redirects ?? 0) : 0;
    let target = first;
    for (let hop = 0; ; hop += 1) {
      const response = await send(request, target, target.host !== first.host, signal);
      const location = response.headers.get("location");
      if (redirects === 0 || location === null || !REDIRECTS.has(response.status)) {
        return await read(request, response, target, signal);
      }
      drop(response);
      if (hop === redirects) throw new UpstreamError("status", "too many redirects");
      target = parseTarget(location, target, options.hosts);
    }
  }

  /**
   * Sends a request, and repeats it once when the connection closed before an answer came. Only a GET is repeated, and
   * only on a new connection: Bun itself has already repeated a request that was lost on a kept connection.
   */
  async function send(
    request: HttpRequest,
    target: URL,
    isOtherHost: boolean,
    signal: AbortSignal,
  ): Promise<Response> {
    const url = routeThrough(options.gateway, target);
    const origin = new URL(url).origin;
    const answeredMs = answeredAtMs.get(origin);
    const isNew = answeredMs === undefined || options.now() - answeredMs > KEPT_ALIVE_MS;
    try {
      const init: BunFetchRequestInit = {
        method: request.method ?? "GET",
        headers: headersFor(request, isOtherHost, options.userAgent),
        ...(request.body === undefined ? {} : { body: request.body }),
        redirect: "manual",
        decompress: false,
        signal,
      };
      const response = await fetchOnce(url, init, signal).catch((error: unknown) => {
        if (isNew && isGet(request) && codeOf(error) === "ECONNRESET" && !signal.aborted)
          return fetchOnce(url, init, signal);
        throw error;
      });
      answeredAtMs.set(origin, options.now());
      return response;
    } catch (error) {
      throw connectionError(error);
    }
  }

  async function read(
    request: HttpRequest,
    response: Response,
    target: URL,
    signal: AbortSignal,
  ): Promise<HttpAnswer> {
    const { status, headers } = response;
    try {
      if (status !== 200 && request.statuses?.includes(status) !== true) {
        throw statusError(response, options.now());
      }
      const body = await readBody(request, response, signal);
      return { status, headers, body, url: target.href, ...requestedWait(response, options.now()) };
    } catch (error) {
      drop(response);
      // An accepted status with an unreadable body, such as a proxy's page, gives no more information than its status.
      const isStatusOnly = status !== 200 && error instanceof UpstreamError && error.kind === "shape";
      throw isStatusOnly ? statusError(response, options.now()) : error;
    }
  }

  return { ask };
}

/**
 * Reads the URL of the next request: https, default port, no user, host on the allow-list.
 * @throws {UpstreamError} kind `refused`
 */
function parseTarget(text: string, base: URL | undefined, hosts: ReadonlySet<string>): URL {
  const url = URL.parse(text, base?.href);
  if (url === null) throw new UpstreamError("refused", "not a URL");
  if (url.protocol !== "https:") throw new UpstreamError("refused", "not https");
  if (url.username !== "" || url.password !== "") throw new UpstreamError("refused", "user in the URL");
  if (url.port !== "") throw new UpstreamError("refused", "port not allowed");
  if (!hosts.has(url.hostname)) throw new UpstreamError("refused", "host not allowed");
  url.hash = "";
  return url;
}

/** Where the request is sent: to `https://HOST/PATH?QUERY` itself, or to `GATEWAY/HOST/PATH?QUERY`. */
export function routeThrough(gateway: string | undefined, target: URL): string {
  return gateway === undefined
    ? target.href
    : `${gateway}/${target.hostname}${target.pathname}${target.search}`;
}

/**
 * Fetches once. Rejects as soon as the signal fires, because a connection attempt may ignore the signal and delay a
 * survey.
 */
function fetchOnce(url: string, init: BunFetchRequestInit, signal: AbortSignal): Promise<Response> {
  const response = fetch(url, init);
  response.then((late) => {
    if (signal.aborted) drop(late);
  }, ignore);
  return raceAbort(response, signal);
}

function headersFor(request: HttpRequest, isOtherHost: boolean, userAgent: string): Headers {
  const headers = new Headers({ accept: ACCEPT[request.as] });
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    if (!isOtherHost || HARMLESS_HEADERS.has(name.toLowerCase())) headers.set(name, value);
  }
  headers.set("user-agent", userAgent);
  headers.set("accept-encoding", ACCEPT_ENCODING);
  return headers;
}

function statusError(response: Response, nowMs: number): UpstreamError {
  const { status } = response;
  const kind = status === 429 ? "quota" : "status";
  return new UpstreamError(kind, `HTTP ${status}`, requestedWait(response, nowMs));
}

function requestedWait({ headers }: Response, nowMs: number): { readonly retryAfterMs?: number } {
  const retryAfterMs = parseRetryAfter(headers.get("retry-after"), nowMs);
  return retryAfterMs === undefined ? {} : { retryAfterMs };
}

function drop(response: Response): void {
  if (response.body !== null && !response.body.locked) response.body.cancel().catch(ignore);
}

function isGet(request: HttpRequest): boolean {
  return (request.method ?? "GET") === "GET";
}

/** Has no `cause`, because the error of `fetch` contains the URL, and a URL may contain a key. */
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

/** The longest wait. A server may send a wrong or hostile time, so it is asked again after an hour. */
const MAX_WAIT_MS = 3_600_000;
/** Integer seconds. A number with too many digits still means a long wait. */
const SECONDS = /^\d{1,64}$/;
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
/** The three formats of HTTP-date (RFC 9110 section 5.6.7): IMF-fixdate, RFC 850 and asctime. */
const HTTP_DATES = [
  /^[a-z]{3}, (?<day>\d{2}) (?<month>[a-z]{3}) (?<year>\d{4}) (?<time>\d{2}:\d{2}:\d{2}) gmt$/i,
  /^[a-z]{6,9}, (?<day>\d{2})-(?<month>[a-z]{3})-(?<year>\d{2}) (?<time>\d{2}:\d{2}:\d{2}) gmt$/i,
  /^[a-z]{3} (?<month>[a-z]{3}) (?<day>[ \d]\d) (?<time>\d{2}:\d{2}:\d{2}) (?<year>\d{4})$/i,
];

/**
 * Reads a Retry-After header (RFC 9110 section 10.2.3: seconds or a date). Returns milliseconds from `nowMs`, from 0 to
 * one hour, or undefined when the header is absent or unreadable.
 */
export function parseRetryAfter(value: string | null, nowMs: number): number | undefined {
  if (value === null) return undefined;
  const text = value.trim();
  if (SECONDS.test(text)) return Math.min(Number(text) * 1000, MAX_WAIT_MS);
  const dateMs = parseHttpDate(text, nowMs);
  return dateMs === undefined ? undefined : Math.min(Math.max(dateMs - nowMs, 0), MAX_WAIT_MS);
}

function parseHttpDate(text: string, nowMs: number): number | undefined {
  const parts = HTTP_DATES.map((format) => format.exec(text)?.groups).find((groups) => groups !== undefined);
  if (parts === undefined) return undefined;
  const month = MONTHS.indexOf((parts.month ?? "").toLowerCase());
  const [hours = 0, minutes = 0, seconds = 0] = (parts.time ?? "").split(":").map(Number);
  const day = Number(parts.day);
  if (month < 0 || day < 1 || day > 31 || hours > 23 || minutes > 59 || seconds > 60) return undefined;
  return Date.UTC(fullYear(parts.year ?? "", nowMs), month, day, hours, minutes, seconds);
}

/** RFC 9110 section 5.6.7: a two-digit year that seems more than 50 years ahead is in the past century. */
function fullYear(digits: string, nowMs: number): number {
  if (digits.length === 4) return Number(digits);
  const thisYear = new Date(nowMs).getUTCFullYear();
  const year = Math.floor(thisYear / 100) * 100 + Number(digits);
  return year > thisYear + 50 ? year - 100 : year;
}
