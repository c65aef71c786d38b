/** Below this a compressed body saves less than its headers cost. */
const WORTH_COMPRESSING_BYTES = 1024;

const COMPRESSIBLE = /^(?:text\/|application\/(?:json|javascript|manifest\+json|xml)|image\/svg\+xml)/;

/** Bytes ready to be sent, with the strong entity tag of each of their encodings (RFC 9110, 8.8.3). */
export interface Body {
  readonly contentType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
  /** Compressed on first demand and kept; absent when it is not worth it. */
  readonly gzip?: () => Encoded;
}

/** The same body in another encoding. */
export interface Encoded {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

/** Prepares a body for sending once or many times. */
export function createBody(contentType: string, content: string | Uint8Array): Body {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content);
  const hash = new Bun.CryptoHasher("sha256").update(bytes).digest("base64url").slice(0, 22);
  const plain = { contentType, bytes, etag: `"${hash}"` };
  if (bytes.length < WORTH_COMPRESSING_BYTES || !COMPRESSIBLE.test(contentType)) return plain;

  let encoded: Encoded | undefined;
  return {
    ...plain,
    gzip() {
      encoded ??= { bytes: Bun.gzipSync(bytes), etag: `"${hash}-gzip"` };
      return encoded;
    },
  };
}
