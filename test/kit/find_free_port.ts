import { createSocket } from "node:dgram";
import { createServer } from "node:net";

/**
 * Below what Linux gives to connections that go out (32768–60999, `net.ipv4.ip_local_port_range`). Such a connection,
 * and for a minute its remains, holds the number against a program that would listen there.
 */
const LOWEST = 15_000;
const HIGHEST = 32_767;
const TRIES = 50;

/**
 * A number that nobody listens on at 127.0.0.1, by UDP or TCP, for a program that must be told one.
 * @throws when all that were tried are taken.
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
