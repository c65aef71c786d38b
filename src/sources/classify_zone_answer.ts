/** What an A record of a DNS list can be, RFC 5782 §2.3 and https://www.spamhaus.org/faqs/dnsbl-usage/ */
export type ZoneAnswerKind = "code" | "refusal" | "foreign";

/** `refusal` = 127.255.255.0/24, the list declines to answer; `foreign` = outside 127.0.0.0/8, not the list's own words. */
export function classifyZoneAnswer(record: string): ZoneAnswerKind {
  if (!/^127(?:\.\d{1,3}){3}$/.test(record)) return "foreign";
  return record.startsWith("127.255.255.") ? "refusal" : "code";
}
