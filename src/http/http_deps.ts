import type { Admissions, ClientNames, ClientRules, Gate, Passes, Verification } from "#gate";
import type { Answer, Lookup } from "#lookup";
import type { Method } from "#report";

/** Whether the service can answer, and what that was judged by. `detail` goes to the log, never to the public. */
export interface Readiness {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, { readonly ok: boolean; readonly detail?: string }>>;
}

/** A file of the page: its bytes, and its media type with charset. */
export interface StaticFile {
  readonly body: Uint8Array | string;
  readonly contentType: string;
}

/** One visitor's rating of an address for a use; `voter` stands for one browser on one day (UTC, since the epoch). */
export interface Ballot {
  readonly address: string;
  readonly scenario: string;
  readonly voter: string;
  readonly day: number;
  readonly rating: number;
}

/** Where ratings are kept, and shown from then on. */
export interface Ballots {
  /** False, and nothing kept, when `mostVoters` others have rated that address for that use that day. */
  cast(ballot: Ballot, mostVoters: number): Promise<boolean>;
  /** All ratings of an address. */
  read(address: string): Promise<Answer["votes"]>;
}

/** What the shell stands on; everything that reaches outside enters here. */
export interface HttpDeps {
  readonly lookup: Lookup;
  readonly gate: Pick<Gate, "lookups">;
  readonly admissions: Admissions;
  readonly verification: Verification;
  readonly passes: Passes;
  readonly clientNames: ClientNames;
  readonly ballots: Ballots;
  readonly clientRules: ClientRules;
  /** How the score is made, for the page that tells it. */
  readonly method: Method;
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
  /** Printable ASCII without blanks. */
  readonly newRequestId: () => string;
  readonly staticFiles: (name: string) => StaticFile | undefined;
  /** Address of the TCP peer where there is no server to ask it of. */
  readonly peer?: (request: Request) => string | undefined;
  /** Calls back every `ms` until the returned function is called. Absent = the process's own timers. */
  readonly every?: (ms: number, then: () => void) => () => void;
}
