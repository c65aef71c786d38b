/** Raw bytes on a socket, which no HTTP library would send. */

/** Everything that a server sent until it closed, or until it sent nothing for a while. */
export interface Heard {
  readonly text: string;
  /** Status lines in it, one an answer. */
  readonly statuses: readonly number[];
  /** Whether the server ended the connection. */
  readonly closed: boolean;
}

/** What is waited for. `quietMs`: silence after which nothing more is expected. */
export interface Patience {
  readonly quietMs?: number;
  readonly mostMs?: number;
}

/** Sends pieces one after another on one connection, each as soon as the one before it is out. */
export function send(
  { url }: { readonly url: string },
  pieces: string | readonly string[],
  patience: Patience = {},
): Promise<Heard> {
  const { quietMs = 3_000, mostMs = 8_000 } = patience;
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let pending = Buffer.from(typeof pieces === "string" ? pieces : pieces.join(""), "latin1");
    let quiet: Timer | undefined;
    const most = setTimeout(() => end(false), mostMs);
    let isOver = false;
    let close = () => {};
    function end(closed: boolean): void {
      if (isOver) return;
      isOver = true;
      clearTimeout(most);
      clearTimeout(quiet);
      close();
      const text = Buffer.concat(chunks).toString("utf8");
      const statuses = [...text.matchAll(/(?:^|\r\n\r\n|[^\r\n])HTTP\/1\.[01] (\d{3}) /g)].map(([, code]) =>
        Number(code),
      );
      resolve({ text, statuses, closed });
    }
    function restart(): void {
      clearTimeout(quiet);
      quiet = setTimeout(() => end(false), quietMs);
    }
    function push(socket: { write(bytes: Uint8Array): number }): void {
      if (pending.length > 0) pending = pending.subarray(Math.max(0, socket.write(pending)));
    }
    Bun.connect({
      hostname: "127.0.0.1",
      port: Number(new URL(url).port),
      socket: {
        open(socket) {
          close = () => socket.terminate();
          restart();
          push(socket);
        },
        drain: push,
        data(_socket, chunk) {
          chunks.push(Buffer.from(chunk));
          restart();
        },
        close: () => end(true),
        error: () => end(true),
        connectError: () => end(true),
      },
    }).catch(() => end(true));
  });
}

/** One request as text; `headers` as lines without their ends. */
export function requestText(
  target: string,
  headers: readonly string[] = [],
  method = "GET",
  body = "",
): string {
  const length = body === "" ? [] : [`Content-Length: ${Buffer.byteLength(body, "latin1")}`];
  return `${[`${method} ${target} HTTP/1.1`, "Host: limpid.test", ...length, ...headers, "Connection: close"].join("\r\n")}\r\n\r\n${body}`;
}
