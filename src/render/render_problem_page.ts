import { type PageTexts, pageWordsOf } from "#locale";
import type { Language, Problem } from "#report";
import { drawCard } from "./draw_card.ts";
import { drawDocument } from "./draw_document.ts";
import { drawSearch } from "./draw_search.ts";
import { homePathOf } from "./home_path_of.ts";
import { type Html, html } from "./html.ts";
import { webLinkOf } from "./web_link_of.ts";

/** Spellings of addresses set aside for documentation, as people may write them (RFC 5737, RFC 3849). */
const EXAMPLES = ["203.0.113.7", "2001:db8::7", "[2001:db8::7]", "::ffff:203.0.113.7"];

/** Codes after which asking for another address helps. */
const SEARCHABLE: readonly Problem["code"][] = [
  "invalid_ip",
  "invalid_parameter",
  "not_found",
  "not_in_mirror",
];

/** What a page says beside the problem. */
export interface ProblemExtras {
  readonly retryAfterSeconds?: number;
  /** What was asked for, in both languages, for the language switch; default: the front page. */
  readonly path?: { readonly zh: string; readonly en: string };
}

/** An error as a page that helps: what happened, what to do, how long to wait, and where to go on. */
export function renderProblemPage(
  problem: Problem,
  status: number,
  language: Language,
  { retryAfterSeconds, path }: ProblemExtras = {},
): string {
  const words = pageWordsOf(language);
  // The form below takes what the hint tells programs to leave out, and examples follow it.
  const isAddress = problem.code === "invalid_ip";
  const saysWait =
    retryAfterSeconds !== undefined && problem.hint?.includes(String(retryAfterSeconds)) === true;
  return drawDocument({
    language,
    title: `${status} ${problem.code} - limpid`,
    head: html`<meta name="robots" content="noindex">\n`,
    path: path ?? { zh: homePathOf("zh"), en: homePathOf("en") },
    ...(retryAfterSeconds === undefined ? {} : { scripts: ["/static/wait.js"] }),
    body: html`<section class="card problem"><h1>${problem.error}</h1>
${problem.hint !== undefined && !saysWait && !isAddress && html`<p>${problem.hint}</p>\n`}${
  retryAfterSeconds !== undefined &&
  drawWait(retryAfterSeconds, saysWait ? problem.hint : words.waitFor(retryAfterSeconds), words)
}${
  problem.reportUrl !== undefined &&
  html`<p><a href="${webLinkOf(problem.reportUrl) ?? "#"}" rel="nofollow">${problem.reportUrl}</a></p>\n`
}<p class="quiet">${words.code} <code>${status} ${problem.code}</code> · <a href="${homePathOf(language)}">${words.goHome}</a></p>
</section>
${SEARCHABLE.includes(problem.code) && html`<section class="card">${drawSearch(language)}</section>\n`}${
  isAddress &&
  drawCard(
    words.examples,
    html`<p class="quiet">${words.examplesHint}</p>
<ul class="names">${EXAMPLES.map((example) => html`<li><code class="shown">${example}</code></li>`)}</ul>`,
  )
}`,
  });
}

/** True as it stands; `/static/wait.js` counts it down. The link leads to this very page, script or not. */
function drawWait(seconds: number, sentence: string | undefined, words: PageTexts): Html {
  const said = JSON.stringify({ last: words.waitFor(1), over: words.waitOver });
  return html`<p class="note" id="wait" data-seconds="${seconds}" data-words="${said}"><time datetime="PT${seconds}S">${sentence}</time></p>
<p><a class="button" href="">${words.tryAgain}</a></p>\n`;
}
