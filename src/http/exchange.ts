import type { Client } from "#gate";
import type { Language } from "#report";

/** The forms an answer takes. */
export type Shape = "json" | "text" | "page";

/** One limit that applied to a request: its name, quota per window, what is left, and when there will be more. */
export interface AppliedLimit {
  readonly policy: string;
  readonly quota: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

/** One request, read once. */
export interface Exchange {
  readonly id: string;
  readonly request: Request;
  /** As sent, undecoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly language: Language;
  readonly shape: Shape;
  readonly client: Client;
  /** Filled by admission while the request is answered. */
  readonly limits: AppliedLimit[];
}
