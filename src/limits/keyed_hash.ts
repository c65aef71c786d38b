import { createHmac, timingSafeEqual } from "node:crypto";

/** Creates the keyed hash of a purpose. A hash for one purpose is not valid for another. */
export function createKeyedHash(secret: string, purpose: string) {
  const key = deriveKey(secret, purpose);
  /** HMAC-SHA-256 of the parts as a JSON array, so different parts give different input. */
  const of = (parts: readonly (string | number)[]) =>
    createHmac("sha256", key).update(JSON.stringify(parts)).digest();
  return {
    of,
    /** Whether a base64url text is the hash of the parts, in constant time. */
    isOf(text: string, parts: readonly (string | number)[]): boolean {
      const wanted = Buffer.from(of(parts).toString("base64url"));
      const given = Buffer.from(text);
      return given.length === wanted.length && timingSafeEqual(given, wanted);
    },
  };
}

/** The key of a purpose, 32 bytes: HMAC-SHA-256 of the purpose under the secret. */
export function deriveKey(secret: string, purpose: string): Buffer {
  return createHmac("sha256", secret).update(`limpid ${purpose}`).digest();
}

/** Bytes of a hash that a name keeps: 128 bits. */
const NAME_BYTES = 16;

/** Names of clients in the database. They change daily, and no client can be computed from its name. */
export type ClientNames = ReturnType<typeof createClientNames>;

/**
 * Creates the names: HMAC-SHA-256 under a key derived from the secret, cut to 128 bits, in base64url (22 characters).
 * Processes with the same secret create the same names.
 */
export function createClientNames(secret: string) {
  const clients = createKeyedHash(secret, "client names 1");
  const voters = createKeyedHash(secret, "voter names 1");
  return {
    /** Name of a client on a day (days since the epoch, UTC). */
    nameOf: (key: string, day: number) => shorten(clients.of([day, key])),
    /** Name of a client as a voter on a day: the same for all its browsers and passes, and never equal to its `nameOf`. */
    voterOf: (key: string, day: number) => shorten(voters.of([day, key])),
  };
}

function shorten(hash: Buffer): string {
  return hash.toString("base64url", 0, NAME_BYTES);
}
