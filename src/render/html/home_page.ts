import { type PageTexts, pageTextsOf, reportTextsOf, siteTextsOf } from "#locale";
import type { Language, Report } from "#report";
import { docsPathOf, homePathOf, llmsPathOf, methodPathOf, reportPathOf } from "../paths.ts";
import { contextOf } from "../report_context.ts";
import { describeConfidence, describeScore } from "../report_fields.ts";
import { renderDocument } from "./document.ts";
import { renderExample } from "./example_report.ts";
import { type Html, html } from "./html.ts";
import { bandOf, renderCard, renderCompareForm, renderProgress, renderSearch } from "./parts.ts";

/** What the home page shows. `origin` is the public origin without a trailing slash. */
export interface HomePageParts {
  readonly language: Language;
  readonly origin: string;
  /** The visitor's own address. */
  readonly address?: string;
  /** The visitor's own report: the stored one, or for a special-purpose address the one that says what it is. */
  readonly report?: Report;
  /** A report to look at, from the database or from the local tables alone. */
  readonly example?: Report;
}

/** Renders the home page: the search field, the visitor's own address, an example, and links to everything else. */
export function renderHomePage(parts: HomePageParts): string {
  const { language, origin, address, report, example } = parts;
  const texts = pageTextsOf(language);
  const path = { zh: homePathOf("zh"), en: homePathOf("en") };
  return renderDocument({
    language,
    title: `${texts.slogan} - limpid`,
    description: texts.homeDescription,
    path,
    scripts: ["/static/home.js"],
    published: {
      origin,
      data: {
        "@type": "WebSite",
        potentialAction: {
          "@type": "SearchAction",
          target: `${origin}${path[language]}?ip={ip}`,
          "query-input": "required name=ip",
        },
      },
    },
    head: html`<link rel="stylesheet" href="/static/home.css">\n`,
    body: html`<section class="card lead"><h1>${texts.slogan}</h1>
<p>${texts.homeLead}</p>
${renderSearch(language)}
${renderProgress(language)}
</section>
${address !== undefined && renderOwn(address, report, language)}
${example !== undefined && renderExample(contextOf(example))}
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
${renderTerminalExamples(texts, language, { origin, ip: chooseExample(parts) })}
</div>`,
    footer: html`<p>${reportTextsOf(language).labels.disclaimer}</p>\n`,
  });
}

/** The address of the commands: one that has a report already, so that they show something at no cost. */
function chooseExample({ example, report }: HomePageParts): string {
  const stored = [example, report].find((one) => one?.source === "store" || one?.source === "cache");
  return stored?.ip ?? example?.ip ?? report?.ip ?? "203.0.113.7";
}

/** Renders the visitor's address with its band if it is known; for a special-purpose address, why it cannot be checked here. */
function renderOwn(address: string, report: Report | undefined, language: Language): Html {
  const texts = pageTextsOf(language);
  const site = siteTextsOf(language);
  if (report?.flags.isBogon === true)
    return html`<section class="card local" aria-labelledby="mine"><h2 id="mine">${site.specialTitle}</h2>
<p>${site.special(address, report.risk.verdict)}</p>
<p class="quiet">${site.specialHint}</p>
</section>`;
  const context = report && contextOf(report);
  return html`<section class="card mine" aria-labelledby="mine"><div><h2 id="mine">${texts.yourAddress}</h2>
<p><bdi>${address}</bdi></p></div>
${
  context !== undefined &&
  html`<p class="band-${bandOf(context)}"><strong class="band">${describeScore(context)}</strong> <span class="quiet">${describeConfidence(context)}</span></p>\n`
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

function renderTerminalExamples(
  texts: PageTexts,
  language: Language,
  { origin, ip }: { readonly origin: string; readonly ip: string },
): Html {
  const prefix = language === "en" ? "/en" : "";
  const lines: readonly (readonly [string, string])[] = [
    [texts.terminalOwn, `${origin}/api/myip?format=text`],
    [texts.terminalReport, `${origin}${prefix}/cli/${ip}`],
    [texts.terminalText, origin + reportPathOf(ip, language, ".txt")],
    [texts.terminalJson, origin + reportPathOf(ip, language, ".json")],
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
