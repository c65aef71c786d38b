import { type PageTexts, pageTextsOf, reportTextsOf } from "#locale";
import type { Language, Report } from "#report";
import { docsPathOf, homePathOf, llmsPathOf, methodPathOf, reportPathOf } from "../paths.ts";
import { renderDocument, renderHead } from "./document.ts";
import { type Html, html } from "./html.ts";
import { renderCard, renderCompareForm, renderProgress, renderSearch } from "./parts.ts";

/** What the home page shows. `origin` is the public origin without a trailing slash. */
export interface HomePageParts {
  readonly language: Language;
  readonly origin: string;
  /** The visitor's own address. */
  readonly address?: string;
  /** The visitor's own report, if it is stored already. */
  readonly report?: Report;
}

/** An example address from a range reserved for documentation (RFC 5737). */
const EXAMPLE = "203.0.113.7";

/** Renders the home page: the search field, the visitor's own address, and links to everything else. */
export function renderHomePage({ language, origin, address, report }: HomePageParts): string {
  const texts = pageTextsOf(language);
  const title = `${texts.slogan} - limpid`;
  const description = texts.homeDescription;
  const path = { zh: homePathOf("zh"), en: homePathOf("en") };
  return renderDocument({
    language,
    title,
    description,
    path,
    scripts: ["/static/home.js"],
    head: renderHead({ language, title, description, origin, path }),
    body: html`<section class="card lead"><h1>${texts.slogan}</h1>
<p>${texts.homeLead}</p>
${renderSearch(language)}
${renderProgress(language)}
</section>
${address !== undefined && renderOwn(address, report, language)}
${renderCard(
  texts.aboutTitle,
  html`<dl class="unknowns halves">${texts.about.map(
    ([name, text]) => html`
<div><dt>${name}</dt><dd>${text}</dd></div>`,
  )}</dl>`,
)}
<div class="pair">
<div class="stack">
${renderCard(texts.compareTitle, renderCompareForm(language))}
${renderCard(texts.linksTitle, renderLinks(texts, language))}
</div>
${renderTerminalExamples(texts, language, origin)}
</div>`,
    footer: html`<p>${reportTextsOf(language).labels.disclaimer}</p>\n`,
  });
}

/** Renders the visitor's address, its band if it is known, and a link to its report. */
function renderOwn(address: string, report: Report | undefined, language: Language): Html {
  const texts = pageTextsOf(language);
  const { labels, confidences } = reportTextsOf(language);
  return html`<section class="card mine" aria-labelledby="mine"><div><h2 id="mine">${texts.yourAddress}</h2>
<p><bdi>${address}</bdi></p></div>
${
  report !== undefined &&
  html`<p class="band-${report.risk.level}"><span class="figure">${report.risk.purity}/100</span> <strong class="band">${report.risk.label}</strong> <span class="quiet">${labels.confidence} ${confidences[report.risk.confidence]}</span></p>\n`
}<a class="button" href="${reportPathOf(address, language)}">${texts.yourReport}</a>
</section>`;
}

function renderLinks(texts: PageTexts, language: Language): Html {
  return html`<ul class="links">
<li><a href="${methodPathOf(language)}">${texts.methodLink}</a></li>
<li><a href="${docsPathOf(language)}">${texts.docsLink}</a></li>
<li><a href="${llmsPathOf(language)}">${texts.modelsLink}</a></li>
</ul>`;
}

function renderTerminalExamples(texts: PageTexts, language: Language, origin: string): Html {
  const lines: readonly (readonly [string, string])[] = [
    [texts.terminalOwn, `${origin}/api/myip?format=text`],
    [texts.terminalReport, `${origin}/cli/${EXAMPLE}${language === "en" ? "?lang=en" : ""}`],
    [texts.terminalText, origin + reportPathOf(EXAMPLE, language, ".txt")],
    [texts.terminalJson, origin + reportPathOf(EXAMPLE, language, ".json")],
  ];
  return renderCard(
    texts.terminalTitle,
    html`<p class="quiet">${texts.terminalLead}</p>
<dl class="shell">${lines.map(
      ([name, url]) => html`
<div><dt>${name}</dt><dd><code>curl '${url}'</code></dd></div>`,
    )}</dl>`,
  );
}
