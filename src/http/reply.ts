import { ElysiaCustomStatusResponse } from "elysia";
import { isRecent } from "#common";
import type { Language } from "#report";
import { allowOtherSites, policyOfPage, securityHeaders } from "./plugins/headers.ts";

/** A smaller body is not compressed: the headers of compression need more bytes than it saves. */
const WORTH_COMPRESSING_BYTES = 1024;

/** The relation of the description of this API (RFC 8631). */
const SERVICE_DESCRIPTION = '</openapi.json>; rel="service-desc"; type="application/json"';

const COMPRESSIBLE =
  /^(?:text\/|application\/(?:json|javascript|(?:manifest|stix)\+json|xml)|image\/svg\+xml)/;

/** Who may cache an answer: nobody, the client with a check each time, or any cache for five minutes. */
export type CacheControl = "no-store" | "private, no-cache" | "public, max-age=300";

/** Bytes with their entity tag (RFC 9110, 8.8.3). */
interface Encoded {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

/** A reply without its body. */
export interface ReplyOptions {
  readonly cacheControl: CacheControl;
  /** Whether scripts of any site may read it. */
  readonly shared: boolean;
  /** Content-Security-Policy; absent = no script at all. */
  readonly policy?: string;
  /** The languages of its text; absent = it has no text for people. */
  readonly languages?: readonly Language[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** A body with its status, in one encoding, ready to be sent many times. */
export interface Representation {
  /** Must not be changed; copy it. */
  readonly head: Headers;
  /** Returns a new response each time; headers may be added to it. */
  createResponse(): Response;
}

/**
 * What a handler returns: a body with its headers. `Content` exists only as a type: the document in a JSON body, or
 * a name like "text" or "page". With it, the compiler compares the reply with the declaration of the route.
 * A reply is immutable and may be sent many times. Its compressed body and its heads are made when first needed.
 */
export class Reply<Content = unknown> {
  declare readonly content: Content;
  readonly #contentType: string | undefined;
  #body: Encoded | undefined;
  readonly #options: ReplyOptions;
  readonly #open: (() => ReadableStream<Uint8Array>) | undefined;
  #gzipped: Encoded | undefined;
  #representations: (Representation | undefined)[] = [];

  constructor(
    options: ReplyOptions,
    body?: {
      readonly contentType: string;
      /** A function opens a stream, for one response only. */
      readonly content: string | Uint8Array | (() => ReadableStream<Uint8Array>);
      /** What the content depends on, as text. It makes a weak entity tag; absent = a strong tag of the bytes. */
      readonly tag?: string | undefined;
    },
  ) {
    this.#options = options;
    this.#contentType = body?.contentType;
    if (typeof body?.content === "function") this.#open = body.content;
    else if (body !== undefined) this.#body = encode(body.content, body.tag);
  }

  /** Media type without parameters; undefined without a body. */
  get mediaType(): string | undefined {
    return this.#contentType?.split(";", 1)[0];
  }

  get size(): number {
    return this.#body?.bytes.length ?? 0;
  }

  /** The same reply, but only the client may keep it. A method would make `Content` invariant in unions of replies. */
  static toPrivate<Content>(reply: Reply<Content>): Reply<Content> {
    const options: ReplyOptions = { ...reply.#options, cacheControl: "private, no-cache" };
    if (reply.#contentType === undefined || reply.#body === undefined) return new Reply(options);
    return new Reply(options, { contentType: reply.#contentType, content: reply.#body.bytes });
  }

  /** Whether a compressed body is offered to clients that accept one. */
  get isCompressible(): boolean {
    return this.size >= WORTH_COMPRESSING_BYTES && COMPRESSIBLE.test(this.#contentType ?? "");
  }

  /** The reply with a status, compressed or not. */
  represent(status: number, compressed: boolean): Representation {
    if (status !== 200) return this.#createRepresentation(status, compressed);
    const at = compressed ? 1 : 0;
    this.#representations[at] ??= this.#createRepresentation(status, compressed);
    return this.#representations[at];
  }

  #createRepresentation(status: number, compressed: boolean): Representation {
    const sent = compressed ? this.#gzip() : this.#body;
    const head = this.#createHead(status, sent);
    const open = this.#open;
    let times = 0;
    let pattern: Response | undefined;
    return {
      head,
      createResponse() {
        if (open !== undefined) return new Response(open(), { status, headers: head });
        times += 1;
        if (times === 1) return new Response(sent?.bytes ?? null, { status, headers: head });
        // A clone of a response with a Blob shares its bytes, and is cheaper than a new response.
        pattern ??= new Response(sent === undefined ? null : new Blob([sent.bytes]), {
          status,
          headers: head,
        });
        // The type of `clone()` is not Bun's Response.
        return pattern.clone() as Response;
      },
    };
  }

  #gzip(): Encoded | undefined {
    if (this.#body === undefined) return undefined;
    const { bytes, etag } = this.#body;
    this.#gzipped ??= { bytes: Bun.gzipSync(bytes), etag: `${etag.slice(0, -1)}-gzip"` };
    return this.#gzipped;
  }

  #createHead(status: number, sent: Encoded | undefined): Headers {
    const { cacheControl, shared, policy, languages, headers } = this.#options;
    const head = new Headers({ "cache-control": cacheControl, ...securityHeaders(policy), ...headers });
    if (shared) allowOtherSites(head);
    if (shared && this.#contentType !== undefined) head.append("link", SERVICE_DESCRIPTION);
    if (languages !== undefined) head.set("content-language", languages.join(", "));
    if (this.#contentType !== undefined && sent === undefined) head.set("content-type", this.#contentType);
    if (this.#contentType === undefined || sent === undefined) return head;
    if (this.isCompressible) head.append("vary", "Accept-Encoding");
    if (sent !== this.#body) head.set("content-encoding", "gzip");
    if (status === 200 && cacheControl !== "no-store") head.set("etag", sent.etag);
    head.set("content-type", this.#contentType);
    head.set("content-length", String(sent.bytes.length));
    return head;
  }
}

function encode(content: string | Uint8Array, tag?: string): Encoded {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content);
  // The tag must be equal in every process. No attacker gains from equal tags: a fast hash is enough.
  const tagged = tag ?? bytes;
  const halves = [Bun.hash.xxHash64(tagged), Bun.hash.xxHash64(tagged, 1n)];
  const hash = halves.map((half) => half.toString(36).padStart(13, "0")).join("");
  return { bytes, etag: `${tag === undefined ? "" : "W/"}"${hash}"` };
}

type Options = Partial<Omit<ReplyOptions, "policy">> & { readonly tag?: string };

/** A JSON document. By default scripts of any site may read it, and only the client may keep it. */
export function jsonReply<Document>(document: Document, options: Options = {}): Reply<Document> {
  return bodyReply(JSON.stringify(document), "application/json", options);
}

function bodyReply<Content>(content: string, mediaType: string, { tag, ...options }: Options) {
  return new Reply<Content>(
    { cacheControl: "private, no-cache", shared: true, ...options },
    { contentType: `${mediaType}; charset=utf-8`, content, tag },
  );
}

/** A text of a media type; defaults as in {@link jsonReply}. */
export function textReply(text: string, options: Options = {}, mediaType = "text/plain"): Reply<"text"> {
  return bodyReply(text, mediaType, options);
}

/** A web page. Scripts of other sites never read it. Without `policy`, scripts run only if the page names one. */
export function pageReply(
  page: string,
  { tag, ...options }: Omit<ReplyOptions, "shared"> & { readonly tag?: string },
): Reply<"page"> {
  return new Reply(
    { policy: policyOfPage(page), ...options, shared: false },
    { contentType: "text/html; charset=utf-8", content: page, tag },
  );
}

/** A reply without a body. */
export function emptyReply(options: Options = {}): Reply<"empty"> {
  return new Reply({ cacheControl: "no-store", shared: false, ...options });
}

/** A 204 (No Content) with headers, as a handler returns it. */
export function noContent(
  headers: Readonly<Record<string, string>>,
): ElysiaCustomStatusResponse<204, Reply<"empty">> {
  return withStatus(204, emptyReply({ headers }));
}

/** Elysia drops the body and the headers of a 204 and of a 308, so they are set again. */
function withStatus<const Code extends 204 | 308>(code: Code, reply: Reply<"empty">) {
  const response = new ElysiaCustomStatusResponse(code, reply);
  response.response = reply;
  return response;
}

/** Redirects to another path of this site, with the query as it was sent, as a handler returns it. */
export function redirect(path: string, request: { readonly url: string }) {
  return withStatus(308, emptyReply({ headers: { location: addQuery(path, request) } }));
}

/** A path with the query of a request, as it was sent. */
export function addQuery(path: string, { url }: { readonly url: string }): string {
  const mark = url.indexOf("?");
  return path + (mark < 0 ? "" : url.slice(mark));
}

/** A handler with one reply for each language. It is made by the first request, when the base URL is known. */
export function once<Content>(create: (language: Language) => Reply<Content>) {
  const replies = new Map<Language, Reply<Content>>();
  return ({ requestContext: { language } }: { readonly requestContext: { readonly language: Language } }) => {
    const reply = replies.get(language) ?? create(language);
    replies.set(language, reply);
    return reply;
  };
}

/** Makes a value at most every `lifeMs` milliseconds; all who ask meanwhile share it. */
export function makeEvery<Value>(
  lifeMs: number,
  now: () => number,
  make: () => Promise<Value>,
): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  let madeAt: number | undefined;
  return () => {
    if (value !== undefined && isRecent(madeAt, now(), lifeMs)) return value;
    madeAt = now();
    value = make();
    return value;
  };
}
