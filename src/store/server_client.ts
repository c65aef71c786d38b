import { type Client, createClient } from "@libsql/client";
import { createQueue, type Queue, raceAbort } from "#concurrency";

/** Concurrent reads on one server. Further reads wait, within their deadline. */
const MAX_READS = 64;

/**
 * Concurrent writes on one server. A database has one writer at a time, and every waiting writer makes it more likely
 * that `sqld` 0.24.32 without a checkpoint interval stands still (docs/proofs/engine_report.md).
 */
const MAX_WRITES = 1;

/** After this many writes in a row without an answer, further writes pause: each may still wait at the server. */
const MAX_LOST_WRITES = 3;

/** The first pause; each further lost write doubles it. */
const FIRST_PAUSE_MS = 5000;
const LONGEST_PAUSE_MS = 30_000;

/**
 * After a missed deadline, the shorter deadline applies for this long or until an answer arrives. Otherwise a caller
 * with several statements would wait the whole deadline for each.
 */
const SUSPICION_MS = 10_000;
const SUSPICION_DEADLINE_MS = 500;

type Fetch = (request: Request) => Promise<Response>;

/** Sends a request; `signal` aborts it at its deadline. */
type Send = (request: Request, signal: AbortSignal) => Promise<Response>;

/**
 * Connects to a libSQL server. Every statement and every batch resolves within `deadlineMs`, including the time in the
 * queue and for the body, or rejects. A request that misses its deadline in the queue is never sent. `execute` is for
 * reads, which run concurrently; `batch` and `transaction` are for writes, which run one after another. After a write
 * without an answer, the next write is sent only when the server has answered another request.
 */
export function createServerClient(options: {
  readonly url: string;
  readonly token?: string;
  readonly deadlineMs: number;
}): Client {
  const { read, write } = createFetches(options.deadlineMs);
  const connect = (fetch: Fetch) =>
    createClient({
      url: options.url,
      fetch,
      // The client's own queue has no deadline; the queues of `createFetches` have one.
      concurrency: Number.MAX_SAFE_INTEGER,
      ...(options.token === undefined ? {} : { authToken: options.token }),
    });
  const reader = connect(read);
  const writer = connect(write);
  return {
    protocol: reader.protocol,
    get closed() {
      return reader.closed;
    },
    // The methods are overloaded; `bind` keeps one signature only.
    execute: reader.execute.bind(reader) as Client["execute"],
    batch: writer.batch.bind(writer),
    migrate: writer.migrate.bind(writer),
    transaction: writer.transaction.bind(writer) as Client["transaction"],
    executeMultiple: writer.executeMultiple.bind(writer),
    sync: reader.sync.bind(reader),
    async reconnect() {
      await Promise.all([reader.reconnect(), writer.reconnect()]);
    },
    close() {
      reader.close();
      writer.close();
    },
  };
}

/**
 * The `fetch` functions for reads and for writes of one server. They share the state of the server: missed deadlines
 * and unanswered writes.
 */
function createFetches(deadlineMs: number): { readonly read: Fetch; readonly write: Fetch } {
  const reads = createQueue({ maxRunning: MAX_READS });
  const writes = createQueue({ maxRunning: MAX_WRITES });
  let suspicion: Timer | undefined;
  /** Number of writes in a row without an answer, and the time when the last of them missed its deadline. */
  let lostWrites = 0;
  let lostAt = 0;

  function clearSuspicion(): void {
    clearTimeout(suspicion);
    suspicion = undefined;
  }

  function startSuspicion(): void {
    clearSuspicion();
    suspicion = setTimeout(clearSuspicion, SUSPICION_MS);
    // The timer alone must not keep the process alive.
    suspicion.unref();
  }

  async function send(request: Request, signal: AbortSignal): Promise<Response> {
    // Redirects are refused, so that the token goes to the configured server only.
    const response = await globalThis.fetch(request, { signal, redirect: "error" });
    const body = await response.arrayBuffer();
    clearSuspicion();
    return new Response(body, { status: response.status, headers: response.headers });
  }

  async function sendWrite(request: Request, signal: AbortSignal): Promise<Response> {
    if (lostWrites >= MAX_LOST_WRITES) {
      const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (lostWrites - MAX_LOST_WRITES));
      if (performance.now() - lostAt < pauseMs) throw new Error(`no answer to ${lostWrites} writes`);
    }
    if (lostWrites > 0) await send(versionRequest(request), signal);
    try {
      const response = await send(request, signal);
      lostWrites = 0;
      return response;
    } catch (error) {
      if (signal.aborted) {
        lostWrites += 1;
        lostAt = performance.now();
      }
      throw error;
    }
  }

  function withDeadline(queue: Queue, work: Send): Fetch {
    return async (request) => {
      const deadline = new AbortController();
      const isSuspicious = suspicion !== undefined;
      const waitMs = isSuspicious ? Math.min(deadlineMs, SUSPICION_DEADLINE_MS) : deadlineMs;
      const timer = setTimeout(() => deadline.abort(), waitMs);
      // The queue has no limit, so it always has a place.
      const place = queue.enter();
      try {
        if (place?.hasTurn === false) await raceAbort(place.turn, deadline.signal);
        return await work(request, deadline.signal);
      } catch (error) {
        if (!deadline.signal.aborted) throw error;
        if (!isSuspicious) startSuspicion();
        throw new Error(`no answer within ${waitMs} ms`);
      } finally {
        place?.release();
        clearTimeout(timer);
      }
    };
  }

  return { read: withDeadline(reads, send), write: withDeadline(writes, sendWrite) };
}

/**
 * A request that a server answers without using a database: `GET v2` beside `POST v2/pipeline`.
 * https://github.com/tursodatabase/libsql/blob/main/docs/HRANA_3_SPEC.md
 */
function versionRequest({ url, headers }: Request): Request {
  const token = headers.get("authorization");
  return new Request(url.replace(/\/pipeline$/, ""), {
    headers: token === null ? {} : { authorization: token },
  });
}
