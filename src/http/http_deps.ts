import type { Admissions, ClientLimits, ClientNames, ClientRules } from "#limits";
import type { Answer, FindKnown, FindKnownNow, Lookup } from "#lookup";
import type { Method } from "#report";
import type { Passes, Verification } from "#verification";
import type { RequestWatch } from "./request_watch.ts";

/** Whether the service can answer, and what that was judged by. `detail` goes to the log, never to the public. */
export interface Readiness {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, ReadinessCheck>>;
}

/** One of them. `lagSeconds` and `frame`: how far a mirror is behind its primary, and the last page it has of it. */
export interface ReadinessCheck {
  readonly ok: boolean;
  readonly detail?: string;
  readonly lagSeconds?: number;
  readonly frame?: number;
}

/** A file of the page: its bytes, and its media type with charset. */
export interface StaticFile {
  readonly body: Uint8Array | string;
  readonly contentType: string;
}

/** One visitor's rating of an address for a use; `voter` stands for one client on one day (UTC, since the epoch). */
export interface Ballot {
  readonly address: string;
  readonly scenario: string;
  readonly voter: string;
  readonly day: number;
  readonly rating: number;
}

/** Where ratings are kept, and shown from then on. */
export interface Ballots {
  /** Keeps a rating; a later one of the same voter, address, use and day replaces it. */
  cast(ballot: Ballot): Promise<void>;
  /** All ratings of an address. */
  read(address: string): Promise<Answer["votes"]>;
}

/** One earlier conclusion about an address. */
export interface Conclusion {
  /** Milliseconds since the epoch. */
  readonly surveyedAt: number;
  readonly purity: number;
  readonly band: string;
  readonly scoringVersion: number;
}

/** What is kept of addresses beside their reports; both reject when the database cannot be read. */
export interface Shelf {
  /** Newest first, 50 at most. */
  history(address: string): Promise<readonly Conclusion[]>;
  /** Addresses with a stored report, those asked about last first. */
  newest(limit: number): Promise<readonly { readonly address: string; readonly surveyedAt: number }[]>;
}

/** The limits in force, to be told; those of the client count by IPv4 address or IPv6 /64. */
export interface ServiceLimits {
  readonly lookupsPerMinute: number;
  readonly newPerMinute: number;
  readonly refreshPerMinute: number;
  readonly openPerDay: number;
  readonly openPerMinute: number;
  readonly openDailyTotal: number;
}

/** The metrics of this process, and who may read them. */
export interface MetricsPort {
  readonly contentType: string;
  readonly write: () => Promise<string>;
  /** Whoever knows it may read from anywhere; absent = callers on this machine may, who came through no proxy. */
  readonly token?: string;
}

/** What the shell stands on; everything that reaches outside enters here. */
export interface HttpDeps {
  readonly lookup: Lookup;
  readonly findKnown: FindKnown;
  /** The lookup's own memory, asked before it; absent = the lookup is asked right away. */
  readonly findKnownNow?: FindKnownNow;
  readonly shelf: Shelf;
  /** Whether live sources are asked at all; where they are, an answer that none stands behind decides nothing. */
  readonly live: boolean;
  /** Present on a mirror, which knows only what it holds; `primaryUrl` is the origin of the full service. */
  readonly mirror?: { readonly primaryUrl?: string };
  readonly clientLimits: Pick<ClientLimits, "lookups">;
  readonly admissions: Pick<Admissions, "remaining">;
  readonly verification: Verification;
  readonly passes: Passes;
  readonly clientNames: ClientNames;
  readonly ballots: Ballots;
  readonly clientRules: ClientRules;
  readonly limits: ServiceLimits;
  /** How the score is made, for the page that tells it. */
  readonly method: Method;
  /** Pages where a blocklist explains or removes an entry, by zone id; `{ip}` stands for the address. */
  readonly delistUrls: ReadonlyMap<string, string>;
  /** Public origin of every link, without a trailing slash; settled at the latest when the first request comes. */
  readonly baseUrl: string;
  /** Version of the program, not of the interface. */
  readonly version: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly ready: () => Promise<Readiness>;
  readonly log: (
    level: "debug" | "info" | "warn" | "error",
    event: string,
    fields?: Record<string, unknown>,
  ) => void;
  /** Told of every request as it ends; absent = nobody counts. */
  readonly watch?: RequestWatch;
  /** What `/metrics` shows; absent = nothing, to nobody. */
  readonly metrics?: MetricsPort;
  /** Printable ASCII without blanks. */
  readonly newRequestId: () => string;
  readonly staticFiles: (name: string) => StaticFile | undefined;
  /** Address of the TCP peer where there is no server to ask it of. */
  readonly peer?: (request: Request) => string | undefined;
  /** Calls back every `ms` until the returned function is called. Absent = the process's own timers. */
  readonly every?: (ms: number, then: () => void) => () => void;
}
