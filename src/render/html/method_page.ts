import { type MethodReading, methodTextsOf, nameFamily, reportTextsOf } from "#locale";
import { COVERED_KINDS, type Language, type Method, type MethodSource, USAGE_TYPES } from "#report";
import { methodPathOf } from "../paths.ts";
import { nameOf } from "../report_fields.ts";
import { cardOfPage, renderDocument, renderHead } from "./document.ts";
import { type Html, html } from "./html.ts";
import { renderAccuracy } from "./method_accuracy.ts";
import { renderExample, renderRules } from "./method_rules.ts";
import { renderCard } from "./parts.ts";

const RANGE_KINDS = ["tor", "vpn", "listed", ...USAGE_TYPES] as const;

const READINGS: readonly MethodReading[] = [
  "tor",
  "proxy",
  "vpn",
  "relay",
  "broadcast",
  "lists",
  "policy",
  "abuse",
  "shared",
  "needs",
];

/**
 * Renders the page that documents the scoring method. Every number comes from `method`. `origin` is the public origin
 * of its links without a trailing slash.
 */
export function renderMethodPage(method: Method, language: Language, origin: string): string {
  const texts = methodTextsOf(language);
  const { labels } = reportTextsOf(language);
  const title = `${texts.title} - limpid`;
  const { description } = texts;
  const path = { zh: methodPathOf("zh"), en: methodPathOf("en") };
  return renderDocument({
    language,
    title,
    description,
    path,
    head: html`${renderHead({
      language,
      title,
      description,
      origin,
      path,
      card: cardOfPage("method", language),
      data: { "@type": "TechArticle", headline: texts.title },
    })}<link rel="stylesheet" href="/static/guide.css">\n`,
    body: html`<div class="method">
<section class="card"><h1>${texts.title}</h1>
<p class="quiet">${texts.version(method.version)}</p>
${renderTexts(texts.lead.map((format) => format(method)))}</section>
${renderContents(method, language)}
${renderExample(method, language)}
${renderRules(method, language)}
${renderCard(
  texts.bandsTitle,
  html`<ul class="ranks">${method.bands.map(
    ([band, from]) =>
      html`<li class="band-${band}"><b>${reportTextsOf(language).bands[band]}</b> ${from}+</li>\n`,
  )}</ul>`,
  { id: "bands" },
)}
${renderWeighing(method, language)}
${renderConfidence(method, language)}
${renderRange(method, language)}
${renderScenarios(method, language)}
${renderRegions(method, language)}
${renderAccuracy(method.accuracy, language)}
${method.sources.length > 0 && renderSources(method, language)}
${renderVersions(method, language)}
</div>`,
    footer: html`<p>${labels.disclaimer}</p>\n`,
  });
}

function renderContents(method: Method, language: Language): Html {
  const texts = methodTextsOf(language);
  const parts: readonly (readonly [string, string])[] = [
    ["example", texts.exampleTitle],
    ["rules", texts.rulesTitle],
    ["bands", texts.bandsTitle],
    ["weighing", texts.weighingTitle],
    ["confidence", texts.confidenceTitle],
    ["range", texts.rangeTitle],
    ["uses", texts.scenariosTitle],
    ["regions", texts.regionsTitle],
    ["accuracy", texts.accuracyTitle],
    ...(method.sources.length === 0 ? [] : [["sources", texts.sourcesTitle] as const]),
    ["changes", texts.changesTitle],
  ];
  return html`<nav class="card" aria-label="${texts.contents}"><ul class="toc">${parts.map(
    ([id, name]) => html`
<li><a href="#${id}">${name}</a></li>`,
  )}</ul></nav>`;
}

/** The first points of the weighing; the rest is folded. */
function renderWeighing(method: Method, language: Language): Html {
  const texts = methodTextsOf(language);
  const points = texts.weighing.map((format) => format(method));
  return renderCard(
    texts.weighingTitle,
    html`${renderPoints(points.slice(0, 3))}
${renderFolded(texts.more, renderPoints(points.slice(3)))}`,
    { id: "weighing" },
  );
}

/** The three degrees; what counts as checked is folded. */
function renderConfidence(method: Method, language: Language): Html {
  const texts = methodTextsOf(language);
  const kinds = method.confidence.core.map((it) => nameOf(texts.evidenceKinds, it));
  const points = texts.confidence.map((format) => format(method, kinds));
  return renderCard(
    texts.confidenceTitle,
    html`${renderPoints(points.slice(0, 3))}
${renderFolded(texts.more, renderPoints(points.slice(3)))}`,
    { id: "confidence" },
  );
}

function renderRange(method: Method, language: Language): Html {
  const texts = methodTextsOf(language);
  const { usages } = reportTextsOf(language);
  const kinds: Readonly<Record<keyof Method["range"], string>> = { ...texts.rangeKinds, ...usages };
  const columns = [...COVERED_KINDS, "total"] as const;
  const nameColumn = (column: (typeof columns)[number]) =>
    column === "total" ? texts.together : nameOf(texts.evidenceKinds, column);
  return renderCard(
    texts.rangeTitle,
    html`${renderTexts(texts.range.slice(0, 1).map((format) => format(method)))}
${renderFolded(
  texts.table,
  html`${renderTexts(texts.range.slice(1).map((format) => format(method)))}<section class="wide" aria-label="${texts.rangeTitle}" tabindex="0"><table class="uses"><caption class="unseen">${texts.rangeTitle}</caption>
<thead><tr><th scope="col">${texts.kindOfAddress}</th>${columns.map((column) => html`<th scope="col" class="figure">${nameColumn(column)}</th>`)}</tr></thead>
<tbody>${RANGE_KINDS.map(
    (kind) => html`
<tr><th scope="row">${kinds[kind]}</th>${columns.map((column) => html`<td class="figure">${method.range[kind][column]}</td>`)}</tr>`,
  )}</tbody></table></section>`,
)}`,
    { id: "range" },
  );
}

function renderScenarios(method: Method, language: Language): Html {
  const texts = methodTextsOf(language);
  const { scenarios, usages, levels } = reportTextsOf(language);
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ...USAGE_TYPES.map(
      (type) => [usages[type], method.scenarios.map(({ usage }) => String(usage[type]))] as const,
    ),
    ...READINGS.map((id) => {
      const cells = method.scenarios.map((scenario) => {
        if (id === "lists") return scenario.lists.join(" / ");
        return id === "needs" ? nameOf(texts.evidenceKinds, scenario.needs) : String(scenario[id]);
      });
      return [texts.readings[id], cells] as const;
    }),
  ];
  return renderCard(
    texts.scenariosTitle,
    html`${renderTexts(texts.scenarios.slice(0, 1).map((format) => format(method)))}
<h3>${texts.levelsTitle}</h3>
<ul class="ranks">${method.levels.map(([level, from]) => html`<li><b>${levels[level]}</b> ${from}+</li>\n`)}</ul>
${renderFolded(
  texts.table,
  html`${renderTexts(texts.scenarios.slice(1).map((format) => format(method)))}<section class="wide" aria-label="${texts.scenariosTitle}" tabindex="0"><table class="uses"><caption class="unseen">${texts.scenariosTitle}</caption>
<thead><tr><th scope="col">${texts.reading}</th>${method.scenarios.map(({ id }) => html`<th scope="col" class="figure">${scenarios[id]}</th>`)}</tr></thead>
<tbody>${rows.map(
    ([label, cells]) => html`
<tr><th scope="row">${label}</th>${cells.map((cell) => html`<td class="figure">${cell}</td>`)}</tr>`,
  )}</tbody></table></section>`,
)}`,
    { id: "uses" },
  );
}

function renderRegions(method: Method, language: Language): Html {
  const texts = methodTextsOf(language);
  const { scenarios } = reportTextsOf(language);
  const list = (codes: readonly string[]) => (codes.length === 0 ? texts.none : codes.join(" "));
  return renderCard(
    texts.regionsTitle,
    html`${renderTexts(texts.regions.slice(0, 1).map((format) => format(method)))}
${renderFolded(
  texts.table,
  html`${renderTexts(texts.regions.slice(1).map((format) => format(method)))}<section class="wide" aria-label="${texts.regionsTitle}" tabindex="0"><table><caption class="unseen">${texts.regionsTitle}</caption>
<thead><tr><th scope="col">${texts.vendor}</th><th scope="col">${texts.use}</th><th scope="col">${texts.listed}</th><th scope="col">${texts.unsupported}</th><th scope="col">${texts.unclear}</th></tr></thead>
<tbody>${method.regions.map(
    ({ use, name, url, asOf, unsupported, unclear }) => html`
<tr><th scope="row"><a href="${url}" rel="noopener noreferrer">${name}</a></th><td>${scenarios[use]}</td><td><time datetime="${asOf}">${asOf}</time></td><td>${list(unsupported)}</td><td>${list(unclear)}</td></tr>`,
  )}</tbody></table></section>`,
)}`,
    { id: "regions" },
  );
}

function renderSources(method: Method, language: Language): Html {
  const texts = methodTextsOf(language);
  const families = Map.groupBy(method.sources, (source) => source.family);
  const matters = (members: readonly MethodSource[]) =>
    [...new Set(members.flatMap((source) => source.matters))].map((it) => nameOf(texts.evidenceKinds, it));
  return renderCard(
    texts.sourcesTitle,
    html`<p>${texts.sources}</p>
${renderFolded(
  texts.table,
  html`<table class="sources"><caption class="unseen">${texts.sourcesTitle}</caption>
<thead><tr><th scope="col">${texts.family}</th><th scope="col">${texts.members}</th><th scope="col">${texts.covers}</th></tr></thead>
<tbody>${[...families].map(
    ([family, members]) => html`
<tr><th scope="row">${nameFamily(family, language)}</th><td>${members.map(
      ({ name, kind, weight }) =>
        html`<p><bdi>${name}</bdi> (${weight}) <span class="tag">${texts.kinds[kind]}</span></p>`,
    )}</td><td>${matters(members).join(", ")}</td></tr>`,
  )}</tbody></table>`,
)}`,
    { id: "sources" },
  );
}

function renderVersions(method: Method, language: Language): Html {
  const texts = methodTextsOf(language);
  const [newest, ...older] = method.versions.map(
    ({
      version,
      date,
      changes,
    }) => html`<div><dt>${texts.version(version)} <span class="quiet"><time datetime="${date}">${date}</time></span></dt>
<dd><ul>${changes.map((change) => html`<li>${nameOf(texts.changes, change)}</li>`)}</ul></dd></div>`,
  );
  return renderCard(
    texts.changesTitle,
    html`<dl class="unknowns">${newest}</dl>
${older.length > 0 && renderFolded(texts.olderVersions, html`<dl class="unknowns">${older}</dl>`)}`,
    { id: "changes" },
  );
}

/** Renders a part that opens without script. */
function renderFolded(title: string, body: Html): Html {
  return html`<details><summary>${title}</summary>
<div class="inside">${body}</div></details>`;
}

function renderPoints(texts: readonly string[]): Html {
  return html`<ul class="bullets">${texts.map((text) => html`<li>${text}</li>\n`)}</ul>`;
}

function renderTexts(texts: readonly string[]): Html {
  return html`${texts.map((text) => html`<p>${text}</p>\n`)}`;
}
