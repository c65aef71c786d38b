import type { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import { raceAbort } from "./abort.ts";
import { createResolverShelf } from "./resolver_shelf.ts";
import type { DnsAnswer } from "./upstream.ts";
import { UpstreamError } from "./upstream_error.ts";

/** Asks DNS questions. The only user of DNS resolvers in the program. */
export interface DnsClient {
  /** @throws {UpstreamError} for anything but records, NXDOMAIN or NODATA */
  ask(type: DnsRecordType, name: string, signal: AbortSignal): Promise<DnsAnswer<string>>;
}

/** The record types we ask for. */
export type DnsRecordType = "A" | "AAAA" | "TXT" | "PTR";

const MAX_RECORDS = 64;
const MAX_NAME_CHARACTERS = 255;
const MAX_TEXT_BYTES = 4096;
/** A character-string of a TXT record holds at most this much (RFC 1035 §3.3). */
const FULL_STRING_BYTES = 255;

/**
 * Creates a {@link DnsClient}. Nothing an earlier survey heard is remembered: a resolver is asked the same question
 * once in its life. Each has one question under way, for `cancel` ends all questions of a resolver, and what goes wrong
 * with one question of a connection befalls the others. Whatever had trouble is not asked again.
 */
export function createDnsClient(servers: readonly string[] | undefined, now: () => number): DnsClient {
  const shelf = createResolverShelf(servers, now);

  async function ask(type: DnsRecordType, name: string, signal: AbortSignal): Promise<DnsAnswer<string>> {
    if (!isName(name)) throw new UpstreamError("refused", "not a name that can be asked");
    const kept = shelf.take(`${type} ${name.toLowerCase()}`);
    const { resolver } = kept;
    const cancel = () => resolver.cancel();
    signal.addEventListener("abort", cancel, { once: true });
    try {
      const answer = await resolve(resolver, type, name, signal);
      shelf.put(kept);
      return answer;
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  }

  return { ask };
}

/**
 * Reads a list of `host:port`, `[v6]:port` or bare addresses.
 * @throws {Error} naming the first that is none
 */
export function parseDnsServers(servers: readonly string[]): readonly string[] {
  return servers.map((server) => {
    const match = /^(?:\[([^\]]+)\]|([^:]+)|([^[\]]+:[^[\]]*))(?::(\d{1,5}))?$/.exec(server.trim());
    const host = match?.[1] ?? match?.[2] ?? match?.[3] ?? "";
    const port = Number(match?.[4] ?? 53);
    const version = isIP(host);
    if (version === 0 || host.includes("%") || port < 1 || port > 65535) {
      throw new Error(`Cannot use DNS server "${server}": it must be ADDRESS:PORT, IPv6 in brackets`);
    }
    return version === 6 ? `[${host}]:${port}` : `${host}:${port}`;
  });
}

/** RFC 1035 §2.3.4 sizes, and the letters host names and service labels are made of. */
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
    return judge(type, await raceAbort(send(resolver, type, name), signal));
  } catch (error) {
    return judgeError(error);
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
 * One string a record. Bun hands every character-string over as a record of its own, so a full one is taken
 * to go on in the next; a record split earlier than that comes out as several.
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

function judge(type: DnsRecordType, records: readonly string[]): DnsAnswer<string> {
  if (records.length === 0) return { found: false };
  if (records.length > MAX_RECORDS) throw new UpstreamError("too_large", `more than ${MAX_RECORDS} records`);
  const isTooLong = (record: string) =>
    type === "TXT" ? Buffer.byteLength(record) > MAX_TEXT_BYTES : record.length > MAX_NAME_CHARACTERS;
  if (records.some(isTooLong)) throw new UpstreamError("too_large", "record too long");
  return { found: true, records };
}

/** RFC 1035 §4.1.1 response codes as c-ares names them; Bun says ENOTFOUND for NODATA too. */
function judgeError(error: unknown): DnsAnswer<string> {
  if (error instanceof UpstreamError) throw error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  switch (code) {
    case "ENOTFOUND":
    case "ENODATA":
      return { found: false };
    case "ESERVFAIL":
      throw new UpstreamError("status", "SERVFAIL");
    case "EFORMERR":
      throw new UpstreamError("status", "FORMERR");
    case "ENOTIMP":
      throw new UpstreamError("status", "NOTIMP");
    case "EREFUSED":
      throw new UpstreamError("refused", "REFUSED");
    case "ECONNREFUSED":
      throw new UpstreamError("refused", "connection refused");
    case "ETIMEOUT":
    case "ECANCELLED":
      throw new UpstreamError("timeout", "no answer in time");
    case "EBADRESP":
      throw new UpstreamError("shape", "malformed DNS answer");
    default:
      throw new UpstreamError("refused", "DNS question failed");
  }
}
