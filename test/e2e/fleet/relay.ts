import { createServer, type Server, type Socket, connect as startConnection } from "node:net";

/** A wire between a process and a server on loopback that can be cut. */
export interface Relay {
  /** `http://127.0.0.1:PORT`, the same as long as it lives. */
  readonly url: string;
  /** Connections are passed on. */
  pass(): Promise<void>;
  /** Nobody listens any more, and open connections are reset. */
  refuse(): Promise<void>;
  /** Connections are accepted and stay open, and no byte passes either way. */
  swallow(): void;
  close(): Promise<void>;
}

/** Starts a relay to `target`, an http origin of 127.0.0.1; it passes everything on. */
export async function startRelay(target: string): Promise<Relay> {
  const targetPort = Number(new URL(target).port);
  const sockets = new Set<Socket>();
  let isSwallowing = false;

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
    far.on("data", (bytes) => void (isSwallowing || near.write(bytes)));
  });
  const port = await listen(server, 0);

  return {
    url: `http://127.0.0.1:${port}`,
    async pass() {
      // What was swallowed is gone, and with it the connections that missed it.
      if (isSwallowing) destroyAll();
      isSwallowing = false;
      if (!server.listening) await listen(server, port);
    },
    async refuse() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      destroyAll();
      await closed;
    },
    swallow() {
      isSwallowing = true;
    },
    async close() {
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
