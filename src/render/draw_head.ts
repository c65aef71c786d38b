import type { Language } from "#report";
import { type Html, html } from "./html.ts";

/** What the head of a public page says about itself. */
export interface HeadParts {
  readonly language: Language;
  readonly title: string;
  readonly description: string;
  /** Public origin without a trailing slash. */
  readonly origin: string;
  readonly path: { readonly zh: string; readonly en: string };
  /** Kept out of search engines. */
  readonly hidden?: boolean;
}

/**
 * Canonical address, the same page in the other language, and what a link to it shows elsewhere.
 * `https://ogp.me/` for the `og:` names.
 */
export function drawHead({ language, title, description, origin, path, hidden }: HeadParts): Html {
  const url = origin + path[language];
  return html`${hidden === true && html`<meta name="robots" content="noindex">\n`}<link rel="canonical" href="${url}">
<link rel="alternate" hreflang="zh" href="${origin + path.zh}">
<link rel="alternate" hreflang="en" href="${origin + path.en}">
<link rel="alternate" hreflang="x-default" href="${origin + path.zh}">
<link rel="describedby" href="${origin}${language === "en" ? "/en/llms.txt" : "/llms.txt"}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="limpid">
<meta property="og:locale" content="${language === "en" ? "en_GB" : "zh_CN"}">
<meta property="og:url" content="${url}">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta name="twitter:card" content="summary">
`;
}
