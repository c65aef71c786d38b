import type { Client, LimitState } from "#limits";
import type { Language } from "#report";
import type { Query } from "./query.ts";

/** The forms an answer takes. */
export type Shape = "json" | "text" | "page";

/** What a request line asks for. */
export interface Line {
  /** As sent, undecoded. */
  readonly path: string;
  readonly query: Query;
  readonly language: Language;
  readonly shape: Shape;
}

/** One request, read once. */
export interface Exchange extends Line {
  readonly id: string;
  readonly request: Request;
  /** Pattern of the route, or what stands for none. */
  readonly route: string;
  /** Whether scripts of any site may read the answer. */
  readonly shared: boolean;
  readonly client: Client;
  /** Filled by admission while the request is answered; the latest word on a policy counts. */
  readonly limits: LimitState[];
  /** What the client has left of its open day; set on the routes of a report. */
  openLeft?: number;
}
