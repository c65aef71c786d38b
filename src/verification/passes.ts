import { createKeyedHash } from "#limits";

/** Name of the cookie that holds a pass. */
export const PASS_COOKIE = "limpid_pass";

/** How long a pass is valid: 30 minutes. */
export const PASS_MS = 30 * 60_000;

const ID_BYTES = 16;

/** `v1.`, 128 bits of id, milliseconds since the epoch, 256 bits of HMAC; the id and the HMAC in base64url. */
const VALUE = /^v1\.([A-Za-z0-9_-]{22})\.([1-9][0-9]{0,15})\.([A-Za-z0-9_-]{43})$/;
const MAX_VALUE = 128;

/** Longer headers are ignored; browsers send at most about 4 kB per cookie. */
const MAX_HEADER = 16_384;

/** Cookies of our name that are read: a browser may send one per path or domain, an attacker many more. */
const MAX_CANDIDATES = 4;

/** A verified visitor. `id` is random. */
export interface Pass {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Passes of verified visitors, as signed values of the cookie {@link PASS_COOKIE}. */
export type Passes = ReturnType<typeof createPasses>;

/**
 * Creates the passes. The value of a cookie is `v1.<id>.<expires>.<HMAC-SHA-256>`. Every process with the same secret
 * accepts it.
 */
export function createPasses(options: {
  readonly secret: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly randomBytes: (length: number) => Uint8Array;
}) {
  const { secret, now, randomBytes } = options;
  const hash = createKeyedHash(secret, "pass 1");
  return {
    issue(): { readonly pass: Pass; readonly cookie: string } {
      const id = Buffer.from(randomBytes(ID_BYTES)).toString("base64url");
      const expiresAt = now() + PASS_MS;
      const mac = hash.of([id, String(expiresAt)]).toString("base64url");
      return { pass: { id, expiresAt }, cookie: `v1.${id}.${expiresAt}.${mac}` };
    },
    /** The pass in a Cookie header, or undefined when there is none, it is forged, or it has expired. */
    read(cookieHeader: string | null): Pass | undefined {
      if (cookieHeader === null || cookieHeader.length > MAX_HEADER) return undefined;
      for (const value of listCandidates(cookieHeader)) {
        const [, id, expires, mac] = VALUE.exec(value) ?? [];
        if (id === undefined || expires === undefined || mac === undefined) continue;
        if (!hash.isOf(mac, [id, expires])) continue;
        const expiresAt = Number(expires);
        if (expiresAt > now()) return { id, expiresAt };
      }
      return undefined;
    },
  };
}

/** The first values of our cookie in a Cookie header (RFC 6265, section 4.2.1). */
function listCandidates(header: string): readonly string[] {
  const start = `${PASS_COOKIE}=`;
  return header
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start) && pair.length <= start.length + MAX_VALUE)
    .slice(0, MAX_CANDIDATES)
    .map((pair) => pair.slice(start.length).trim());
}
