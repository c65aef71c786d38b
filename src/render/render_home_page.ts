import { type PageTexts, pageWordsOf, wordsOf } from "#locale";
import type { Language, Report } from "#report";
import { docsPathOf } from "./docs_path_of.ts";
import { drawCard } from "./draw_card.ts";
import { drawCompareForm } from "./draw_compare_form.ts";
import { drawDocument } from "./draw_document.ts";
import { drawHead } from "./draw_head.ts";
import { drawProgress } from "./draw_progress.ts";
import { drawSearch } from "./draw_search.ts";
import { homePathOf } from "./home_path_of.ts";
import { type Html, html } from "./html.ts";
import { methodPathOf } from "./method_path_of.ts";
import { reportPathOf } from "./report_path_of.ts";

/** What the front page knows of its visitor; `origin` is the public origin, without a trailing slash. */
export interface HomeParts {
  readonly language: Language;
  readonly origin: string;
  readonly address?: string;
  /** The visitor's own report, if it is known already. */
  readonly report?: Report;
}

/** An address that stands for any, of those set aside for documentation (RFC 5737). */
const EXAMPLE = "203.0.113.7";

/** The front page: one field that takes what people paste, the visitor's own address, the way to everything else. */
export function renderHomePage({ language, origin, address, report }: HomeParts): string {
  const words = pageWordsOf(language);
  const title = `${words.slogan} - limpid`;
  const description = words.homeDescription;
  const path = { zh: homePathOf("zh"), en: homePathOf("en") };
  return drawDocument({
    language,
    title,
    description,
    path,
    scripts: ["/static/home.js"],
    head: drawHead({ language, title, description, origin, path }),
    body: html`<section class="card lead"><h1>${words.slogan}</h1>
<p>${words.homeLead}</p>
${drawSearch(language)}
${drawProgress(language)}
</section>
${address !== undefined && drawOwn(address, report, language)}
${drawCard(
  words.aboutTitle,
  html`<dl class="unknowns halves">${words.about.map(
    ([name, text]) => html`
<div><dt>${name}</dt><dd>${text}</dd></div>`,
  )}</dl>`,
)}
<div class="pair">
<div class="stack">
${drawCard(words.compareTitle, drawCompareForm(language))}
${drawCard(words.linksTitle, drawLinks(words, language))}
</div>
${drawShell(words, language, origin)}
</div>`,
    footer: html`<p>${wordsOf(language).headings.disclaimer}</p>\n`,
  });
}

/** The visitor's address, its band where it is known, and the way to its report. */
function drawOwn(address: string, report: Report | undefined, language: Language): Html {
  const words = pageWordsOf(language);
  const { headings, confidences } = wordsOf(language);
  return html`<section class="card mine" aria-labelledby="mine"><div><h2 id="mine">${words.yourAddress}</h2>
<p><bdi>${address}</bdi></p></div>
${
  report !== undefined &&
  html`<p class="band-${report.risk.level}"><span class="figure">${report.risk.purity}/100</span> <strong class="band">${report.risk.label}</strong> <span class="quiet">${headings.confidence} ${confidences[report.risk.confidence]}</span></p>\n`
}<a class="button" href="${reportPathOf(address, language)}">${words.yourReport}</a>
</section>`;
}

function drawLinks(words: PageTexts, language: Language): Html {
  return html`<ul class="links">
<li><a href="${methodPathOf(language)}">${words.methodLink}</a></li>
<li><a href="${docsPathOf(language)}">${words.docsLink}</a></li>
<li><a href="${language === "en" ? "/en/llms.txt" : "/llms.txt"}">${words.modelsLink}</a></li>
</ul>`;
}

function drawShell(words: PageTexts, language: Language, origin: string): Html {
  const lines: readonly (readonly [string, string])[] = [
    [words.shellMine, `${origin}/api/myip?format=text`],
    [words.shellReport, `${origin}/cli/${EXAMPLE}${language === "en" ? "?lang=en" : ""}`],
    [words.shellText, origin + reportPathOf(EXAMPLE, language, ".txt")],
    [words.shellData, origin + reportPathOf(EXAMPLE, language, ".json")],
  ];
  return drawCard(
    words.shellTitle,
    html`<p class="quiet">${words.shellLead}</p>
<dl class="shell">${lines.map(
      ([name, url]) => html`
<div><dt>${name}</dt><dd><code>curl '${url}'</code></dd></div>`,
    )}</dl>`,
  );
}
