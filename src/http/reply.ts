import type { Body, Encoded } from "./body.ts";
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
  /** It with the plain or the compressed body; made on first demand and kept. */
  readonly representation: (compressed: boolean) => Representation;
}

/** What is sent, but for what depends on the request. */
export interface Representation {
  /** Copied, never changed. */
  readonly head: Headers;
  readonly etag: string | null;
  /** A response of its own each time, to which headers may be added. */
  whole(): Response;
}

/** Makes a reply. */
export function createReply(parts: ReplyParts): Reply {
  let plain: Representation | undefined;
  let packed: Representation | undefined;
  return {
    ...parts,
    representation(compressed) {
      if (compressed) {
        packed ??= represent(parts, true);
        return packed;
      }
      plain ??= represent(parts, false);
      return plain;
    },
  };
}

function represent(parts: ReplyParts, compressed: boolean): Representation {
  const { body, status, stream } = parts;
  const sent = compressed && body?.gzip !== undefined ? body.gzip() : body;
  const head = buildHead(parts, sent);
  let times = 0;
  let pattern: Response | undefined;
  return {
    head,
    etag: head.get("etag"),
    whole() {
      if (stream !== undefined) return new Response(stream(), { status, headers: head });
      times += 1;
      if (times === 1) return new Response(sent?.bytes ?? null, { status, headers: head });
      // Most are sent once. A copy of one with a Blob shares its bytes and costs less than building one.
      pattern ??= new Response(sent === undefined ? null : new Blob([sent.bytes]), { status, headers: head });
      // The types of clone are not those of Bun.
      return pattern.clone() as Response;
    },
  };
}

function buildHead(parts: ReplyParts, sent: Encoded | undefined): Headers {
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
  if (body === undefined || sent === undefined) return head;
  if (body.gzip !== undefined) head.append("vary", "Accept-Encoding");
  if (sent !== body) head.set("content-encoding", "gzip");
  if (parts.status === 200 && parts.keeping !== "no-store") head.set("etag", sent.etag);
  head.set("content-type", body.contentType);
  head.set("content-length", String(sent.bytes.length));
  return head;
}
