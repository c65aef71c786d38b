import { createKeyedHash } from "./keyed_hash.ts";

const NAME_BYTES = 16;

/** More of a User-Agent tells no more browsers apart. */
const MAX_USER_AGENT = 512;

/** Keyed hashes that stand for clients where something is kept; they change daily and cannot be turned back. */
export interface ClientNames {
  /** Name of a client on a day (days since the epoch, UTC). */
  nameOf(key: string, day: number): string;
  /** Name of one browser of a client on a day, for votes. */
  voterOf(key: string, userAgent: string | null, day: number): string;
}

/**
 * Creates the names that stand for clients in the database: HMAC-SHA-256 under a key derived from the secret, cut to
 * 128 bits, in base64url (22 characters). Processes with one secret agree on them.
 */
export function createClientNames(secret: string): ClientNames {
  const clients = createKeyedHash(secret, "client names 1");
  const voters = createKeyedHash(secret, "voter names 1");
  return {
    nameOf: (key, day) => shorten(clients.of([day, key])),
    voterOf: (key, userAgent, day) =>
      shorten(voters.of([day, key, (userAgent ?? "").slice(0, MAX_USER_AGENT)])),
  };
}

function shorten(hash: Buffer): string {
  return hash.toString("base64url", 0, NAME_BYTES);
}
