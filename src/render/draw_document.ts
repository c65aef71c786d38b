import { methodWordsOf, pageWordsOf, wordsOf } from "#locale";
import type { Language } from "#report";
import { comparePathOf } from "./compare_path_of.ts";
import { docsPathOf } from "./docs_path_of.ts";
import { homePathOf } from "./home_path_of.ts";
import { type Html, html } from "./html.ts";
import { languageTagOf } from "./language_tag_of.ts";
import { methodPathOf } from "./method_path_of.ts";

/** What differs from page to page. */
export interface DocumentParts {
  readonly language: Language;
  readonly title: string;
  readonly description?: string;
  /** Further elements of the head: canonical address, alternates, style sheets of one page. */
  readonly head?: Html;
  /** Links of this page alone, at the right of the header. */
  readonly nav?: Html;
  /** Contents of `main`. */
  readonly body: Html;
  /** Paths of this page in both languages, for the language switch. */
  readonly path: { readonly zh: string; readonly en: string };
  /** Paths of scripts of our own, run after parsing as modules. */
  readonly scripts?: readonly string[];
  /** Paragraphs of the footer, above the links that every page has. */
  readonly footer?: Html;
  /** Data elements that are not shown, at the end of the document. */
  readonly data?: Html;
}

/**
 * The frame of every page: head, style sheet, skip link, header with the way home and to the other language, `main`,
 * footer. Nothing inline, nothing of third parties; complete without script.
 */
export function drawDocument(parts: DocumentParts): string {
  const { language, path } = parts;
  const { headings } = wordsOf(language);
  const words = pageWordsOf(language);
  const other: Language = language === "zh" ? "en" : "zh";
  const tag = languageTagOf(language);
  return html`<!DOCTYPE html>
<html lang="${tag}" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${parts.title}</title>
${parts.description !== undefined && html`<meta name="description" content="${parts.description}">\n`}${parts.head}<link rel="icon" type="image/svg+xml" href="/static/icon.svg">
<link rel="stylesheet" href="/static/report.css">
${parts.scripts?.map((script) => html`<script type="module" src="${script}"></script>\n`)}</head>
<body>
<a class="skip" href="#main">${headings.skipLink}</a>
<header class="top"><a class="brand" href="${homePathOf(language)}"><svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><path d="M16 3c5 6.2 9 10.7 9 16a9 9 0 0 1-18 0c0-5.3 4-9.8 9-16z"></path></svg>limpid</a>
<nav aria-label="${words.pages}">${parts.nav}<a href="${path[other]}" hreflang="${languageTagOf(other)}" lang="${languageTagOf(other)}">${headings.otherLanguage}</a></nav>
</header>
<main id="main">
${parts.body}
</main>
<footer>
${parts.footer}<nav aria-label="${words.more}"><a href="${homePathOf(language)}">${words.home}</a>
<a href="${comparePathOf(language)}">${words.compare}</a>
<a href="${methodPathOf(language)}">${methodWordsOf(language).title}</a>
<a href="${docsPathOf(language)}">${words.docs}</a>
<a href="${language === "en" ? "/en/llms.txt" : "/llms.txt"}">${words.forModels}</a></nav>
</footer>
${parts.data}</body>
</html>
`.toString();
}
