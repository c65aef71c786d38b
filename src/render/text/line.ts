import { FLAGS, POLICY_FLAGS, type Report, readFacts } from "#report";

const FLAG_NAMES = new Map(Object.entries(POLICY_FLAGS).map(([name, flag]) => [flag, name]));

/**
 * Renders the report as one line for proxy clients and scripts, such as
 * `87 clean hosting native US flags:- confidence:high ip:198.51.100.7`, with a line feed. It is ASCII and the same in
 * both languages.
 * Fields are separated by one space, are never missing and keep their order; new fields are added at the end:
 * - purity (0 to 100), band, usage type, native type. Of public infrastructure, crawlers and special-purpose addresses
 *   purity and band are `-`. With low confidence `not_enough_data:` is before the purity, and the band is `-`;
 * - country (ISO 3166-1 alpha-2, `-` when unknown);
 * - `flags:` with `proxy`, `vpn`, `tor`, `hosting`, `mobile`, `relay`, `bogon`, `crawler` separated by commas, or `-`;
 * - `confidence:low`, `medium` or `high`;
 * - `ip:` with the address (RFC 5952 for IPv6).
 *
 * No flags and a low confidence mean that few sources answered, not that the address is clean.
 */
export function renderLine(report: Report): string {
  const { risk, geo } = report;
  const country = geo?.country !== undefined && /^[A-Z]{2}$/.test(geo.country) ? geo.country : "-";
  const flags = FLAGS.filter((flag) => report.flags[flag]).map((flag) => FLAG_NAMES.get(flag));
  const { isScored, isThin } = readFacts(report);
  const known = isThin ? `not_enough_data:${risk.purity} -` : `${risk.purity} ${risk.level}`;
  const score = isScored ? known : "- -";
  return `${score} ${report.usageType} ${report.nativeType} ${country} flags:${flags.join(",") || "-"} confidence:${risk.confidence} ip:${/^[\da-f.:]+$/.test(report.ip) ? report.ip : "-"}\n`;
}
