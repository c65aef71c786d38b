import { timingSafeEqual } from "node:crypto";
import type { RelayNews } from "./replica_messages.ts";

/** A relay that listens. */
export interface ReplicaRelay {
  /** Loopback origin. */
  readonly url: string;
  /** Ends every question under way and asks no more. */
  refuse(): void;
}

/** Where the primary is, and how long it may say nothing in the middle of an answer. */
export interface ReplicaRelayOptions {
  readonly primary: string;
  readonly token?: string;
  readonly key: string;
  readonly quietMs: number;
  readonly tell: (news: RelayNews) => void;
}

/** Questions are small; answers are the database. */
const MAX_QUESTION_BYTES = 65_536;

/** An answer up to here is passed on whole or not at all; a larger one as it comes, and it may break off. */
const HELD_BYTES = 16 * 1024 * 1024;

/** Bytes are told of this often at most. */
const TELL_MS = 500;

/**
 * What replication asks, and nothing that writes: libSQL's frames over gRPC-web, and the newer export of pages.
 * https://github.com/tursodatabase/libsql/blob/main/libsql-replication/proto/replication_log.proto
 */
const QUESTIONS: readonly RegExp[] = [
  /^POST \/wal_log\.ReplicationLog\/(?:Hello|LogEntries|BatchLogEntries|Snapshot)$/,
  /^GET \/(?:info|sync\/[\w./-]+|export\/[\w./-]+)$/,
];

/** Headers that belong to one connection (RFC 9110, 7.6.1), or are put in anew. */
const OWN_HEADERS = [
  "host",
  "connection",
  "transfer-encoding",
  "content-length",
  "accept-encoding",
  "authorization",
  "x-authorization",
  "x-namespace-bin",
];

/**
 * Listens on loopback for libSQL's replication and asks the primary on its behalf. The library itself waits for ever
 * for a primary that has stopped or vanished, and nothing can end that; here an answer in which nothing comes for
 * `quietMs` is broken off, so that the library returns and tries again. What would write is not passed on.
 */
export function createReplicaRelay(options: ReplicaRelayOptions): ReplicaRelay {
  const { quietMs, tell } = options;
  const primary = options.primary.replace(/^libsql:/, "https:").replace(/\/+$/, "");
  const own = `Bearer ${options.key}`;
  const underWay = new Set<AbortController>();
  let toldAt = 0;
  let isRefusing = false;

  function noteBytes(): void {
    const at = performance.now();
    if (at - toldAt < TELL_MS) return;
    toldAt = at;
    tell({ kind: "heard" });
  }

  function dress(asked: Headers): Headers {
    const headers = new Headers(asked);
    for (const name of OWN_HEADERS) headers.delete(name);
    if (options.token !== undefined) {
      headers.set("authorization", `Bearer ${options.token}`);
      headers.set("x-authorization", `Bearer ${options.token}`);
    }
    if (asked.has("x-namespace-bin")) headers.set("x-namespace-bin", namespaceOf(primary));
    return headers;
  }

  async function answer(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const sent = request.headers.get("x-authorization") ?? request.headers.get("authorization") ?? "";
    if (!isSame(sent, own)) return new Response(null, { status: 401 });
    if (isRefusing) return new Response(null, { status: pathname === "/info" ? 401 : 503 });
    if (!QUESTIONS.some((known) => known.test(`${request.method} ${pathname}`)))
      return new Response(null, { status: 403 });

    const breaker = new AbortController();
    underWay.add(breaker);
    const limit = setTimeout(() => breaker.abort(), quietMs);
    const end = () => {
      clearTimeout(limit);
      underWay.delete(breaker);
    };
    const fail = (error: unknown) => {
      end();
      const why = breaker.signal.aborted ? `said nothing for ${quietMs} ms` : describe(error);
      tell({ kind: "unanswered", problem: `the primary ${why}` });
    };
    try {
      const body = request.method === "POST" ? await request.arrayBuffer() : undefined;
      // No redirect: the token goes to the configured server and nowhere else.
      const response = await globalThis.fetch(`${primary}${pathname}${search}`, {
        method: request.method,
        headers: dress(request.headers),
        ...(body === undefined ? {} : { body }),
        signal: breaker.signal,
        redirect: "error",
      });
      noteBytes();
      limit.refresh();
      if (response.status === 401 || response.status === 403)
        tell({ kind: "unanswered", problem: "the primary refused the token" });
      else if (!response.ok && pathname !== "/info")
        tell({ kind: "unanswered", problem: `the primary answered ${response.status}` });
      const headers = keepHeaders(response.headers);
      const { status } = response;
      const reader = response.body?.getReader();
      const first: Uint8Array[] = [];
      for (let held = 0; reader !== undefined && held < HELD_BYTES; ) {
        const { done, value } = await reader.read();
        if (done) {
          end();
          return new Response(new Blob(first), { status, headers });
        }
        noteBytes();
        limit.refresh();
        first.push(value);
        held += value.length;
      }
      if (reader === undefined) {
        end();
        return new Response(null, { status, headers });
      }
      return new Response(pass(first, reader, { limit, end, fail, breaker, noteBytes }), { status, headers });
    } catch (error) {
      fail(error);
      // To the first question the library takes any other answer than 401 as an old server's.
      return new Response(null, { status: pathname === "/info" ? 401 : 502 });
    }
  }

  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    // Bun's own limit would count a primary's silence too; ours is the one that counts.
    idleTimeout: 0,
    maxRequestBodySize: MAX_QUESTION_BYTES,
    fetch: answer,
    error: () => new Response(null, { status: 502 }),
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    refuse() {
      isRefusing = true;
      for (const breaker of underWay) breaker.abort();
    },
  };
}

/** A large answer as it comes, with the deadline pushed on by every piece. */
function pass(
  first: Uint8Array[],
  reader: Pick<ReadableStreamDefaultReader<Uint8Array>, "read">,
  watch: {
    readonly limit: Timer;
    readonly end: () => void;
    readonly fail: (error: unknown) => void;
    readonly breaker: AbortController;
    readonly noteBytes: () => void;
  },
): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      try {
        const held = first.shift();
        if (held !== undefined) return controller.enqueue(held);
        const { done, value } = await reader.read();
        if (done) {
          watch.end();
          return controller.close();
        }
        watch.noteBytes();
        watch.limit.refresh();
        controller.enqueue(value);
      } catch (error) {
        watch.fail(error);
        controller.error(new Error("broken off"));
      }
    },
    cancel() {
      watch.end();
      watch.breaker.abort();
    },
  });
}

/** `fetch` has unpacked and joined the body already. */
function keepHeaders(from: Headers): Headers {
  const headers = new Headers(from);
  for (const name of ["connection", "transfer-encoding", "content-length", "content-encoding"])
    headers.delete(name);
  return headers;
}

/** libSQL names the database by the first label of the host; a relay's host would name another. */
function namespaceOf(url: string): string {
  const [label = "", ...rest] = new URL(url).hostname.split(".");
  const name = rest.length === 0 || label === "" ? "default" : label;
  return Buffer.from(name).toString("base64").replace(/=+$/, "");
}

function isSame(sent: string, own: string): boolean {
  const [a, b] = [Buffer.from(sent), Buffer.from(own)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function describe(error: unknown): string {
  return `could not be asked: ${error instanceof Error ? error.message : String(error)}`;
}
