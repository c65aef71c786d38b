/** An HTTP question. `url` is https and its host must be on the allow-list. */
export interface HttpQuestion {
  readonly url: string;
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** How the body is read: parsed JSON (bounded in bytes and depth), UTF-8 text, or bytes (content coding undone). */
  readonly as: "json" | "text" | "bytes";
  /** Statuses whose body is an answer, besides 200 (some sources say "no data" with 404). */
  readonly statuses?: readonly number[];
  /**
   * Content types accepted, by prefix; default `application/json`, `application/rdap+json` for json, `text/` for
   * text, and for bytes anything that is no web page.
   */
  readonly contentTypes?: readonly string[];
  readonly maxBytes?: number;
  readonly maxDepth?: number;
  /** Redirects followed, https and allow-listed hosts only; default 0. */
  readonly redirects?: number;
  /** Keep a 200 answer in memory this long and share it between surveys (bootstrap files). */
  readonly cacheMs?: number;
}

/** What came back. `body` is `unknown` for json, a string for text, a `Uint8Array` for bytes. `url` is where it came from after redirects. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  readonly url: string;
  /** How long it asked us to wait before the next question, whatever its status. */
  readonly retryAfterMs?: number;
}

/** A DNS answer; `found: false` is NXDOMAIN or NODATA. Everything else that is not an answer throws. */
export type DnsAnswer<Record> =
  | { readonly found: true; readonly records: readonly Record[] }
  | { readonly found: false };

/** Who asks, to a pool whose places are all taken. One for all questions of a source in one survey. */
export interface Turn {
  /** Where its next question stands in line: 0 goes before 1 and so on, within one first come first served. */
  readonly rank: 0 | 1 | 2 | 3 | 4;
  /** A question of it has to wait for a place. */
  waits(): void;
  /** A question of it has got a place. */
  begins(): void;
}

/**
 * Questions a source may put to the world during one survey. Every method throws {@link UpstreamError}. Who asks
 * without a `turn` stands in line with rank 1.
 */
export interface Upstream {
  http(question: HttpQuestion, signal: AbortSignal, turn?: Turn): Promise<HttpAnswer>;
  a(name: string, signal: AbortSignal, turn?: Turn): Promise<DnsAnswer<string>>;
  aaaa(name: string, signal: AbortSignal, turn?: Turn): Promise<DnsAnswer<string>>;
  /** One string a record: its character-strings joined. */
  txt(name: string, signal: AbortSignal, turn?: Turn): Promise<DnsAnswer<string>>;
  ptr(name: string, signal: AbortSignal, turn?: Turn): Promise<DnsAnswer<string>>;
}
