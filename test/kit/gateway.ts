import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Socket } from "bun";
import { createPauses } from "./pauses.ts";

/** One request as the gateway received it. */
export interface GatewayCall {
  readonly method: string;
  /** The host of the original request: the first segment of the path. */
  readonly host: string;
  /** Path and query after the host, as sent: `/v3/192.0.2.7?key=x`. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}

/** What the gateway answers. One of `json`, `text`, `bytes` is the body; without them it is empty. */
export interface Reply {
  /** Default 200. */
  readonly status?: number;
  /** Added to the content type of the body; a header here wins. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly text?: string;
  readonly bytes?: Uint8Array;
  /** Compresses the body and sets Content-Encoding. */
  readonly encoding?: "gzip" | "br";
  /** Waits this long before the first byte. */
  readonly delayMs?: number;
  /** Sends the body in chunks (Transfer-Encoding) without a length. */
  readonly chunked?: true;
  /**
   * `hang`: no byte. `stall`: headers and half of the body, then nothing. `drip`: one byte every `dripMs`.
   * `truncate`: half of the declared body, then the connection closes. `reset`: the connection is reset instead
   * of an answer. `endless`: headers, then the body again and again while the client reads.
   */
  readonly fault?: "hang" | "stall" | "drip" | "truncate" | "reset" | "endless";
  /** Pause between the bytes of `drip`; default 20. */
  readonly dripMs?: number;
  /** Exactly these bytes in place of the response, with the status line; then the connection closes. */
  readonly raw?: Uint8Array;
}

/** A fixed reply, or one made for the call; `turn` counts the calls of this responder, from 0. */
export type Responder = Reply | ((call: GatewayCall, turn: number) => Reply | Promise<Reply>);

/** An egress gateway on loopback: a request for `https://HOST/PATH` arrives as `URL/HOST/PATH`. */
export type GatewayServer = Awaited<ReturnType<typeof startGateway>>;

interface Route {
  readonly host: string;
  readonly path: string | RegExp;
  readonly responder: Responder;
  turns: number;
}

interface Connection {
  received: Buffer;
  busy: boolean;
  open: boolean;
  /** Bytes that the kernel has not accepted yet. */
  pending: Uint8Array[];
  writable: (() => void) | undefined;
}

interface Head {
  readonly method: string;
  readonly target: string;
  readonly headers: Headers;
  readonly bodyStart: number;
  readonly bodyLength: number;
}

const DRIP_MS = 20;
const NOTHING = new Uint8Array();

/**
 * Starts a gateway on 127.0.0.1. It uses HTTP/1.1 on plain sockets,
 * because an HTTP server library prevents the faults that it plays (truncation, reset).
 */
export async function startGateway() {
  const calls: GatewayCall[] = [];
  const unmatched: GatewayCall[] = [];
  const routes: Route[] = [];
  const sockets = new Set<Socket<Connection>>();
  const waiters = new Set<() => void>();
  const { pause, clear } = createPauses();
  let ever = 0;
  let sentBytes = 0;

  const listener = Bun.listen<Connection>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open(socket) {
        socket.data = {
          received: Buffer.alloc(0),
          busy: false,
          open: true,
          pending: [],
          writable: undefined,
        };
        socket.setNoDelay(true);
        sockets.add(socket);
        ever += 1;
      },
      data(socket, chunk) {
        socket.data.received = Buffer.concat([socket.data.received, chunk]);
        void serve(socket);
      },
      drain(socket) {
        flush(socket);
      },
      close: forgetSocket,
      error: forgetSocket,
    },
  });

  function forgetSocket(socket: Socket<Connection>): void {
    socket.data.open = false;
    socket.data.writable?.();
    sockets.delete(socket);
    if (sockets.size === 0) {
      for (const wake of waiters) wake();
      waiters.clear();
    }
  }

  function flush(socket: Socket<Connection>): void {
    const { data } = socket;
    while (data.open && data.pending.length > 0) {
      const chunk = data.pending[0] as Uint8Array;
      const written = Math.max(0, socket.write(chunk));
      sentBytes += written;
      if (written < chunk.byteLength) {
        data.pending[0] = chunk.subarray(written);
        return;
      }
      data.pending.shift();
    }
    data.writable?.();
    data.writable = undefined;
  }

  /** Resolves when the kernel has accepted everything, or the client is gone. */
  function send(socket: Socket<Connection>, bytes: Uint8Array): Promise<void> {
    if (!socket.data.open) return Promise.resolve();
    return new Promise((resolve) => {
      socket.data.writable = resolve;
      socket.data.pending.push(bytes);
      flush(socket);
    });
  }

  async function serve(socket: Socket<Connection>): Promise<void> {
    const { data } = socket;
    if (data.busy) return;
    data.busy = true;
    for (;;) {
      const head = readHead(data.received);
      if (head === undefined || data.received.length < head.bodyStart + head.bodyLength) break;
      const body = data.received.subarray(head.bodyStart, head.bodyStart + head.bodyLength).toString();
      data.received = data.received.subarray(head.bodyStart + head.bodyLength);
      const isKept = await answer(socket, head, body);
      if (!isKept || !data.open) return;
    }
    data.busy = false;
  }

  async function answer(socket: Socket<Connection>, head: Head, body: string): Promise<boolean> {
    const target = /^\/([^/?]*)(\/[^?]*)?(\?.*)?$/.exec(head.target);
    const call: GatewayCall = {
      method: head.method,
      host: target?.[1] ?? "",
      path: `${target?.[2] ?? "/"}${target?.[3] ?? ""}`,
      headers: head.headers,
      body,
    };
    calls.push(call);
    const route = routes.findLast((candidate) => isMatch(candidate, call));
    if (route === undefined) {
      unmatched.push(call);
      return play(socket, head, {
        status: 404,
        headers: { "x-kit-unmatched": "1" },
        text: `kit: nobody answers ${call.method} ${call.host}${call.path}`,
      });
    }
    const turn = route.turns;
    route.turns += 1;
    const { responder } = route;
    return play(socket, head, typeof responder === "function" ? await responder(call, turn) : responder);
  }

  async function play(socket: Socket<Connection>, head: Head, reply: Reply): Promise<boolean> {
    if (reply.delayMs !== undefined) await pause(reply.delayMs);
    if (reply.fault === "hang") return false;
    if (reply.fault === "reset") {
      socket.terminate();
      return false;
    }
    if (reply.raw !== undefined) {
      await send(socket, reply.raw);
      socket.end();
      return false;
    }
    const body = encode(bodyOf(reply), reply.encoding);
    const isBodyless = head.method === "HEAD";
    const headers = new Headers(contentType(reply));
    if (reply.encoding !== undefined) headers.set("content-encoding", reply.encoding);
    if (reply.chunked === true) headers.set("transfer-encoding", "chunked");
    else if (reply.fault === "endless") headers.set("connection", "close");
    else headers.set("content-length", String(body.length));
    for (const [name, value] of Object.entries(reply.headers ?? {})) headers.set(name, value);
    const lines = [...headers].map(([name, value]) => `${name}: ${value}\r\n`).join("");
    await send(socket, Buffer.from(`HTTP/1.1 ${reply.status ?? 200} Kit\r\n${lines}\r\n`));
    if (isBodyless) return true;
    switch (reply.fault) {
      case "stall":
        await send(socket, body.subarray(0, body.length >> 1));
        return false;
      case "truncate":
        await send(socket, body.subarray(0, body.length >> 1));
        socket.end();
        return false;
      case "drip":
        for (let at = 0; at < body.length && socket.data.open; at += 1) {
          await send(socket, body.subarray(at, at + 1));
          await pause(reply.dripMs ?? DRIP_MS);
        }
        return true;
      case "endless": {
        const part = body.length === 0 ? Buffer.alloc(16384, 0x20) : body;
        const chunk = reply.chunked === true ? frame(part) : part;
        while (socket.data.open) {
          await send(socket, chunk);
          await new Promise((resolve) => setImmediate(resolve));
        }
        return false;
      }
      default:
        await send(socket, reply.chunked === true ? Buffer.concat([frame(body), frame(NOTHING)]) : body);
        return headers.get("connection") !== "close";
    }
  }

  return {
    /** `http://127.0.0.1:PORT`, without a slash at the end. */
    url: `http://127.0.0.1:${listener.port}`,
    /** Every request, in order of arrival, matched or not. */
    calls,
    /** Requests without a responder; they got a 404 with `x-kit-unmatched: 1`. */
    unmatched,
    /** TCP connections open now. */
    get connections() {
      return sockets.size;
    },
    /** Of those, connections with a request that is not fully answered. */
    get busy() {
      return [...sockets].filter((socket) => socket.data.busy).length;
    },
    /** TCP connections ever opened. */
    get connectionsEver() {
      return ever;
    },
    /** Bytes written to the sockets so far, with headers. */
    get sentBytes() {
      return sentBytes;
    },
    /**
     * Answers requests for a host. A string matches the whole path, with or without its query;
     * a RegExp is tested on path and query. The last one registered wins.
     */
    on(host: string, path: string | RegExp, responder: Responder): void {
      routes.push({ host, path, responder, turns: 0 });
    },
    /** The calls for one host. */
    callsTo: (host: string): GatewayCall[] => calls.filter((call) => call.host === host),
    /** Forgets the calls, keeps the responders. */
    forget(): void {
      calls.length = 0;
      unmatched.length = 0;
    },
    /** Closes every open connection. */
    disconnect(): void {
      for (const socket of sockets) socket.terminate();
    },
    /** Resolves when no connection is open. */
    drained(): Promise<void> {
      return sockets.size === 0 ? Promise.resolve() : new Promise((resolve) => waiters.add(resolve));
    },
    async close(): Promise<void> {
      clear();
      listener.stop(true);
      for (const socket of sockets) socket.terminate();
    },
  };
}

function isMatch(route: Route, call: GatewayCall): boolean {
  if (route.host !== call.host) return false;
  if (typeof route.path === "string")
    return route.path === call.path || route.path === call.path.split("?")[0];
  return route.path.test(call.path);
}

function readHead(received: Buffer): Head | undefined {
  const end = received.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const [start = "", ...lines] = received.subarray(0, end).toString("latin1").split("\r\n");
  const [method = "", target = ""] = start.split(" ");
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(":");
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  const bodyLength = Number(headers.get("content-length") ?? 0);
  return { method, target, headers, bodyStart: end + 4, bodyLength };
}

/** One chunk of RFC 9112 §7.1; a chunk without bytes is the last. */
function frame(part: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from("\r\n")]);
}

function bodyOf(reply: Reply): Uint8Array {
  if (reply.bytes !== undefined) return reply.bytes;
  if (reply.json !== undefined) return Buffer.from(JSON.stringify(reply.json));
  return Buffer.from(reply.text ?? "");
}

function contentType(reply: Reply): Record<string, string> {
  if (reply.json !== undefined) return { "content-type": "application/json" };
  if (reply.text !== undefined) return { "content-type": "text/plain; charset=utf-8" };
  if (reply.bytes !== undefined) return { "content-type": "application/octet-stream" };
  return {};
}

function encode(body: Uint8Array, encoding: Reply["encoding"]): Uint8Array {
  switch (encoding) {
    case "gzip":
      return gzipSync(body);
    case "br":
      // The best compression takes seconds for a large body.
      return brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
    case undefined:
      return body;
  }
}
