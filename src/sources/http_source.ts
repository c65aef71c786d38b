import * as v from "valibot";
import type { Address } from "#address";
import type { Observation } from "#evidence";
import type { HttpRequest } from "#upstream";
import { parseAnswer, statusError } from "./read_answer.ts";
import type { Source } from "./source.ts";

/** The parts of an HTTP source: metadata, a request, the fields of the answer, and what they mean. */
export interface HttpSourceParts<Schema extends v.GenericSchema>
  extends Omit<
    Source,
    "family" | "ask" | "read" | "local" | "zone" | "selfTest" | "hosts" | "versions" | "timeoutMs"
  > {
  /** Default: the id. */
  readonly family?: Source["family"];
  /** Default: both. */
  readonly versions?: Source["versions"];
  /** Default: 3 000. */
  readonly timeoutMs?: number;
  readonly hosts: readonly string[];
  /**
   * Builds the request; pure. Without other bounds its answer is JSON of {@link BOUNDS}. With a secret, the statuses 401
   * and 403 are accepted: they refuse the key.
   */
  readonly request: (address: Address, secret: string | undefined) => Omit<HttpRequest, "as">;
  /** Schema of the fields that are used, for the body of a 200. */
  readonly answer: Schema;
  /**
   * Reads the body of a 200; pure. `undefined` = the source has no record. Throws UpstreamError when the body is an
   * error.
   */
  readonly read: (answer: v.InferOutput<Schema>, address: Address) => Observation | undefined;
  /**
   * Schema of the 404 body that means "nothing known about this address". A 404 with any other body may come from a
   * proxy or from a service that has moved, and is an error.
   */
  readonly notFound?: v.GenericSchema;
  /**
   * Reads the body of the other statuses that `request` accepts, when they carry data. Without it they are errors:
   * 401 and 403 deny access.
   */
  readonly readStatus?: (status: number, body: unknown, address: Address) => Observation | undefined;
}

/** Bounds of most answers; no answer about one address needs more nesting. */
const BOUNDS = { as: "json", maxBytes: 65_536, maxDepth: 8 } as const;
const NOT_FOUND = 404;
const KEY_REFUSED = [401, 403];
const HttpAnswerSchema = v.object({ status: v.number(), body: v.unknown() });

/** Makes a source from one HTTP request. Its answer is the whole HTTP answer; its reader validates the body. */
export function httpSource<const Schema extends v.GenericSchema>(parts: HttpSourceParts<Schema>): Source {
  const { request, answer: schema, read, notFound, readStatus, ...metadata } = parts;
  const accepted = [
    ...(parts.secret === undefined ? [] : KEY_REFUSED),
    ...(notFound === undefined ? [] : [NOT_FOUND]),
  ];
  return {
    family: parts.id,
    versions: [4, 6],
    timeoutMs: 3000,
    ...metadata,
    ask(address, { upstream }, signal, secret) {
      const built = request(address, secret);
      const statuses = [...accepted, ...(built.statuses ?? [])];
      return upstream.http({ ...BOUNDS, ...built, statuses }, signal);
    },
    read(answer, address) {
      const { status, body } = parseAnswer(HttpAnswerSchema, answer);
      if (status === 200) return read(parseAnswer(schema, body), address);
      if (status === NOT_FOUND && notFound !== undefined && v.is(notFound, body)) return undefined;
      if (readStatus !== undefined) return readStatus(status, body, address);
      throw statusError(status);
    },
  };
}
