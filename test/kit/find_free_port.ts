import { createSocket } from "node:dgram";
import { createServer } from "node:net";

/**
 * Below the range of outgoing connections on Linux (32768–60999, `net.ipv4.ip_local_port_range`). An outgoing
 * connection blocks its port for a program that listens, until a minute after its end.
 */
const LOWEST = 15_000;
const HIGHEST = 32_767;
const TRIES = 50;

/**
 * Finds a port of 127.0.0.1 that is free for UDP and TCP, for a program that needs a port number.
 * @throws when all tried ports are in use.
 */
export async function findFreePort(): Promise<number> {
  for (let turn = 0; turn < TRIES; turn += 1) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST + 1));
    if ((await isFreeForTcp(port)) && (await isFreeForUdp(port))) return port;
  }
  throw new Error(`Cannot find a free port between ${LOWEST} and ${HIGHEST}`);
}

function isFreeForTcp(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}

function isFreeForUdp(port: number): Promise<boolean> {
  const socket = createSocket("udp4");
  return new Promise((resolve) => {
    socket.once("error", () => socket.close(() => resolve(false)));
    socket.bind(port, "127.0.0.1", () => socket.close(() => resolve(true)));
  });
}
