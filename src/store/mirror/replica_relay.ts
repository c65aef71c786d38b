import { timingSafeEqual } from "node:crypto";

/** A message to the thread of the relay. */
export type RelayOrder =
  | {
      readonly kind: "start";
      readonly primary: string;
      readonly token?: string;
      /** Requests without this key are refused. */
      readonly key: string;
      readonly idleTimeoutMs: number;
    }
  | { readonly kind: "refuse" };

/** A message from the relay: its address, that bytes have arrived, or why a request has no complete answer. */
export type RelayEvent =
  | { readonly kind: "listening"; readonly url: string }
  | { readonly kind: "bytes" }
  | { readonly kind: "failed"; readonly problem: string };

/** A running relay. */
export interface ReplicaRelay {
  /** Loopback origin. */
  readonly url: string;
  /** Aborts all requests and refuses further ones. */
  refuse(): void;
}

/** The primary, and how long it may send nothing before a request is aborted. */
export interface ReplicaRelayOptions {
  readonly primary: string;
  readonly token?: string;
  readonly key: string;
  readonly idleTimeoutMs: number;
  readonly onEvent: (event: RelayEvent) => void;
}

/** Requests are small; responses contain the database. */
const MAX_REQUEST_BYTES = 65_536;

/** A response up to this size is forwarded completely or not at all; a larger one is streamed and may end early. */
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024;

/** The shortest time between two events about bytes. */
const EVENT_INTERVAL_MS = 500;

/**
 * The requests of replication, which only read: libSQL's frames over gRPC-web, and the newer export of pages.
 * https://github.com/tursodatabase/libsql/blob/main/libsql-replication/proto/replication_log.proto
 */
const ALLOWED_REQUESTS: readonly RegExp[] = [
  /^POST \/wal_log\.ReplicationLog\/(?:Hello|LogEntries|BatchLogEntries|Snapshot)$/,
  /^GET \/(?:info|sync\/[\w./-]+|export\/[\w./-]+)$/,
];

/** Headers of one connection (RFC 9110, section 7.6.1), and headers that the relay sets itself. */
const DROPPED_HEADERS = [
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
 * Listens on loopback and forwards the requests of libSQL's replication to the primary. Without the relay, the
 * library waits for a stopped primary for ever and cannot be interrupted. The relay aborts a response without a byte
 * for `idleTimeoutMs`, so that the library returns and tries again. It forwards no request that would write.
 */
export function createReplicaRelay(options: ReplicaRelayOptions): ReplicaRelay {
  const { idleTimeoutMs, onEvent } = options;
  const primary = options.primary.replace(/^libsql:/, "https:").replace(/\/+$/, "");
  const expected = `Bearer ${options.key}`;
  const running = new Set<AbortController>();
  let eventAt = 0;
  let isRefusing = false;

  function noteBytes(): void {
    const at = performance.now();
    if (at - eventAt < EVENT_INTERVAL_MS) return;
    eventAt = at;
    onEvent({ kind: "bytes" });
  }

  function forwardHeaders(received: Headers): Headers {
    const headers = new Headers(received);
    for (const name of DROPPED_HEADERS) headers.delete(name);
    if (options.token !== undefined) {
      headers.set("authorization", `Bearer ${options.token}`);
      headers.set("x-authorization", `Bearer ${options.token}`);
    }
    if (received.has("x-namespace-bin")) headers.set("x-namespace-bin", namespaceOf(primary));
    return headers;
  }

  async function answer(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const sent = request.headers.get("x-authorization") ?? request.headers.get("authorization") ?? "";
    if (!isSame(sent, expected)) return new Response(null, { status: 401 });
    if (isRefusing) return new Response(null, { status: pathname === "/info" ? 401 : 503 });
    if (!ALLOWED_REQUESTS.some((allowed) => allowed.test(`${request.method} ${pathname}`)))
      return new Response(null, { status: 403 });

    const controller = new AbortController();
    running.add(controller);
    const idleTimer = setTimeout(() => controller.abort(), idleTimeoutMs);
    const end = () => {
      clearTimeout(idleTimer);
      running.delete(controller);
    };
    const fail = (error: unknown) => {
      end();
      const why = controller.signal.aborted ? `sent nothing for ${idleTimeoutMs} ms` : describe(error);
      onEvent({ kind: "failed", problem: `the primary ${why}` });
    };
    try {
      const body = request.method === "POST" ? await request.arrayBuffer() : undefined;
      // Redirects are refused, so that the token goes to the configured server only.
      const response = await globalThis.fetch(`${primary}${pathname}${search}`, {
        method: request.method,
        headers: forwardHeaders(request.headers),
        ...(body === undefined ? {} : { body }),
        signal: controller.signal,
        redirect: "error",
      });
      noteBytes();
      idleTimer.refresh();
      if (response.status === 401 || response.status === 403)
        onEvent({ kind: "failed", problem: "the primary refused the token" });
      else if (!response.ok && pathname !== "/info")
        onEvent({ kind: "failed", problem: `the primary answered ${response.status}` });
      const headers = keepHeaders(response.headers);
      const { status } = response;
      const reader = response.body?.getReader();
      const first: Uint8Array[] = [];
      for (let buffered = 0; reader !== undefined && buffered < MAX_BUFFERED_BYTES; ) {
        const { done, value } = await reader.read();
        if (done) {
          end();
          return new Response(new Blob(first), { status, headers });
        }
        noteBytes();
        idleTimer.refresh();
        first.push(value);
        buffered += value.length;
      }
      if (reader === undefined) {
        end();
        return new Response(null, { status, headers });
      }
      const stream = streamOf(first, reader, { idleTimer, end, fail, controller, noteBytes });
      return new Response(stream, { status, headers });
    } catch (error) {
      fail(error);
      // The library treats every answer to its first request except 401 as the answer of an old server.
      return new Response(null, { status: pathname === "/info" ? 401 : 502 });
    }
  }

  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    // Bun's own timeout would also end a response that waits for the primary.
    idleTimeout: 0,
    maxRequestBodySize: MAX_REQUEST_BYTES,
    fetch: answer,
    error: () => new Response(null, { status: 502 }),
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    refuse() {
      isRefusing = true;
      for (const controller of running) controller.abort();
    },
  };
}

/** Streams a large response. Every chunk restarts the idle timer. */
function streamOf(
  first: Uint8Array[],
  reader: Pick<ReadableStreamDefaultReader<Uint8Array>, "read">,
  watch: {
    readonly idleTimer: Timer;
    readonly end: () => void;
    readonly fail: (error: unknown) => void;
    readonly controller: AbortController;
    readonly noteBytes: () => void;
  },
): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      try {
        const buffered = first.shift();
        if (buffered !== undefined) return controller.enqueue(buffered);
        const { done, value } = await reader.read();
        if (done) {
          watch.end();
          return controller.close();
        }
        watch.noteBytes();
        watch.idleTimer.refresh();
        controller.enqueue(value);
      } catch (error) {
        watch.fail(error);
        controller.error(new Error("the response was aborted"));
      }
    },
    cancel() {
      watch.end();
      watch.controller.abort();
    },
  });
}

/** Removes the headers that are wrong for the forwarded body, because `fetch` has decoded it. */
function keepHeaders(from: Headers): Headers {
  const headers = new Headers(from);
  for (const name of ["connection", "transfer-encoding", "content-length", "content-encoding"])
    headers.delete(name);
  return headers;
}

/** libSQL derives the database's name from the first label of the host; the relay's host would give another name. */
function namespaceOf(url: string): string {
  const [label = "", ...rest] = new URL(url).hostname.split(".");
  const name = rest.length === 0 || label === "" ? "default" : label;
  return Buffer.from(name).toString("base64").replace(/=+$/, "");
}

function isSame(sent: string, expected: string): boolean {
  const [a, b] = [Buffer.from(sent), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function describe(error: unknown): string {
  return `could not be reached: ${error instanceof Error ? error.message : String(error)}`;
}
