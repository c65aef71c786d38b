import * as v from "valibot";
import { UpstreamError } from "#upstream";

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
