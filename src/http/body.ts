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

/** Tells the bodies of one URL apart, in every process alike; nobody gains by two with one tag, so it is a quick one. */
function digest(bytes: Uint8Array): string {
  const halves = [Bun.hash.xxHash64(bytes), Bun.hash.xxHash64(bytes, 1n)];
  return halves.map((half) => half.toString(36).padStart(13, "0")).join("");
}

/** Prepares a body for sending once or many times. */
export function createBody(contentType: string, content: string | Uint8Array): Body {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content);
  const hash = digest(bytes);
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
