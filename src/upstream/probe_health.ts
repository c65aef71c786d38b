/** Only the status line is read. */
const MAX_BYTES = 256;

/**
 * Checks a limpid process with `GET /healthz` at `host` and `port`. Returns undefined when it is healthy, otherwise a
 * short text that says what is wrong. Never rejects. It uses a plain socket, because `fetch` obeys the proxy variables
 * of the environment even for addresses of this machine.
 */
export async function probeHealth(
  host: string,
  port: number,
  timeoutMs: number,
): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const limit = setTimeout(() => resolve(`no answer within ${timeoutMs} ms`), timeoutMs);
  let received = "";
  const read = (chunk: Uint8Array) => {
    received = (received + Buffer.from(chunk).toString("latin1")).slice(0, MAX_BYTES);
    const status = /^HTTP\/1\.[01] (\d{3})(?: [^\n]*)?\r?\n/.exec(received)?.[1];
    if (status !== undefined) resolve(status === "200" ? undefined : `it answers ${status}`);
    else if (received.length === MAX_BYTES) resolve("its answer is not HTTP");
  };
  const connecting = Bun.connect({
    hostname: host,
    port,
    socket: {
      open: (socket) => {
        const name = host.includes(":") ? `[${host}]` : host;
        socket.write(`GET /healthz HTTP/1.1\r\nhost: ${name}:${port}\r\nconnection: close\r\n\r\n`);
      },
      data: (_, chunk) => read(chunk),
      close: () => resolve("it closed the connection without an answer"),
      error: (_, error) => resolve(error.message),
    },
  });
  connecting.catch((error: unknown) => resolve(error instanceof Error ? error.message : String(error)));
  const problem = await promise;
  clearTimeout(limit);
  connecting.then((socket) => socket.terminate()).catch(() => {});
  return problem;
}
