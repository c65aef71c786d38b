import type { AsSummary, Language, NetworkSummary, Report } from "#report";

// Scheme and authority of an absolute web address (RFC 3986, section 3).
const ORIGIN = /^https?:\/\/[^/?#]+/i;

/** Returns the path of the home page. */
export function homePathOf(language: Language): string {
  return language === "en" ? "/en" : "/";
}

/** Returns the path of another page: the comparison, the scoring method, the documentation of the API, or llms.txt. */
export function pagePathOf(
  page: "compare" | "method" | "docs" | "example" | "llms.txt",
  language: Language,
): string {
  return `${prefixOf(language)}/${page}`;
}

/** Returns the path of the comparison of texts: of the empty form without any. A blank is `+`, as forms write it. */
export function comparePathOf(texts: readonly string[], language: Language): string {
  const write = (text: string) => encodeURIComponent(text).replaceAll("%3A", ":").replaceAll("%20", "+");
  const ips = texts.map(write).join(",");
  return `${pagePathOf("compare", language)}${ips === "" ? "" : `?ips=${ips}`}`;
}

/**
 * Returns the path of the report on an address. `suffix`, such as `.json`, selects another format than the page.
 * The colons of an IPv6 address are not escaped: RFC 3986, section 3.3 allows them in a path segment.
 */
export function reportPathOf(address: string, language: Language, suffix = ""): string {
  return `${prefixOf(language)}/ip/${encodeURIComponent(address).replaceAll("%3A", ":")}${suffix}`;
}

/** Hides the end of an address: of IPv4 the first two parts stay, of IPv6 the first two groups. */
export function maskAddress(ip: string): string {
  if (!ip.includes(":")) return `${ip.split(".", 2).join(".")}.*.*`;
  const [first, second] = ip.split(":", 2);
  return `${first || "0"}:${second || "0"}:*`;
}

/** Returns the path of the page about a prefix, or an AS as `AS64500`. `suffix`, such as `.json`, selects another format. */
export function networkPathOf(name: string, language: Language, suffix = ""): string {
  return `${prefixOf(language)}/${name.startsWith("AS") ? `as/${name.slice(2)}` : `net/${name}`}${suffix}`;
}

/** Returns the path of the page about an AS. `suffix` is that of {@link networkPathOf}. */
export function asPathOf(asn: number, language: Language, suffix = ""): string {
  return networkPathOf(`AS${asn}`, language, suffix);
}

/** Returns the path of the page about the prefix or the AS of a summary. */
export function summaryPathOf(
  summary: NetworkSummary | AsSummary,
  language: Language,
  suffix?: string,
): string {
  return "asn" in summary
    ? asPathOf(summary.asn, language, suffix)
    : networkPathOf(summary.prefix, language, suffix);
}

/** Returns the URL of the report page on an address. `baseUrl` is the public origin without a trailing slash. */
export function reportUrlOf(baseUrl: string, address: string, language: Language): string {
  return `${baseUrl}${reportPathOf(address, language)}`;
}

/** Returns the URL or the path of the terminal report, from that of the page; empty when there is none. */
export function terminalUrlOf(page: string): string {
  return page.replace(/\/ip\/(?=[^/]*$)/, "/cli/");
}

/** Returns the URL of the method page on the origin of `report.reportUrl`, or its path when that has no origin. */
export function methodUrlOf(report: Report): string {
  return `${ORIGIN.exec(report.reportUrl)?.[0] ?? ""}${pagePathOf("method", report.lang ?? "zh")}`;
}

/** Returns a text as a normalised http or https URL, or `undefined` when it is anything else, such as a script. */
export function webLinkOf(text: string): string | undefined {
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text).href : undefined;
}

/** Returns the origin of a web address, or an empty string when it is anything else. */
export function originOf(text: string): string {
  const link = webLinkOf(text);
  return link === undefined ? "" : new URL(link).origin;
}

/** Returns the language of a page as a BCP 47 tag. */
export function languageTagOf(language: Language): string {
  return language === "en" ? "en" : "zh-Hans";
}

/** What begins the path of every page in a language. */
export function prefixOf(language: Language): string {
  return language === "en" ? "/en" : "";
}
