import { type Client, createClient } from "@libsql/client";
import { createTurns, type Turns } from "./create_turns.ts";

/** Questions under way at once to one server; more wait for their turn, within their deadline. */
const MAX_QUESTIONS = 64;

/**
 * Writes under way at once. A database has one writer at a time anyway, and `sqld` 0.24.32 bears only a few that wait:
 * from six on it forgets one of them sooner or later, and then all spin and none ever writes, whoever has long gone.
 */
const MAX_WRITES = 1;

/** After so many writes in a row without an answer, each of which may still be waiting at the server, the next waits. */
const MOST_LOSSES = 3;

/** How long, and twice as long each time that the next is lost as well. */
const FIRST_PAUSE_MS = 5000;
const LONGEST_PAUSE_MS = 30_000;

/**
 * For this long after a missed deadline, or until something is answered, nobody waits longer than so: whoever has
 * several questions one after another would else wait the whole deadline for each.
 */
const DOUBT_MS = 10_000;
const DOUBTFUL_DEADLINE_MS = 500;

type Fetch = (request: Request) => Promise<Response>;

/** Asks within the time that `signal` grants. */
type Ask = (request: Request, signal: AbortSignal) => Promise<Response>;

/**
 * Connects to a libSQL server. Every statement, and every batch, is answered whole within `deadlineMs`, its turn and
 * the body included, or rejects and is taken back; one that has missed its turn is never sent. A server that has missed
 * a deadline is given less time until it answers. Statements read, many at once; batches write, one after another. One
 * that was taken back may still be waiting at the server: the next is sent when the server has answered something else.
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
      // The client's own queue is left open: it knows no deadline, and the one behind it does.
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
    // What is written for a client is two signatures in one.
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

/** The ways to one server: what one of them learns of it, the other knows. */
function createFetches(deadlineMs: number): { readonly read: Fetch; readonly write: Fetch } {
  const questions = createTurns(MAX_QUESTIONS);
  const writes = createTurns(MAX_WRITES);
  let doubt: Timer | undefined;
  /** Writes in a row that were sent and not answered, and when the last of them was given up. */
  let lost = 0;
  let lostAt = 0;

  function stopDoubting(): void {
    clearTimeout(doubt);
    doubt = undefined;
  }

  function startDoubting(): void {
    stopDoubting();
    doubt = setTimeout(stopDoubting, DOUBT_MS);
    // It must not keep a process alive that has nothing else to do.
    doubt.unref();
  }

  async function ask(request: Request, signal: AbortSignal): Promise<Response> {
    // No redirect: the token goes to the configured server and nowhere else.
    const response = await globalThis.fetch(request, { signal, redirect: "error" });
    const body = await response.arrayBuffer();
    stopDoubting();
    return new Response(body, { status: response.status, headers: response.headers });
  }

  async function askToWrite(request: Request, signal: AbortSignal): Promise<Response> {
    if (lost >= MOST_LOSSES) {
      const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (lost - MOST_LOSSES));
      if (performance.now() - lostAt < pauseMs) throw new Error(`no answer to ${lost} writes`);
    }
    if (lost > 0) await ask(versionRequest(request), signal);
    try {
      const response = await ask(request, signal);
      lost = 0;
      return response;
    } catch (error) {
      if (signal.aborted) {
        lost += 1;
        lostAt = performance.now();
      }
      throw error;
    }
  }

  function within(turns: Turns, work: Ask): Fetch {
    return async (request) => {
      const deadline = new AbortController();
      const doubted = doubt !== undefined;
      const waitMs = doubted ? Math.min(deadlineMs, DOUBTFUL_DEADLINE_MS) : deadlineMs;
      const timer = setTimeout(() => deadline.abort(), waitMs);
      try {
        return await turns.run(() => work(request, deadline.signal), deadline.signal);
      } catch (error) {
        if (!deadline.signal.aborted) throw error;
        if (!doubted) startDoubting();
        throw new Error(`no answer within ${waitMs} ms`);
      } finally {
        clearTimeout(timer);
      }
    };
  }

  return { read: within(questions, ask), write: within(writes, askToWrite) };
}

/**
 * The question whether a server speaks the protocol, which touches no database: `GET v2` beside `POST v2/pipeline`.
 * Format: https://github.com/tursodatabase/libsql/blob/main/docs/HRANA_3_SPEC.md
 */
function versionRequest({ url, headers }: Request): Request {
  const token = headers.get("authorization");
  return new Request(url.replace(/\/pipeline$/, ""), {
    headers: token === null ? {} : { authorization: token },
  });
}
