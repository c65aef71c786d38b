import type { Address } from "#address";
import type { Exchange } from "./exchange.ts";

/**
 * The caller's address.
 * @throws {Error} when the connection has none: the caller left before it was asked for, or came by a Unix socket.
 */
export function addressOf(exchange: Exchange): Address {
  const { address } = exchange.client;
  if (address === undefined)
    throw new Error("Cannot tell the caller's address: the connection names no peer");
  return address;
}
