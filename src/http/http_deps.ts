import type { ClientRules, Gate } from "#gate";
import type { Lookup } from "#lookup";
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

/** What the shell stands on; everything that reaches outside enters here. */
export interface HttpDeps {
  readonly lookup: Lookup;
  readonly gate: Gate;
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
}
