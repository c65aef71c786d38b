import { type PageTexts, pageTextsOf } from "#locale";
import type { Language, Problem } from "#report";
import { asPathOf, homePathOf, webLinkOf } from "../paths.ts";
import { renderDocument } from "./document.ts";
import { type Html, html } from "./html.ts";
import { renderCode, renderSearch } from "./parts.ts";

/** Codes for which the page offers the search field. */
const SEARCHABLE = ["invalid_ip", "invalid_parameter", "not_found", "not_in_mirror"];

/** What the page shows beside the problem. */
export interface ProblemPageOptions {
  readonly retryAfterSeconds?: number | undefined;
  /** Paths of the requested page in both languages, for the language switch. The default is the home page. */
  readonly path?: { readonly zh: string; readonly en: string } | undefined;
  /** What the visitor typed as an address. It stays in the search field. */
  readonly typed?: string | undefined;
  /** The path of the request, which the page of an unknown path shows. */
  readonly requested?: string;
}

/** A value in the sentence of a problem, whose signs are those of plain text. */
const QUOTED = /^(?!.*。 )(.*?)(?:"(.*)"|「(.*)」)/;

/** Longest text in the search field. */
const MAX_TYPED = 1000;

/** Longest path that the page shows. */
const MAX_REQUESTED = 100;

/** Renders an error as a page: what happened, what to do, how long to wait, and where to go. */
export function renderProblemPage(
  problem: Problem,
  status: number,
  language: Language,
  { retryAfterSeconds, path, typed = "", requested = "" }: ProblemPageOptions = {},
): string {
  const texts = pageTextsOf(language);
  // The hints of these two are for programs. The form below accepts more, and the page shows what people can do.
  const isAddress = problem.code === "invalid_ip";
  const isLost = problem.code === "not_found" && problem.hint?.includes("/openapi.json") === true;
  const shown = requested.length > MAX_REQUESTED ? `${requested.slice(0, MAX_REQUESTED)}…` : requested;
  const isAs = /^(?:\/en)?\/as\//.test(requested);
  const hasSearch = SEARCHABLE.includes(problem.code) && !isAs;
  // A heading has no full stop, unless it is in both languages.
  const sentence = isLost ? texts.notFound : problem.error.replace(/^(?!.*。 )(.*)[.。]$/, "$1");
  const mistake = texts.mistake(typed);
  // A network that is only too wide, or special-purpose, is written right.
  const isWrongNetwork =
    problem.code === "invalid_parameter" && /\/\d+$/.test(typed) && mistake !== texts.mistakes.more;
  const isBlank = isAddress && typed === "";
  const heading = isBlank ? texts.enterAddress : sentence.replace(QUOTED, "$1“$2$3”");
  const hintNamesWait =
    retryAfterSeconds !== undefined && problem.hint?.includes(String(retryAfterSeconds)) === true;
  return renderDocument({
    language,
    hasSearch,
    title: `${heading} - limpid`,
    path: path ?? { zh: homePathOf("zh"), en: homePathOf("en") },
    ...(retryAfterSeconds === undefined ? {} : { scripts: ["/static/wait.js"] }),
    isWithoutSources: true,
    head: html`<link rel="stylesheet" href="/static/home.css">\n`,
    body: html`<section class="card problem"><h1>${heading}</h1>
${isLost && html`<p>${renderCode(texts.lost(shown))}</p>\n`}${!isLost && problem.hint !== undefined && !hintNamesWait && !isAddress && html`<p>${problem.hint}</p>\n`}${isAs && html`<p>${texts.asExample}<a href="${asPathOf(15169, language)}">AS15169</a></p>\n`}${
  retryAfterSeconds !== undefined &&
  renderWait(retryAfterSeconds, hintNamesWait ? problem.hint : texts.waitFor(retryAfterSeconds), texts)
}${
  problem.reportUrl !== undefined &&
  html`<p><a href="${webLinkOf(problem.reportUrl) ?? "#"}" rel="nofollow">${problem.reportUrl}</a></p>\n`
}${hasSearch && renderSearch(language, typed.slice(0, MAX_TYPED), (isAddress && !isBlank) || isWrongNetwork ? mistake : undefined)}
<p class="quiet">${texts.code} <code>${status} ${problem.code}</code> · <a href="${homePathOf(language)}">${texts.goHome}</a></p>
</section>`,
  });
}

/** Renders how long to wait. `/static/wait.js` counts down. The link reloads this page and works without script. */
function renderWait(seconds: number, sentence: string | undefined, texts: PageTexts): Html {
  const scriptTexts = JSON.stringify({ last: texts.waitFor(1), over: texts.waitOver });
  return html`<p class="note" id="wait" data-seconds="${seconds}" data-words="${scriptTexts}"><time datetime="PT${seconds}S">${sentence}</time></p>
<p><a class="button" href="">${texts.tryAgain}</a></p>\n`;
}
