import type { Body } from "./body.ts";
import { PLAIN_POLICY } from "./policy.ts";

/** How an answer may be kept: by nobody, by the caller who asks again each time, or by everyone for a while. */
export type Keeping = "no-store" | "private, no-cache" | "public, max-age=300";

/** Headers that scripts of other sites may read. */
export const EXPOSED_HEADERS =
  "x-open-budget-remaining, RateLimit, RateLimit-Policy, Retry-After, ETag, x-request-id";

/** What a handler answers. */
export interface ReplyParts {
  readonly status: number;
  readonly body?: Body;
  /** Instead of a body: opens what is sent piece by piece, with its media type among the headers. */
  readonly stream?: () => ReadableStream<Uint8Array>;
  readonly keeping: Keeping;
  /** Readable by scripts of any site. */
  readonly shared: boolean;
  /** Content-Security-Policy; absent = no script at all. */
  readonly policy?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer that can be sent many times. */
export interface Reply extends ReplyParts {
  /** The headers that do not depend on the request, of the plain or the compressed body; copied, never changed. */
  readonly head: (compressed: boolean) => Headers;
}

/** Makes a reply. Its heads are built once: copying one costs a fifth of building it. */
export function createReply(parts: ReplyParts): Reply {
  let plain: Headers | undefined;
  let packed: Headers | undefined;
  return {
    ...parts,
    head(compressed) {
      if (compressed) {
        packed ??= buildHead(parts, true);
        return packed;
      }
      plain ??= buildHead(parts, false);
      return plain;
    },
  };
}

function buildHead(parts: ReplyParts, compressed: boolean): Headers {
  const { body } = parts;
  const head = new Headers({
    "cache-control": parts.keeping,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "content-security-policy": parts.policy ?? PLAIN_POLICY,
    ...parts.headers,
  });
  if (parts.shared) {
    head.set("access-control-allow-origin", "*");
    head.set("access-control-expose-headers", EXPOSED_HEADERS);
  }
  if (body === undefined) return head;
  const sent = compressed && body.gzip !== undefined ? body.gzip() : body;
  if (body.gzip !== undefined) head.append("vary", "Accept-Encoding");
  if (sent !== body) head.set("content-encoding", "gzip");
  if (parts.status === 200 && parts.keeping !== "no-store") head.set("etag", sent.etag);
  head.set("content-type", body.contentType);
  head.set("content-length", String(sent.bytes.length));
  return head;
}
