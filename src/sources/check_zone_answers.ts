import { UpstreamError } from "#upstream";
import { classifyZoneAnswer } from "./classify_zone_answer.ts";

/**
 * Lets through answers that are codes of the list.
 * @throws {UpstreamError} kind `unavailable` when the list declines, or when somebody else answered in its place.
 */
export function checkZoneAnswers(
  records: readonly string[],
  refusals: Readonly<Record<string, string>> = {},
): void {
  if (records.some((record) => classifyZoneAnswer(record) === "foreign")) {
    throw new UpstreamError("unavailable", "answer outside 127.0.0.0/8");
  }
  const refusal = records.find(
    (record) => classifyZoneAnswer(record) === "refusal" || Object.hasOwn(refusals, record),
  );
  if (refusal === undefined) return;
  const meaning = Object.hasOwn(refusals, refusal) ? refusals[refusal] : undefined;
  throw new UpstreamError("unavailable", `${refusal}: ${meaning ?? "declines to answer"}`);
}
