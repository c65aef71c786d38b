import { LRUCache } from "lru-cache";
import { createQueue, createSingleFlight, type Place, type Queue } from "#concurrency";
import { createDnsClient, type DnsRecordType } from "./dns_client.ts";
import { createHttpClient } from "./http_client.ts";
import {
  type DnsAnswer,
  type HttpAnswer,
  type HttpRequest,
  isOurs,
  raceAbort,
  type Upstream,
  UpstreamError,
  type UpstreamErrorKind,
  type Waiter,
  waitError,
} from "./upstream.ts";

export type UpstreamClient = ReturnType<typeof createUpstreamClient>;

/** The requests of one survey. HTTP and DNS share one limit, and earlier DNS answers are not reused. */
export interface UpstreamSession extends Upstream {
  /**
   * Whether the resolver has returned a record within the last hour. A resolver that denies every name does not work,
   * and its NXDOMAIN is not an answer.
   */
  readonly isResolverWorking: boolean;
  /** Ends what is running and releases sockets, timers and listeners. Every survey must call it. */
  close(): void;
}

const RESOLVER_TRUSTED_MS = 3_600_000;
const DEFAULT_RANK = 1;

/** Opens outgoing HTTP and DNS. A process opens it once. */
export function createUpstreamClient(options: {
  /** HTTPS hosts that may be asked, in upper or lower case; everything else is refused. */
  readonly hosts: Iterable<string>;
  /** Egress gateway: a request for `https://HOST/PATH?QUERY` is sent to `GATEWAY/HOST/PATH?QUERY`. */
  readonly gateway?: string;
  /** `ADDRESS:PORT`, IPv6 in brackets; absent or empty = the system's. */
  readonly dnsServers?: readonly string[];
  readonly userAgent: string;
  /** Maximum number of requests of one session that run at the same time. */
  readonly poolSize: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Called when a request ends, unless this process ended it. "No such name" counts as an answer. Must not throw. */
  readonly onRequestEnd?: (transport: "http" | "dns", outcome: "answered" | UpstreamErrorKind) => void;
}) {
  const http = createHttpClient({
    hosts: new Set([...options.hosts].map((host) => host.toLowerCase())),
    gateway: options.gateway,
    userAgent: options.userAgent,
    now: options.now,
  });
  const dns = createDnsClient(options.dnsServers, options.now);
  const ending = new AbortController();
  const shared = createSharedAnswers(options.now, ending.signal);
  let lastRecordAtMs = Number.NEGATIVE_INFINITY;

  /** Opens a session for one survey. `signal` is the survey's deadline and ends all requests of the session. */
  function openSession(signal: AbortSignal): UpstreamSession {
    const closing = new AbortController();
    const sessionSignal = AbortSignal.any([signal, ending.signal, closing.signal]);
    const queue = createQueue({ maxRunning: options.poolSize });

    /** Runs one request in its slot. It ends when its own signal, the survey's or the session's fires. */
    async function run<T>(
      transport: "http" | "dns",
      requestSignal: AbortSignal,
      waiter: Waiter | undefined,
      work: (signal: AbortSignal) => Promise<T>,
    ): Promise<T> {
      const own = AbortSignal.any([sessionSignal, requestSignal]);
      let place: Place | undefined;
      try {
        place = await waitForTurn(queue, own, waiter);
        const answer = await raceAbort(work(own), own);
        options.onRequestEnd?.(transport, "answered");
        return answer;
      } catch (error) {
        if (error instanceof UpstreamError && !isOurs(error)) options.onRequestEnd?.(transport, error.kind);
        throw error;
      } finally {
        place?.release();
      }
    }

    async function askDns(
      type: DnsRecordType,
      name: string,
      requestSignal: AbortSignal,
      waiter: Waiter | undefined,
    ): Promise<DnsAnswer<string>> {
      const answer = await run("dns", requestSignal, waiter, (own) => dns.ask(type, name, own));
      if (answer.found) lastRecordAtMs = options.now();
      return answer;
    }

    return {
      get isResolverWorking() {
        return options.now() - lastRecordAtMs < RESOLVER_TRUSTED_MS;
      },
      http: (request, requestSignal, waiter) =>
        run("http", requestSignal, waiter, (own) => {
          const key = sharedKey(request);
          const { cacheMs } = request;
          if (key === undefined || cacheMs === undefined) return http.ask(request, own);
          return shared.ask(key, cacheMs, (fetchSignal) => http.ask(request, fetchSignal), own);
        }),
      a: (name, requestSignal, waiter) => askDns("A", name, requestSignal, waiter),
      aaaa: (name, requestSignal, waiter) => askDns("AAAA", name, requestSignal, waiter),
      txt: (name, requestSignal, waiter) => askDns("TXT", name, requestSignal, waiter),
      ptr: (name, requestSignal, waiter) => askDns("PTR", name, requestSignal, waiter),
      close: () => closing.abort(),
    };
  }

  return {
    openSession,
    /** Ends every session and shared request. */
    close: () => ending.abort(),
  };
}

/**
 * Takes a place in the queue and waits for its turn. Calls the waiter when it has to wait and when its turn comes.
 * @throws {UpstreamError} kind `timeout` when the signal fires before that
 */
async function waitForTurn(
  queue: Queue,
  signal: AbortSignal,
  waiter: Waiter | undefined,
): Promise<Place | undefined> {
  if (signal.aborted) throw waitError(signal);
  const place = queue.enter(waiter?.rank ?? DEFAULT_RANK);
  if (place !== undefined && !place.hasTurn) {
    waiter?.onWait();
    try {
      await raceAbort(place.turn, signal);
    } catch {
      place.release();
      throw waitError(signal);
    }
  }
  waiter?.onStart();
  return place;
}

/** Key of a request that may be shared: only a plain GET, and only with requests that are equal in every other option. */
function sharedKey(request: HttpRequest): string | undefined {
  if (request.cacheMs === undefined || request.cacheMs <= 0) return undefined;
  if ((request.method ?? "GET") !== "GET" || request.body !== undefined) return undefined;
  const { cacheMs: _, ...rest } = request;
  return JSON.stringify(rest);
}

/** Entries of the cache of answers, and the time limit of a request for it. */
const MAX_ENTRIES = 32;
const SHARED_MS = 10_000;

/**
 * Creates a small cache of HTTP answers for all sessions, with one running request for each key. Such a request may
 * outlive the session that started it; `ending` ends it.
 */
function createSharedAnswers(now: () => number, ending: AbortSignal) {
  const cache = new LRUCache<string, { readonly answer: HttpAnswer; readonly untilMs: number }>({
    max: MAX_ENTRIES,
  });
  const flights = createSingleFlight<HttpAnswer>();

  return {
    /** Returns the cached answer, joins the running request, or starts a new one. */
    async ask(
      key: string,
      keepMs: number,
      send: (signal: AbortSignal) => Promise<HttpAnswer>,
      signal: AbortSignal,
    ): Promise<HttpAnswer> {
      const cached = cache.get(key);
      if (cached !== undefined && now() < cached.untilMs) return cached.answer;
      const running = flights.run(key, async () => {
        const answer = await send(AbortSignal.any([ending, AbortSignal.timeout(SHARED_MS)]));
        if (answer.status === 200) cache.set(key, { answer, untilMs: now() + keepMs });
        return answer;
      });
      return raceAbort(running, signal);
    },
  };
}
