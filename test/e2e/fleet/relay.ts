import { createServer, type Server, type Socket, connect as startConnection } from "node:net";

/** A relay between a process and a server on loopback that can be interrupted. */
export type Relay = Awaited<ReturnType<typeof startRelay>>;

/** Starts a relay to `target`, an http origin of 127.0.0.1; it forwards everything. */
export async function startRelay(target: string) {
  const targetPort = Number(new URL(target).port);
  const sockets = new Set<Socket>();
  let isSwallowing = false;
  let isCutting = false;
  let delayMs = 0;

  function keep(socket: Socket): void {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  }

  function destroyAll(): void {
    for (const socket of sockets) socket.resetAndDestroy();
  }

  const server = createServer((near) => {
    keep(near);
    if (isSwallowing) return void near.pause();
    const far = startConnection(targetPort, "127.0.0.1");
    keep(far);
    near.on("close", () => far.destroy());
    far.on("close", () => near.destroy());
    near.on("data", (bytes) => void (isSwallowing || far.write(bytes)));
    far.on("data", async (bytes: Buffer) => {
      if (isSwallowing) return;
      if (isCutting) {
        near.write(bytes.subarray(0, bytes.length >> 1));
        near.resetAndDestroy();
        return;
      }
      if (delayMs > 0) await Bun.sleep(delayMs);
      near.write(bytes);
    });
  });
  const port = await listen(server, 0);

  return {
    /** `http://127.0.0.1:PORT`, the same while it exists. */
    url: `http://127.0.0.1:${port}`,
    /** Forwards connections. */
    async pass(): Promise<void> {
      // Dropped bytes are lost, so the connections that missed them are closed.
      if (isSwallowing) destroyAll();
      isSwallowing = false;
      isCutting = false;
      delayMs = 0;
      if (!server.listening) await listen(server, port);
    },
    /** Stops listening and resets open connections. */
    async refuse(): Promise<void> {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      destroyAll();
      await closed;
    },
    /** Accepts connections and keeps them open, but forwards no byte. */
    swallow(): void {
      isSwallowing = true;
    },
    /** Forwards each piece of an answer this late. */
    delay(ms: number): void {
      delayMs = ms;
    },
    /** Forwards half of a piece of an answer, and resets the connection. */
    cut(): void {
      isCutting = true;
    },
    async close(): Promise<void> {
      destroyAll();
      if (server.listening) await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", reject);
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}
