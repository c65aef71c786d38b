import { FLAGS, type Report } from "#report";

const FLAG_WORDS: Readonly<Record<(typeof FLAGS)[number], string>> = {
  isProxy: "proxy",
  isVpn: "vpn",
  isTor: "tor",
  isHosting: "hosting",
  isMobile: "mobile",
  isRelay: "relay",
  isBogon: "bogon",
  isSearchEngineBot: "crawler",
};

/**
 * The report in one line for proxy clients and scripts, such as `87 clean hosting native US flags:- confidence:high`,
 * and a line feed. Fields are parted by one blank, never missing, and stay in this order; new ones come at the end:
 * purity 0 to 100 · band · usage type · native type · country (ISO 3166-1 alpha-2, `-` when unknown) · `flags:` with
 * `proxy`, `vpn`, `tor`, `hosting`, `mobile`, `relay`, `bogon`, `crawler` parted by commas, `-` when none is raised ·
 * `confidence:low`, `medium` or `high`. The words are the same in both languages, ASCII only. No flags and a low
 * confidence means that little was heard, not that the address is clean.
 */
export function renderLine(report: Report): string {
  const { risk, geo } = report;
  const country = geo?.country !== undefined && /^[A-Z]{2}$/.test(geo.country) ? geo.country : "-";
  const flags = FLAGS.filter((flag) => report.flags[flag]).map((flag) => FLAG_WORDS[flag]);
  return `${risk.purity} ${risk.level} ${report.usageType} ${report.nativeType} ${country} flags:${flags.join(",") || "-"} confidence:${risk.confidence}\n`;
}
