import * as v from "valibot";
import type { Address } from "#address";
import type { Observation } from "#evidence";
import type { HttpQuestion } from "#upstream";
import { readShape } from "./read_shape.ts";
import type { Source } from "./source.ts";

/** What an HTTP source consists of: metadata, a question, the fields of the answer, and what they mean. */
export interface HttpSourceParts<Id extends string, Schema extends v.GenericSchema>
  extends Omit<Source<Id>, "ask" | "read" | "local" | "zone" | "selfTest" | "hosts"> {
  readonly hosts: readonly string[];
  /** Pure. */
  readonly request: (address: Address, secret: string | undefined) => HttpQuestion;
  /** Only the fields that are used, wherever the body comes with a status that was asked for. */
  readonly answer: Schema;
  /** Pure; `undefined` = nothing known. May throw UpstreamError where the body itself says so. */
  readonly read: (answer: v.InferOutput<Schema>, address: Address) => Observation | undefined;
  /**
   * For sources whose other statuses are data: reads every status but 200 in place of `answer` and `read`.
   * Such a status must be in the question's `statuses`. A 404 that means "nothing known" is `undefined`.
   */
  readonly readStatus?: (status: number, body: unknown, address: Address) => Observation | undefined;
}

const HttpAnswerSchema = v.object({ status: v.number(), body: v.unknown() });

/** Makes a source out of one HTTP question. Its answer is the whole HTTP answer; its reader validates the body. */
export function httpSource<const Id extends string, const Schema extends v.GenericSchema>(
  parts: HttpSourceParts<Id, Schema>,
): Source<Id> {
  const { request, answer: schema, read, readStatus, ...metadata } = parts;
  return {
    ...metadata,
    ask: (address, { upstream }, signal, secret) => upstream.http(request(address, secret), signal),
    read(answer, address) {
      const { status, body } = readShape(HttpAnswerSchema, answer);
      if (status !== 200 && readStatus !== undefined) return readStatus(status, body, address);
      return read(readShape(schema, body), address);
    },
  };
}
