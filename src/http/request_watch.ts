import type { ProblemCode } from "#report";
import type { Shape } from "./exchange.ts";

/** One request as it ended. Whatever counts or logs it must not let `clientKey` out in clear. */
export interface SeenRequest {
  /** The name that its answer and every line of the log about it carry. */
  readonly id: string;
  /** Pattern of the route, never the path; "unmatched" for what is no route. */
  readonly route: string;
  readonly method: string;
  readonly shape: Shape;
  readonly status: number;
  /** To the head of the answer, milliseconds. */
  readonly ms: number;
  readonly clientKey: string;
  readonly code?: ProblemCode;
  /** What was used up or missing, from a closed set. */
  readonly reason?: string;
}

/** Who counts and logs requests. Must not throw. */
export interface RequestWatch {
  /** Milliseconds of a clock that never goes back. */
  readonly clock: () => number;
  /** Told every pattern once, when the interface is built. */
  readonly route: (pattern: string) => void;
  readonly request: (seen: SeenRequest) => void;
  /** Told where to read how much memory finished replies take. */
  readonly replies: (read: () => { readonly entries: number; readonly bytes: number }) => void;
}
