import { Resolver } from "node:dns/promises";
import { type DnsAnswer, raceAbort, UpstreamError, type UpstreamErrorKind } from "./upstream.ts";

export type DnsRecordType = "A" | "AAAA" | "TXT" | "PTR";

const MAX_RECORDS = 64;
const MAX_NAME_CHARACTERS = 255;
const MAX_TEXT_BYTES = 4096;
/** A character-string of a TXT record has at most this many bytes (RFC 1035 section 3.3). */
const FULL_STRING_BYTES = 255;

/**
 * When a query without an answer is sent again, in milliseconds after it was first sent. A third of the packets may be
 * lost, and sources have two to three seconds.
 */
const RESENT_AT_MS = [400, 900, 1500] as const;

/** A query has failed after this time. */
const QUERY_MS = 2500;
const NO_ANSWER = ["timeout", "no answer in time"] as const;

/**
 * Creates a client of DNS; no other code in the program uses resolvers. No answer of an earlier survey is reused: a resolver gets the same query only once. A
 * resolver has one query at a time, because `cancel` ends all its queries, and because a failed query affects the
 * others on the same connection. A resolver with a failed query is not used again. A query without an answer is sent
 * again by another resolver, because Bun looks for lost packets only once a second; the first result counts.
 */
export function createDnsClient(servers: readonly string[] | undefined, now: () => number) {
  const pool = createResolverPool(servers, now);

  /** @throws {UpstreamError} for anything but records, NXDOMAIN or NODATA */
  async function ask(type: DnsRecordType, name: string, signal: AbortSignal): Promise<DnsAnswer<string>> {
    if (!isName(name)) throw new UpstreamError("refused", "not a name that can be asked");
    const running = new Set<Resolver>();

    async function sendOnce(): Promise<DnsAnswer<string>> {
      const pooled = pool.take(`${type} ${name.toLowerCase()}`);
      running.add(pooled.resolver);
      const answer = await resolve(pooled.resolver, type, name, signal);
      // A resolver with a failed or cancelled query stays in the set and is cancelled below.
      running.delete(pooled.resolver);
      pool.put(pooled);
      return answer;
    }

    const result = Promise.withResolvers<DnsAnswer<string>>();
    // A resolver that gives up early does not end the query: the next one may be answered.
    const fail = (error: unknown) => {
      const isTimeout = error instanceof UpstreamError && error.kind === "timeout";
      if (signal.aborted || !isTimeout) result.reject(error);
    };
    const send = () => void sendOnce().then(result.resolve, fail);
    const timers = RESENT_AT_MS.map((ms) => setTimeout(send, ms));
    const timeLimit = setTimeout(() => result.reject(new UpstreamError(...NO_ANSWER)), QUERY_MS);
    const cancel = () => {
      for (const resolver of running) resolver.cancel();
    };
    signal.addEventListener("abort", cancel, { once: true });
    try {
      send();
      return await result.promise;
    } finally {
      for (const timer of timers) clearTimeout(timer);
      clearTimeout(timeLimit);
      signal.removeEventListener("abort", cancel);
      cancel();
    }
  }

  return { ask };
}

const MAX_IDLE = 64;
/** A survey asks a resolver about once, so this is about as many surveys. */
const MAX_ASKED = 256;
/** A resolver reads the system's servers when it is opened, and they may change. */
const MAX_AGE_MS = 60_000;
/** A resolver asks the next server after one second, and accepts a late answer of an earlier one for three seconds. */
const PACKET = { timeout: 1000, tries: 2 } as const;

/**
 * Keeps idle resolvers over these servers, because opening one takes longer than a query. Absent or empty = the
 * system's servers.
 */
function createResolverPool(servers: readonly string[] | undefined, now: () => number) {
  type PooledResolver = ReturnType<typeof open>;
  const idle: PooledResolver[] = [];

  function open() {
    const resolver = new Resolver(PACKET);
    if (servers !== undefined && servers.length > 0) resolver.setServers([...servers]);
    return { resolver, asked: new Set<string>(), openedAtMs: now() };
  }

  function isUsable({ asked, openedAtMs }: PooledResolver): boolean {
    const ageMs = now() - openedAtMs;
    return asked.size < MAX_ASKED && ageMs >= 0 && ageMs < MAX_AGE_MS;
  }

  function find(question: string): PooledResolver | undefined {
    for (let at = idle.length - 1; at >= 0; at -= 1) {
      const pooled = idle[at];
      if (pooled === undefined || pooled.asked.has(question)) continue;
      idle.splice(at, 1);
      if (isUsable(pooled)) return pooled;
    }
    return undefined;
  }

  return {
    /** Takes a resolver that never got this query, because a resolver caches its answers. */
    take(question: string): PooledResolver {
      const pooled = find(question) ?? open();
      pooled.asked.add(question);
      return pooled;
    },
    /** Puts a resolver back after the answer to its query. */
    put(pooled: PooledResolver): void {
      if (idle.length < MAX_IDLE && isUsable(pooled)) idle.push(pooled);
    },
  };
}

/** Whether a name can be asked: the sizes of RFC 1035 section 2.3.4, and the characters of host names and service labels. */
function isName(name: string): boolean {
  return name.length <= 253 && /^(?:[A-Za-z0-9_-]{1,63}\.)*[A-Za-z0-9_-]{1,63}$/.test(name);
}

async function resolve(
  resolver: Resolver,
  type: DnsRecordType,
  name: string,
  signal: AbortSignal,
): Promise<DnsAnswer<string>> {
  try {
    return toAnswer(type, await raceAbort(send(resolver, type, name), signal));
  } catch (error) {
    return toNotFound(error);
  }
}

async function send(resolver: Resolver, type: DnsRecordType, name: string): Promise<readonly string[]> {
  switch (type) {
    case "A":
      return resolver.resolve4(name);
    case "AAAA":
      return resolver.resolve6(name);
    case "PTR":
      return resolver.resolvePtr(name);
    case "TXT":
      return joinTexts(await resolver.resolveTxt(name));
  }
}

/**
 * Gives one string for each record. Bun returns every character-string as a record of its own, so a full one is joined
 * with the next one. A record whose strings are shorter results in several strings.
 */
function joinTexts(records: readonly (readonly string[])[]): readonly string[] {
  const joined: string[] = [];
  let isOpen = false;
  for (const strings of records) {
    const text = strings.join("");
    const last = joined.length - 1;
    if (isOpen && last >= 0) joined[last] += text;
    else joined.push(text);
    isOpen = Buffer.byteLength(strings.at(-1) ?? "") === FULL_STRING_BYTES;
  }
  return joined;
}

function toAnswer(type: DnsRecordType, records: readonly string[]): DnsAnswer<string> {
  if (records.length === 0) {
    // Bun gives no records, and no error, only when the answer has aliases without the record at their end.
    if (type === "A") throw new UpstreamError("unavailable", "alias without an address");
    return { found: false };
  }
  if (records.length > MAX_RECORDS) throw new UpstreamError("too_large", `more than ${MAX_RECORDS} records`);
  const isTooLong = (record: string) =>
    type === "TXT" ? Buffer.byteLength(record) > MAX_TEXT_BYTES : record.length > MAX_NAME_CHARACTERS;
  if (records.some(isTooLong)) throw new UpstreamError("too_large", "record too long");
  return { found: true, records };
}

/** The errors by the codes of c-ares for RFC 1035 section 4.1.1. */
const ERRORS = new Map<string, readonly [kind: UpstreamErrorKind, detail: string]>([
  ["ESERVFAIL", ["status", "SERVFAIL"]],
  ["EFORMERR", ["status", "FORMERR"]],
  ["ENOTIMP", ["status", "NOTIMP"]],
  ["EREFUSED", ["refused", "REFUSED"]],
  ["ECONNREFUSED", ["refused", "connection refused"]],
  ["ETIMEOUT", NO_ANSWER],
  ["ECANCELLED", NO_ANSWER],
  ["EBADRESP", ["shape", "malformed DNS answer"]],
]);

/**
 * Reads the error of a query: "no such name" is an answer, every other error is thrown. Bun gives ENOTFOUND for NODATA
 * too.
 */
function toNotFound(error: unknown): DnsAnswer<string> {
  if (error instanceof UpstreamError) throw error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOTFOUND" || code === "ENODATA") return { found: false };
  throw new UpstreamError(...(ERRORS.get(code) ?? (["refused", "DNS question failed"] as const)));
}
