import { isOurs, linkAbort, raceAbort } from "./abort.ts";
import { createDnsClient, type DnsRecordType, parseDnsServers } from "./dns_client.ts";
import { createHttpClient } from "./http_client.ts";
import { createPool } from "./pool.ts";
import { createSharedAnswers } from "./shared_answers.ts";
import { parseGateway } from "./target.ts";
import type { DnsAnswer, HttpQuestion, Turn, Upstream } from "./upstream.ts";
import { UpstreamError, type UpstreamErrorKind } from "./upstream_error.ts";

/** The world outside, opened once for the life of the process. */
export interface World {
  /** Opens a session for one survey; `signal` is the survey's deadline and ends everything it asks. */
  open(signal: AbortSignal): UpstreamSession;
  /** Ends every session and shared fetch. */
  close(): void;
}

/** What one survey asks with: a bounded pool over HTTP and DNS together, and no memory of what DNS said before. */
export interface UpstreamSession extends Upstream {
  /**
   * Whether the resolver has shown a single record within the last hour. One that denies every name says nothing:
   * its NXDOMAIN is no answer.
   */
  readonly resolverSpeaks: boolean;
  /** Ends what is under way and releases sockets, timers and listeners. Every survey must call it. */
  close(): void;
}

/** How the world may be asked. */
export interface WorldOptions {
  /** HTTPS hosts that may be asked, in any case; everything else is refused. */
  readonly hosts: Iterable<string>;
  /** Egress gateway: a request for `https://HOST/PATH?QUERY` is sent to `GATEWAY/HOST/PATH?QUERY`. */
  readonly gateway?: string;
  /** `ADDRESS:PORT`, IPv6 in brackets; absent or empty = the system's. */
  readonly dnsServers?: readonly string[];
  readonly userAgent: string;
  /** Questions a session has under way at most. */
  readonly poolSize: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Told how each question ended, but for those that this side ended; "no such name" is an answer. Must not throw. */
  readonly onAsked?: (transport: "http" | "dns", outcome: "answered" | UpstreamErrorKind) => void;
}

const MAX_SHARED_ANSWERS = 32;
const RESOLVER_TRUSTED_MS = 3_600_000;

/**
 * Opens the {@link World}.
 * @throws {Error} when the gateway, a DNS server or the pool size is unusable
 */
export function createWorld(options: WorldOptions): World {
  if (!Number.isInteger(options.poolSize) || options.poolSize < 1) {
    throw new Error(`Cannot open a pool of "${options.poolSize}": it must be a whole number from 1`);
  }
  const client = createHttpClient({
    hosts: new Set([...options.hosts].map((host) => host.toLowerCase())),
    gateway: options.gateway === undefined ? undefined : parseGateway(options.gateway),
    userAgent: options.userAgent,
    now: options.now,
  });
  const dnsServers = options.dnsServers === undefined ? undefined : parseDnsServers(options.dnsServers);
  const dns = createDnsClient(dnsServers, options.now);
  const end = new AbortController();
  const shared = createSharedAnswers(options.now, MAX_SHARED_ANSWERS, end.signal);
  const sessions = new Set<UpstreamSession>();
  let recordsHeardAtMs = Number.NEGATIVE_INFINITY;

  function open(signal: AbortSignal): UpstreamSession {
    const ending = new AbortController();
    const unlinkSurvey = linkAbort(ending, [signal, end.signal]);
    const pool = createPool(options.poolSize);
    const questions = new Set<AbortController>();
    ending.signal.addEventListener("abort", () => {
      for (const own of questions) own.abort(ending.signal.reason);
    });

    /** One question: its turn in the pool, and an end when its own signal, the survey's or the session's fires. */
    async function take<T>(
      transport: "http" | "dns",
      asked: AbortSignal,
      turn: Turn | undefined,
      work: (signal: AbortSignal) => Promise<T>,
    ): Promise<T> {
      const own = new AbortController();
      if (ending.signal.aborted) own.abort(ending.signal.reason);
      const unlink = linkAbort(own, [asked]);
      questions.add(own);
      try {
        const answer = await pool.run(() => raceAbort(work(own.signal), own.signal), own.signal, turn);
        options.onAsked?.(transport, "answered");
        return answer;
      } catch (error) {
        if (error instanceof UpstreamError && !isOurs(error)) options.onAsked?.(transport, error.kind);
        throw error;
      } finally {
        questions.delete(own);
        unlink();
      }
    }

    async function askDns(
      type: DnsRecordType,
      name: string,
      asked: AbortSignal,
      turn: Turn | undefined,
    ): Promise<DnsAnswer<string>> {
      const answer = await take("dns", asked, turn, (own) => dns.ask(type, name, own));
      if (answer.found) recordsHeardAtMs = options.now();
      return answer;
    }

    const session: UpstreamSession = {
      get resolverSpeaks() {
        return options.now() - recordsHeardAtMs < RESOLVER_TRUSTED_MS;
      },
      http: (question, asked, turn) =>
        take("http", asked, turn, (own) => {
          const key = sharedKey(question);
          const { cacheMs } = question;
          if (key === undefined || cacheMs === undefined) return client.ask(question, own);
          return shared.ask(key, cacheMs, (flight) => client.ask(question, flight), own);
        }),
      a: (name, asked, turn) => askDns("A", name, asked, turn),
      aaaa: (name, asked, turn) => askDns("AAAA", name, asked, turn),
      txt: (name, asked, turn) => askDns("TXT", name, asked, turn),
      ptr: (name, asked, turn) => askDns("PTR", name, asked, turn),
      close() {
        ending.abort();
        unlinkSurvey();
        sessions.delete(session);
      },
    };
    sessions.add(session);
    return session;
  }

  return {
    open,
    close() {
      end.abort();
      for (const session of sessions) session.close();
    },
  };
}

/** Only a plain GET is shared, and only with askers who would have sent and read the very same. */
function sharedKey(question: HttpQuestion): string | undefined {
  if (question.cacheMs === undefined || question.cacheMs <= 0) return undefined;
  if ((question.method ?? "GET") !== "GET" || question.body !== undefined) return undefined;
  const { cacheMs: _, ...rest } = question;
  return JSON.stringify(rest);
}
