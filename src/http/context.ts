import type { Address } from "#address";
import type { Log, StartTimer } from "#common";
import type { Admissions, ClientNames, ClientRules, RateWindow } from "#limits";
import type { ServiceLimits } from "#locale";
import type { Answer, FindKnown, FindKnownSync, Lookup, TableClassifier } from "#lookup";
import type { Networks } from "#network";
import type { FamilyOrigins } from "#render";
import type { Assessment, Conclusion, Method, ProblemCode, Vote } from "#report";
import type { Passes, Verification } from "#verification";
import type { WatchEvent } from "#watch";

/** The formats of an error, and of most answers. */
export type Format = "json" | "text" | "page";

/** Whether the service can answer, and the checks that decide it. `detail` goes to the log, never to a client. */
export interface Readiness {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, ReadinessCheck>>;
}

/** One check. `lagSeconds` and `frame`: how far a mirror is behind its primary, and the last page that it has. */
export interface ReadinessCheck {
  readonly ok: boolean;
  readonly detail?: string;
  readonly lagSeconds?: number;
  readonly frame?: number;
}

/** A file of the web pages: its bytes, and its media type with charset. */
export interface StaticFile {
  readonly body: Uint8Array | string;
  readonly contentType: string;
}

/** The repository of ratings. */
export interface Votes {
  /** Stores a vote; a later one of the same voter, address, use and day replaces it. */
  save(vote: Vote): Promise<void>;
  /** All ratings of an address. */
  read(address: string): Promise<Answer["votes"]>;
}

/** The history of the stored reports. */
export interface History {
  /**
   * Newest first, 50 at most; undefined when there is nothing to read yet: a mirror without its first copy. Rejects when
   * the database cannot be read.
   */
  history(address: string): Promise<readonly Conclusion[] | undefined>;
}

/** The metrics of this process. */
export interface MetricsPort {
  readonly contentType: string;
  readonly write: () => Promise<string>;
  /** A caller with this token may read them from anywhere. Absent = only callers on this machine, without a proxy. */
  readonly token?: string;
}

/** One finished request. The receiver must not log or publish `clientKey` itself. */
export interface SeenRequest {
  /** The id in the answer and in every log line about the request. */
  readonly id: string;
  /** Pattern of the route, never the path; "unmatched" when no route matches. */
  readonly route: string;
  readonly method: string;
  readonly format: Format;
  readonly status: number;
  /** Time until the head of the answer, in milliseconds. */
  readonly ms: number;
  readonly clientKey: string;
  readonly code?: ProblemCode;
  /** Why the request was refused: a limit or a condition, from a closed set. */
  readonly reason?: string;
}

/** Counts and logs requests. Its methods must not throw. */
export interface RequestWatch {
  /** A monotonic clock in milliseconds. */
  readonly clock: () => number;
  /** Receives every route pattern once, when the app is built. */
  readonly route: (pattern: string) => void;
  readonly request: (seen: SeenRequest) => void;
  /** Receives a function that reads the size of the cache of replies. */
  readonly replies: (read: () => { readonly entries: number; readonly bytes: number }) => void;
}

/** What is known of addresses, and how to find out more. */
export interface Reports {
  readonly lookup: Lookup;
  readonly findKnown: FindKnown;
  /** Finds an address in memory, without waiting. Absent = every request goes through the lookup. */
  readonly findKnownSync?: FindKnownSync;
  readonly history: History;
  /** Whether this service queries live sources. If it does, an answer without any live source proves nothing. */
  readonly live: boolean;
  /** Present on a mirror. `primaryUrl` is the origin of the full service. */
  readonly mirror?: { readonly primaryUrl?: string };
  /** Judges addresses by the local tables alone, at once. The tables of a mirror know special-purpose addresses only. */
  readonly classifier: TableClassifier;
  /** Summaries of prefixes and AS from the local tables alone. Absent on a mirror, which has no tables. */
  readonly networks?: Networks;
  /** Assesses an address from the local tables alone, for pictures and examples. Starts no survey. */
  readonly assessTables: (address: Address) => Promise<Assessment>;
}

/** Who asks, and what a client may do. */
export interface Clients {
  readonly clientRules: ClientRules;
  /** The limit of all lookups of one client. */
  readonly lookupWindow: RateWindow;
  readonly admissions: Pick<Admissions, "remaining">;
  readonly limits: ServiceLimits;
  /** E-mail address or URL of the operator, for people who need more than the limits allow. */
  readonly contact?: string;
  readonly verification: Verification;
  readonly passes: Passes;
  readonly clientNames: ClientNames;
  readonly votes: Votes;
  /** Finds the address of the TCP peer if there is no server, as in tests. */
  readonly peer?: (request: Request) => string | undefined;
}

/** What the pages show beside reports. */
export interface Site {
  /** Public origin of every link, without a trailing slash. It is final when the first request arrives. */
  readonly baseUrl: string;
  /** Version of the program, not of the interface. */
  readonly version: string;
  /** How the score is computed, for the page that explains it. */
  readonly method: Method;
  /** Pages where a blocklist explains or removes an entry, by zone id; `{ip}` stands for the address. */
  readonly delistUrls: ReadonlyMap<string, string>;
  readonly staticFiles: (name: string) => StaticFile | undefined;
  /** Draws as PNG the SVG that a function returns. Returns undefined if too many drawings wait. */
  readonly drawPng: (renderSvg: () => string | Promise<string>) => Promise<Uint8Array | undefined>;
  /** Memory for finished replies. */
  readonly replyCacheBytes: number;
  /** Where pages ask for the visitor's addresses of both families. Absent = they show the one that the request has. */
  readonly families?: FamilyOrigins;
  /** The addresses whose reports the sitemap lists. */
  readonly sitemapAddresses: readonly Address[];
}

/** The process that serves: its clock, log, metrics and state. */
export interface Operation {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: Log;
  readonly ready: () => Promise<Readiness>;
  /** Absent = requests are not counted. */
  readonly watch?: RequestWatch;
  /** Absent = `/metrics` does not exist. */
  readonly metrics?: MetricsPort;
  /** The changes of watched addresses, newest first. Absent = no address is watched. */
  readonly watched?: { readEvents(limit: number, address?: string): Promise<readonly WatchEvent[]> };
  /** Returns printable ASCII without spaces. */
  readonly newRequestId: () => string;
  /** Calls `then` every `ms` milliseconds until the returned function is called. */
  readonly every: StartTimer;
}

/** Everything that the HTTP interface needs from outside. A function takes only the parts that it uses. */
export interface HttpContext extends Reports, Clients, Site, Operation {}
