import * as v from "valibot";
import { type Address, parseAddress } from "#address";
import type { Observation } from "#evidence";
import { UpstreamError } from "#upstream";
import { readCount } from "./read_fields.ts";

/** How long a source pauses after a refusal that waiting does not end. */
const REFUSED_MS = 3_600_000;

/** A field of any type that may be missing: the reader of the field checks the type. */
export const anyField = v.optional(v.unknown());

/** Fields of a schema that are read one by one later. */
export function anyFields<const Names extends readonly string[]>(...names: Names) {
  return v.entriesFromList(names, anyField);
}

/** An object of {@link anyFields}; anything else counts as an empty one. */
export function anyObject<const Names extends readonly string[]>(...names: Names) {
  const schema = v.object(anyFields(...names));
  return v.fallback(schema, () => v.parse(schema, {}));
}

/** A boolean that may be null or missing. Any other type means that the format changed: it must not be read as "no". */
export const optionalBoolean = v.optional(v.nullable(v.boolean()));

/** Fields that are {@link optionalBoolean}. */
export function booleans<const Names extends readonly string[]>(...names: Names) {
  return v.entriesFromList(names, optionalBoolean);
}

/**
 * Parses an answer with the schema of the fields we use.
 * @throws {UpstreamError} kind `shape`, with the path of the first field that is wrong.
 */
export function parseAnswer<const Schema extends v.GenericSchema>(
  schema: Schema,
  answer: unknown,
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, answer, { abortEarly: true });
  if (result.success) return result.output;
  throw new UpstreamError("shape", describePath(v.getDotPath(result.issues[0])));
}

/** Formats the path of a field. The upstream chooses the keys, so all characters except harmless ones become "?". */
function describePath(path: string | null): string {
  return path === null ? "shape" : `shape at ${path.replaceAll(/[^\w.:$-]/g, "?").slice(0, 80)}`;
}

/**
 * Checks that an answer is about the address we asked about.
 * @throws {UpstreamError} kind `shape`
 */
export function checkAddress(text: string, address: Address): void {
  if (!isSameAddress(text, address)) throw new UpstreamError("shape", "another address");
}

/** Whether the text is a spelling of this address. */
export function isSameAddress(text: string, address: Address): boolean {
  return parseAddress(text)?.text === address.text;
}

/**
 * Returns the observation, unless it is {@link isSilent}.
 * @throws {UpstreamError} kind `shape` as {@link checkDetections}.
 */
export function requireDetections(observation: Observation, detections: object): Observation | undefined {
  if (isSilent(observation)) return undefined;
  checkDetections(detections);
  return observation;
}

/**
 * Whether an answer knows nothing about the address: no place, no network, no use, and no flag that is true. A
 * vendor then answers with every flag false, which does not mean "no".
 */
export function isSilent(observation: Observation): boolean {
  const { flags = {}, residentialProxy, echoes: _echoes, ...known } = observation;
  return Object.keys(known).length === 0 && residentialProxy !== true && !Object.values(flags).includes(true);
}

/**
 * Checks that an answer has at least one detection. A place without any is a reduced answer, and must not be read as
 * "nothing found".
 * @throws {UpstreamError} kind `shape`
 */
export function checkDetections(detections: object): void {
  if (Object.values(detections).every((value) => value === null || value === undefined))
    throw new UpstreamError("shape", "no detections");
}

/**
 * Reads a count of reports or attacks that may be null or missing.
 * @throws {UpstreamError} kind `shape` for anything else, because a damaged count must not read as "no reports".
 */
export function parseCount(value: unknown): number | undefined {
  const count = readCount(value);
  if (count === undefined && value !== null && value !== undefined) {
    throw new UpstreamError("shape", "not a count");
  }
  return count;
}

/**
 * The error for a key that is wrong or does not allow this request. The vendor's own text is not repeated, because it
 * may contain the key.
 */
export function accessDenied(): UpstreamError {
  return new UpstreamError("unavailable", "access denied", { retryAfterMs: REFUSED_MS });
}

/** Classifies a vendor's message by the first pattern that fits. No message is repeated: it may contain the key. */
export function classifyMessage(
  message: string,
  {
    quota,
    denied,
    question,
  }: { readonly quota: RegExp; readonly denied?: RegExp; readonly question?: RegExp },
): UpstreamError {
  if (quota.test(message)) return new UpstreamError("quota", "quota used up");
  if (denied?.test(message) === true) return accessDenied();
  if (question?.test(message) === true) return new UpstreamError("shape", "question not accepted");
  return new UpstreamError("unavailable", "question not answered");
}

/** The error for an HTTP status that carries no answer: 401 and 403 refuse the key. */
export function statusError(status: number): UpstreamError {
  return status === 401 || status === 403 ? accessDenied() : new UpstreamError("status", `HTTP ${status}`);
}

/** The answer to one DNS query: records, or "no such name". */
export const DnsAnswerSchema = v.variant("found", [
  v.object({ found: v.literal(true), records: v.pipe(v.array(v.string()), v.minLength(1)) }),
  v.object({ found: v.literal(false) }),
]);

/**
 * Whether another server sent this A record in place of the DNS list: the record is outside 127.0.0.0/8 (RFC
 * 5782 section 2.3).
 */
export function isForeignRecord(record: string): boolean {
  return !/^127(?:\.\d{1,3}){3}$/.test(record);
}

/**
 * Checks that every record is a code of the list. Addresses in 127.255.255.0/24 and those in `refusals` mean that the
 * list refuses to answer (https://www.spamhaus.org/faqs/dnsbl-usage/); `refusals` gives their texts.
 * @throws {UpstreamError} kind `unavailable` when the list refuses, or when another server answers in its place.
 */
export function checkZoneRecords(
  records: readonly string[],
  refusals: Readonly<Record<string, string>> = {},
): void {
  if (records.some(isForeignRecord)) throw new UpstreamError("unavailable", "answer outside 127.0.0.0/8");
  const refusal = records.find(
    (record) => record.startsWith("127.255.255.") || Object.hasOwn(refusals, record),
  );
  if (refusal === undefined) return;
  const text = Object.hasOwn(refusals, refusal) ? refusals[refusal] : undefined;
  throw new UpstreamError("unavailable", `${refusal}: ${text ?? "declines to answer"}`);
}
