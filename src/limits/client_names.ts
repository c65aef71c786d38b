import { createKeyedHash } from "./keyed_hash.ts";

/** Bytes of a hash that a name keeps: 128 bits. */
const NAME_BYTES = 16;

/** Names of clients in the database. They change daily, and no client can be computed from its name. */
export interface ClientNames {
  /** Name of a client on a day (days since the epoch, UTC). */
  nameOf(key: string, day: number): string;
  /**
   * Name of a client as a voter on a day: the same for all its browsers and passes, and never equal to its `nameOf`.
   */
  voterOf(key: string, day: number): string;
}

/**
 * Creates the names: HMAC-SHA-256 under a key derived from the secret, cut to 128 bits, in base64url (22 characters).
 * Processes with the same secret create the same names.
 */
export function createClientNames(secret: string): ClientNames {
  const clients = createKeyedHash(secret, "client names 1");
  const voters = createKeyedHash(secret, "voter names 1");
  return {
    nameOf: (key, day) => shorten(clients.of([day, key])),
    voterOf: (key, day) => shorten(voters.of([day, key])),
  };
}

function shorten(hash: Buffer): string {
  return hash.toString("base64url", 0, NAME_BYTES);
}
