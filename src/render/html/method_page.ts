import { type MethodReading, methodTextsOf, reportTextsOf } from "#locale";
import { COVERED_KINDS, type Language, type Method, type MethodSource, USAGE_TYPES } from "#report";
import { methodPathOf } from "../paths.ts";
import { nameOf } from "../report_fields.ts";
import { describeWeight, nameRule } from "../rule_description.ts";
import { cardOfPage, renderDocument, renderHead } from "./document.ts";
import { type Html, html } from "./html.ts";
import { renderCard } from "./parts.ts";

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
    head: renderHead({
      language,
      title,
      description,
      origin,
      path,
      card: cardOfPage("method", language),
      data: { "@type": "TechArticle", headline: texts.title },
    }),
    body: html`<div class="method">
<section class="card"><h1>${texts.title}</h1>
<p class="quiet">${texts.version(method.version)}</p>
${renderTexts(texts.lead.map((format) => format(method)))}</section>
${renderRules(method, language)}
${renderCard(texts.weighingTitle, renderTexts(texts.weighing.map((format) => format(method))))}
<div class="pair">
${renderCuts(
  texts.bandsTitle,
  texts.band,
  texts.from,
  method.bands.map(([band, from]) => [reportTextsOf(language).bands[band], from]),
)}
${renderCard(
  texts.confidenceTitle,
  renderTexts(
    texts.confidence.map((format) =>
      format(
        method,
        method.confidence.core.map((it) => nameOf(texts.evidenceKinds, it)),
      ),
    ),
  ),
)}
</div>
${renderRange(method, language)}
${renderScenarios(method, language)}
<div class="pair">
${renderCuts(
  texts.levelsTitle,
  labels.level,
  labels.score,
  method.levels.map(([level, from]) => [reportTextsOf(language).levels[level], from]),
)}
${renderRegions(method, language)}
</div>
${method.sources.length > 0 && renderSources(method, language)}
${renderVersions(method, language)}
</div>`,
    footer: html`<p>${labels.disclaimer}</p>\n`,
  });
}

function renderRules(method: Method, language: Language): Html {
  const texts = methodTextsOf(language);
  const { categories } = reportTextsOf(language);
  return renderCard(
    texts.rulesTitle,
    html`<table class="rules"><caption class="unseen">${texts.rulesTitle}</caption>
<thead><tr><th scope="col">${texts.rule}</th><th scope="col">${texts.weight}</th></tr></thead>
<tbody>${method.rules.map(
      (rule) => html`
<tr id="${rule.id}"><th scope="row">${nameRule(rule.id, language)} <span class="tag">${nameOf(categories, rule.category)}</span> <code>${rule.id}</code>
<p class="words">${nameOf(texts.rules, rule.id)}</p></th>
<td>${describeWeight(rule, language).map((line) => html`<p>${line}</p>`)}</td></tr>`,
    )}</tbody></table>`,
  );
}

function renderRange(method: Method, language: Language): Html {
  const texts = methodTextsOf(language);
  const { usages } = reportTextsOf(language);
  const columns = [...COVERED_KINDS, "total"] as const;
  const nameColumn = (column: (typeof columns)[number]) =>
    column === "total" ? texts.together : nameOf(texts.evidenceKinds, column);
  return renderCard(
    texts.rangeTitle,
    html`${renderTexts(texts.range.map((format) => format(method)))}
<section class="wide" aria-label="${texts.rangeTitle}" tabindex="0"><table class="uses"><caption class="unseen">${texts.rangeTitle}</caption>
<thead><tr><th scope="col">${texts.kindOfNetwork}</th>${columns.map((column) => html`<th scope="col" class="figure">${nameColumn(column)}</th>`)}</tr></thead>
<tbody>${USAGE_TYPES.map(
      (type) => html`
<tr><th scope="row">${usages[type]}</th>${columns.map((column) => html`<td class="figure">${method.range[type][column]}</td>`)}</tr>`,
    )}</tbody></table></section>`,
  );
}

function renderScenarios(method: Method, language: Language): Html {
  const texts = methodTextsOf(language);
  const { scenarios, usages } = reportTextsOf(language);
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
    html`${renderTexts(texts.scenarios.map((format) => format(method)))}
<section class="wide" aria-label="${texts.scenariosTitle}" tabindex="0"><table class="uses"><caption class="unseen">${texts.scenariosTitle}</caption>
<thead><tr><th scope="col">${texts.reading}</th>${method.scenarios.map(({ id }) => html`<th scope="col" class="figure">${scenarios[id]}</th>`)}</tr></thead>
<tbody>${rows.map(
      ([label, cells]) => html`
<tr><th scope="row">${label}</th>${cells.map((cell) => html`<td class="figure">${cell}</td>`)}</tr>`,
    )}</tbody></table></section>`,
  );
}

function renderRegions(method: Method, language: Language): Html {
  const texts = methodTextsOf(language);
  const list = (codes: readonly string[]) => (codes.length === 0 ? texts.none : codes.join(" "));
  return renderCard(
    texts.regionsTitle,
    html`${renderTexts(texts.regions.map((format) => format(method)))}
<table><caption class="unseen">${texts.regionsTitle}</caption>
<thead><tr><th scope="col">${texts.vendor}</th><th scope="col">${texts.unsupported}</th><th scope="col">${texts.unclear}</th></tr></thead>
<tbody>${method.regions.vendors.map(
      ({ name, unsupported, unclear }) => html`
<tr><th scope="row">${name}</th><td>${list(unsupported)}</td><td>${list(unclear)}</td></tr>`,
    )}</tbody></table>`,
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
<table class="sources"><caption class="unseen">${texts.sourcesTitle}</caption>
<thead><tr><th scope="col">${texts.family}</th><th scope="col">${texts.members}</th><th scope="col">${texts.covers}</th></tr></thead>
<tbody>${[...families].map(
      ([family, members]) => html`
<tr><th scope="row">${family}</th><td>${members.map(
        ({ name, kind, weight }) =>
          html`<p><bdi>${name}</bdi> (${weight}) <span class="tag">${texts.kinds[kind]}</span></p>`,
      )}</td><td>${matters(members).join(", ")}</td></tr>`,
    )}</tbody></table>`,
  );
}

function renderVersions(method: Method, language: Language): Html {
  const texts = methodTextsOf(language);
  return renderCard(
    texts.changesTitle,
    html`<dl class="unknowns">${method.versions.map(
      ({
        version,
        date,
        changes,
      }) => html`<div><dt>${texts.version(version)} <span class="quiet"><time datetime="${date}">${date}</time></span></dt>
<dd><ul>${changes.map((change) => html`<li>${nameOf(texts.changes, change)}</li>`)}</ul></dd></div>`,
    )}</dl>`,
  );
}

function renderCuts(
  title: string,
  name: string,
  from: string,
  rows: readonly (readonly [label: string, from: number])[],
): Html {
  return renderCard(
    title,
    html`<table><caption class="unseen">${title}</caption>
<thead><tr><th scope="col">${name}</th><th scope="col" class="figure">${from}</th></tr></thead>
<tbody>${rows.map(([label, cut]) => html`<tr><th scope="row">${label}</th><td class="figure">${cut}</td></tr>`)}</tbody></table>`,
  );
}

function renderTexts(texts: readonly string[]): Html {
  return html`${texts.map((text) => html`<p>${text}</p>\n`)}`;
}
