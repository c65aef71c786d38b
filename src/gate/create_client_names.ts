import { createKeyedHash } from "./keyed_hash.ts";
import type { ClientNames } from "./verification.ts";

const NAME_BYTES = 16;

/**
 * Creates the names that stand for clients in the database: HMAC-SHA-256 under a key derived from the secret, cut to
 * 128 bits, in base64url (22 characters). Processes with one secret agree on them.
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
