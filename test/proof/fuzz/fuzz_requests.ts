import fc from "fast-check";
import { conform } from "../../http/kit/conform.ts";
import type { MadeRequest } from "./make_requests.ts";

/** The longest that any answer may take. */
const MOST_MS = 2_000;

/** The results of the requests. */
export interface Fuzzing {
  readonly requests: number;
  readonly statuses: Readonly<Record<string, number>>;
}

/** How requests are sent. `origin` is where to. */
export interface FuzzOptions {
  readonly requests: fc.Arbitrary<MadeRequest>;
  readonly count: number;
  readonly seed: number;
  readonly description: unknown;
  readonly origin: string;
  readonly send: (request: Request) => Promise<Response>;
}

/**
 * Sends generated requests and holds every answer against the description. Each is sent twice: a URL that was answered
 * before takes a shorter way through the service.
 * @throws with the smallest request that is answered wrongly: an undescribed status, header, type or body, a failure
 * of ours (any 5xx but `overloaded` and a gate or readiness that cannot tell), or an answer that took too long.
 */
export async function fuzzRequests(options: FuzzOptions): Promise<Fuzzing> {
  const statuses: Record<string, number> = {};
  let sent = 0;

  async function ask(made: MadeRequest): Promise<void> {
    const request = build(options.origin, made);
    if (request === undefined) return;
    const startedAt = performance.now();
    const response = await options.send(request);
    const copy = response.clone();
    const bytes = new Uint8Array(await within(copy.arrayBuffer()));
    const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
    const text = new TextDecoder().decode(isPacked ? Bun.gunzipSync(bytes) : bytes);
    const tookMs = performance.now() - startedAt;
    sent++;
    statuses[response.status] = (statuses[response.status] ?? 0) + 1;
    if (tookMs > MOST_MS) throw new Error(`Cannot accept an answer after ${Math.round(tookMs)} ms`);
    if (response.status >= 500) expectOverload(request, response.status, text);
    if (
      /(?:^|[^\\])\bat (?:async )?[\w.<>]+ \(|node_modules|\/src\/|\.ts:\d/.test(text) &&
      isProblem(response)
    )
      throw new Error(`Cannot accept a body that tells of our insides: ${text.slice(0, 300)}`);
    await conform(options.description, request, response);
  }

  async function askTwice(made: MadeRequest): Promise<void> {
    await ask(made);
    await ask(made);
  }

  await fc.assert(fc.asyncProperty(options.requests, askTwice), {
    numRuns: options.count,
    seed: options.seed,
    endOnFailure: false,
  });
  if (Object.hasOwn(Object.prototype, "polluted")) throw new Error("Cannot accept a polluted prototype");
  return { requests: sent, statuses };
}

/** Some generated requests cannot be sent by any client. */
function build(origin: string, { method, target, headers, body }: MadeRequest): Request | undefined {
  try {
    const url = `${origin}${target}`;
    if (new URL(url).origin !== origin) return undefined;
    return new Request(url, { method, headers, redirect: "manual", ...(body === undefined ? {} : { body }) });
  } catch {
    return undefined;
  }
}

function isProblem(response: Response): boolean {
  return response.status >= 400;
}

/** `/gate` without a result and a service that is not ready answer 503; any other 503 is overload. */
function expectOverload(request: Request, status: number, text: string): void {
  const { pathname } = new URL(request.url);
  const isWord = status === 503 && (/^(?:\/en)?\/gate\//.test(pathname) || pathname === "/readyz");
  const isBusy = status === 503 && (request.method === "HEAD" || /overloaded|忙|busy/i.test(text));
  if (!isWord && !isBusy)
    throw new Error(`Cannot accept ${status} to ${request.method} ${request.url}: ${text.slice(0, 300)}`);
}

/** Leaves no timer behind. */
function within<Value>(work: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`Cannot accept a body that has not ended after ${MOST_MS} ms`));
    const timer = setTimeout(late, MOST_MS);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
