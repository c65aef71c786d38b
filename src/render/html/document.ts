import { cardTextsOf, pageTextsOf, reportPageTextsOf, reportTextsOf } from "#locale";
import type { Language } from "#report";
import { homePathOf, languageTagOf, pagePathOf } from "../paths.ts";
import { type Html, html, keepNamesWhole, linkedData } from "./html.ts";
import { renderHeaderSearch } from "./parts.ts";

/** What differs from page to page. */
export interface DocumentParts {
  readonly language: Language;
  readonly title: string;
  readonly description?: string;
  /** Metadata of a page that others may link. Without it, search engines are asked not to index the page. */
  readonly published?: Publication;
  /** More elements of the head, such as style sheets of this page. */
  readonly head?: Html;
  /** Whether the body has the search field, so that the header has none. */
  readonly hasSearch?: boolean;
  /** Whether the page is about a thin report, so that nothing on it is green. */
  readonly isThin?: boolean;
  /** Contents of `main`. */
  readonly body: Html;
  /** Whether a line may break in a name with a hyphen: in a long page, elements around all of them weigh too much. */
  readonly breaksNames?: boolean;
  /** Paths of this page in both languages. */
  readonly path: BothPaths;
  /** Paths of scripts on this origin. They run as modules after parsing. */
  readonly scripts?: readonly string[];
  /** Whether the page has no conclusion of a survey, so that the footer does not say what one is worth. */
  readonly isWithoutSources?: boolean;
  /** What the footer says beside the disclaimer and the links that every page has. */
  readonly footer?: Html;
  /** Invisible data elements at the end of the document. */
  readonly data?: Html;
}

const NOT_INDEXED = html`<meta name="robots" content="noindex">\n`;

interface BothPaths {
  readonly zh: string;
  readonly en: string;
}

/** Metadata of a public page. */
interface Publication {
  /** Public origin without a trailing slash. */
  readonly origin: string;
  /** Asks search engines not to index the page. */
  readonly hidden?: boolean;
  /** The picture of link previews: its path in each language, and its contents in words. The default is the site's. */
  readonly card?: { readonly path: BothPaths; readonly alt: string };
  /** What the page is, in the words of https://schema.org/. The default is a web page. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/**
 * Renders the frame of every page: head, style sheet, skip link, header with the search field, the links to the main
 * pages (beside the field on a narrow page, a menu of them) and to the other language, `main`, footer. It has no inline
 * script or style, loads nothing from third parties, and needs no script.
 */
export function renderDocument(parts: DocumentParts): string {
  const { language, path } = parts;
  const { labels } = reportTextsOf(language);
  const texts = pageTextsOf(language);
  const other: Language = language === "zh" ? "en" : "zh";
  const tag = languageTagOf(language);
  const [own] = path[language].split("?");
  const places = [
    [texts.compare, pagePathOf("compare", language)],
    [texts.method, pagePathOf("method", language)],
    [texts.docs, pagePathOf("docs", language)],
  ].map(([name, to]) => html`<a href="${to}"${to === own && html` aria-current="page"`}>${name}</a>\n`);
  return html`<!DOCTYPE html>
<html lang="${tag}" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${parts.title}</title>
${parts.description !== undefined && html`<meta name="description" content="${parts.description}">\n`}${parts.published === undefined ? NOT_INDEXED : renderMetadata(parts, parts.published)}${parts.head}<meta name="theme-color" media="(prefers-color-scheme: light)" content="#f3f6f8">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#0f151a">
<link rel="icon" type="image/svg+xml" href="/static/icon.svg">
<link rel="apple-touch-icon" href="/static/touch_icon.png">
<link rel="manifest" href="/static/site.webmanifest">
<link rel="stylesheet" href="/static/report.css">
<script src="/static/theme.js"></script>
${parts.scripts?.map((script) => html`<script type="module" src="${script}"></script>\n`)}</head>
<body>
<a class="skip" href="#main">${labels.skipLink}</a>
<header class="top"><a class="brand" href="${homePathOf(language)}"><svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><path d="M16 3c5 6.2 9 10.7 9 16a9 9 0 0 1-18 0c0-5.3 4-9.8 9-16z"></path></svg>limpid</a>
${parts.hasSearch !== true && renderHeaderSearch(language)}<nav aria-label="${texts.pages}"><span class="places">${places}</span><a href="${path[other]}" hreflang="${languageTagOf(other)}" lang="${languageTagOf(other)}">${labels.otherLanguage}</a>${renderThemeSwitch(language)}${parts.hasSearch !== true && html`<details class="more"><summary aria-label="${texts.pages}"><svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="M2 4h12M2 8h12M2 12h12"></path></svg></summary><div>${places}</div></details>`}</nav>
</header>
<main id="main"${parts.isThin === true && html` class="thin"`}>
${parts.breaksNames === true ? parts.body : keepNamesWhole(parts.body)}
</main>
<footer>
${parts.isWithoutSources !== true && html`<p>${labels.disclaimer}</p>\n`}${parts.footer}<nav aria-label="${texts.more}"><a href="${homePathOf(language)}">${texts.home}</a>
${places}<a href="${pagePathOf("llms.txt", language)}">${texts.forModels}</a></nav>
</footer>
${parts.data}</body>
</html>
`.toString();
}

/** Renders the switch between the dark and the light theme. It is hidden until `/static/theme.js` runs. */
function renderThemeSwitch(language: Language): Html {
  return html`<button type="button" class="theme" id="theme" aria-label="${reportPageTextsOf(language).theme}" hidden><svg viewBox="0 0 16 16" aria-hidden="true"><path d="M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zm0 2v10A5 5 0 0 1 8 3z"></path></svg></button>`;
}

/** The picture of link previews of a page. */
export function cardOfPage(page: "home" | "method", language: Language): NonNullable<Publication["card"]> {
  const { homeTitle, methodTitle } = cardTextsOf(language);
  return {
    path: { zh: `/card/${page}.png`, en: `/en/card/${page}.png` },
    alt: `limpid: ${page === "home" ? homeTitle : methodTitle}`,
  };
}

/** Size of every share card in pixels. */
const CARD_SIZE = { width: 1200, height: 630 } as const;

/**
 * Renders the head elements for other programs: canonical URL, the page in the other language, link previews, and linked
 * data. https://ogp.me/ defines the `og:` names.
 */
function renderMetadata(
  { language, title, description, path }: DocumentParts,
  { origin, hidden, card = cardOfPage("home", language), data }: Publication,
): Html {
  const url = origin + path[language];
  const image = origin + card.path[language];
  return html`${hidden === true && NOT_INDEXED}<link rel="canonical" href="${url}">
<link rel="alternate" hreflang="zh" href="${origin + path.zh}">
<link rel="alternate" hreflang="en" href="${origin + path.en}">
<link rel="alternate" hreflang="x-default" href="${origin + path.zh}">
<link rel="describedby" href="${origin}${pagePathOf("llms.txt", language)}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="limpid">
<meta property="og:locale" content="${language === "en" ? "en_GB" : "zh_CN"}">
<meta property="og:url" content="${url}">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:image" content="${image}">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="${CARD_SIZE.width}">
<meta property="og:image:height" content="${CARD_SIZE.height}">
<meta property="og:image:alt" content="${card.alt}">
<meta name="twitter:card" content="summary_large_image">
${linkedData({
  "@type": "WebPage",
  name: title,
  description,
  url,
  inLanguage: languageTagOf(language),
  image: { "@type": "ImageObject", url: image, ...CARD_SIZE },
  isPartOf: { "@type": "WebSite", name: "limpid", url: `${origin}/` },
  ...data,
})}
`;
}
