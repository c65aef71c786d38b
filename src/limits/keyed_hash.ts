import { createHmac, timingSafeEqual } from "node:crypto";

/** A keyed hash for one purpose. A hash for one purpose is not valid for another. */
export interface KeyedHash {
  /** HMAC-SHA-256 of the parts as a JSON array, so different parts give different input. */
  of(parts: readonly (string | number)[]): Buffer;
  /** Whether a base64url text is the hash of the parts, in constant time. */
  isOf(text: string, parts: readonly (string | number)[]): boolean;
}

/** Creates the keyed hash of a purpose. */
export function createKeyedHash(secret: string, purpose: string): KeyedHash {
  const key = deriveKey(secret, purpose);
  const of = (parts: readonly (string | number)[]) =>
    createHmac("sha256", key).update(JSON.stringify(parts)).digest();
  return {
    of,
    isOf(text, parts) {
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
