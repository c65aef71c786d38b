import type * as v from "valibot";
import type { Language } from "#report";
import type { DocumentName } from "./documents.ts";
import type { Shape } from "./exchange.ts";

/** Part of an OpenAPI document. */
export type Described = { readonly [name: string]: unknown };

/** What is described of one path and method, before it is written out. */
export interface Operation {
  readonly path: string;
  /** What is sent; with one the method is POST, and only pages of the site itself may send it. */
  readonly body?: { readonly document: DocumentName; readonly example: Described };
  readonly id: string;
  readonly tag: "Reports" | "Caller" | "Verification" | "Service";
  readonly summary: string;
  readonly description: string;
  readonly language: Language;
  readonly shape: Shape;
  readonly query?: v.GenericSchema;
  readonly limited?: true;
  /** May start a survey: with the open allowance, and a pass that lifts it. */
  readonly surveys?: true;
  /** What a check may be asked for, or how it may have ended: examples of a 403. */
  readonly reasons?: readonly string[];
  readonly security?: readonly Described[];
  /** No page of another site may read its answers, but that there is no such path. */
  readonly own?: true;
  /** Terminals are answered in text under the same path. */
  readonly alsoText?: true;
  readonly problems: readonly number[];
  /** Answers that are not problems, by status. */
  readonly answers: Described;
}

/** What every operation has that looks an address up. */
export const LOOKUP = {
  tag: "Reports",
  limited: true,
  surveys: true,
  problems: [400, 403, 404, 414, 429, 500, 503],
  reasons: ["client_day", "total_day", "refresh"],
  security: [{}, { pass: [] }],
} as const satisfies Partial<Operation>;
