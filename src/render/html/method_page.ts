import {
  type MethodReading,
  type MethodTexts,
  methodTextsOf,
  nameCountry,
  nameFamily,
  nameSource,
  reportTextsOf,
} from "#locale";
import {
  COVERED_KINDS,
  type Language,
  type Method,
  type MethodScenario,
  type MethodSource,
  USAGE_TYPES,
} from "#report";
import { pagePathOf } from "../paths.ts";
import { nameOf } from "../report_fields.ts";
import { cardOfPage, renderDocument } from "./document.ts";
import { type Html, html } from "./html.ts";
import { renderAccuracy } from "./method_accuracy.ts";
import { type MethodContext, renderExample, renderRules } from "./method_rules.ts";
import { renderCard, renderTable, renderWide, type TableParts } from "./parts.ts";

/** The targets of the contents, in the order of the page. */
const PARTS = [
  ...["bands", "example", "rules", "weighing", "confidence", "range", "uses", "accuracy", "regions"],
  ...["sources", "changes"],
] as const;

const RANGE_KINDS = ["tor", "vpn", "listed", ...USAGE_TYPES] as const;

/**
 * Renders the page that documents the scoring method. Every number comes from `method`. `origin` is the public origin
 * of its links without a trailing slash.
 */
export function renderMethodPage(method: Method, language: Language, origin: string): string {
  const texts = methodTextsOf(language);
  const context: MethodContext = { method, language, texts };
  const { bands } = reportTextsOf(language);
  return renderDocument({
    language,
    title: `${texts.title} - limpid`,
    description: texts.description,
    path: { zh: pagePathOf("method", "zh"), en: pagePathOf("method", "en") },
    published: {
      origin,
      card: cardOfPage("method", language),
      data: { "@type": "TechArticle", headline: texts.title },
    },
    head: html`<link rel="stylesheet" href="/static/guide.css">\n<link rel="stylesheet" href="/static/method.css">\n`,
    body: html`<section class="card opening"><div><h1>${texts.title}</h1>
<p class="formula">${texts.formula}</p>
${renderTexts(texts.lead(method))}</div>
<div><h2 id="bands">${texts.bandsTitle}</h2>
${renderRanks(method.bands, bands, "band-")}</div></section>
<div class="method">${renderContents(context)}
<div class="parts">${renderExample(context)}
${renderRules(context)}
${renderWeighing(context)}
${renderConfidence(context)}
${renderRange(context)}
${renderScenarios(context)}
${renderAccuracy(context)}
<section class="card folds">${renderRegions(context)}
${method.sources.length > 0 && renderSources(context)}
${renderVersions(context)}</section>
</div></div>`,
  });
}

function renderContents({ method, texts }: MethodContext): Html {
  const parts = PARTS.filter((id) => id !== "sources" || method.sources.length > 0);
  return html`<nav aria-label="${texts.contents}"><details class="roomy"><summary><h2>${texts.contents}</h2></summary>
<ul>${parts.map((id) => html`<li><a href="#${id}">${texts[`${id}Title`]}</a></li>\n`)}</ul></details></nav>`;
}

/** Renders the names of bands or levels with the scores of each. `from` are lower bounds, best first. */
function renderRanks<Id extends string>(
  from: readonly (readonly [Id, number])[],
  names: Readonly<Record<Id, string>>,
  style: string,
): Html {
  return html`<ul class="ranks">${from.map(
    ([id, least], at) =>
      html`<li class="${style}${id}"><b>${names[id]}</b> ${least}–${(from[at - 1]?.[1] ?? 101) - 1}</li>\n`,
  )}</ul>`;
}

/** The first two rules of weighting; the others are folded. */
function renderWeighing({ method, texts }: MethodContext): Html {
  const points = texts.weighing(method);
  const folded = renderFolded(texts.more, renderPoints(points.slice(2)));
  return renderCard(texts.weighingTitle, html`${renderPoints(points.slice(0, 2))}\n${folded}`, {
    id: "weighing",
  });
}

/** The three degrees; what counts as checked is folded. */
function renderConfidence({ method, language, texts }: MethodContext): Html {
  const { confidences } = reportTextsOf(language);
  const points = texts.confidence(method);
  const degrees = [confidences.high, confidences.medium, confidences.low];
  return renderCard(
    texts.confidenceTitle,
    html`<p>${texts.confidenceLead}</p>
<dl class="degrees">${degrees.map((name, at) => html`<div><dt>${name}</dt><dd>${points[at]}</dd></div>\n`)}</dl>
${renderFolded(texts.more, renderPoints(points.slice(degrees.length)))}`,
    { id: "confidence" },
  );
}

/** Renders the first sentence as text, then the others with a table, folded. `before` is what stands above the table. */
function renderTableCard(
  id: "range" | "uses",
  texts: MethodTexts,
  [first = "", ...others]: readonly string[],
  table: TableParts,
  before?: Html,
): Html {
  const caption = texts[`${id}Title`];
  const folded = html`${renderTexts(others)}${before}${renderWide(caption, renderTable({ caption, ...table }))}`;
  return renderCard(caption, html`${renderTexts([first])}\n${renderFolded(texts.table, folded)}`, { id });
}

function renderRange({ method, language, texts }: MethodContext): Html {
  const { usages } = reportTextsOf(language);
  const kinds: Readonly<Record<keyof Method["range"], string>> = { ...texts.rangeKinds, ...usages };
  const columns = [...COVERED_KINDS, "total"] as const;
  const names = COVERED_KINDS.map((kind) => nameOf(texts.evidenceKinds, kind));
  return renderTableCard("range", texts, texts.range(method), {
    style: "uses",
    heads: [texts.kindOfAddress, ...names, texts.together],
    figuresFrom: 1,
    rows: RANGE_KINDS.map((kind) => [kinds[kind], ...columns.map((column) => method.range[kind][column])]),
  });
}

function renderScenarios({ method, language, texts }: MethodContext): Html {
  const { scenarios, usages, levels } = reportTextsOf(language);
  const readCell = (scenario: MethodScenario, id: MethodReading) => {
    if (id === "lists") return scenario.lists.join(" / ");
    return id === "needs" ? nameOf(texts.evidenceKinds, scenario.needs) : scenario[id];
  };
  const readings = Object.keys(texts.readings) as MethodReading[];
  const before = html`<h3>${texts.levelsTitle}</h3>
${renderRanks(method.levels, levels, "level-")}`;
  const table = {
    style: "uses",
    heads: [texts.reading, ...method.scenarios.map(({ id }) => scenarios[id])],
    figuresFrom: 1,
    rows: [
      ...USAGE_TYPES.map((type) => [usages[type], ...method.scenarios.map(({ usage }) => usage[type])]),
      ...readings.map((id) => [texts.readings[id], ...method.scenarios.map((one) => readCell(one, id))]),
    ],
  };
  return renderTableCard("uses", texts, texts.scenarios(method), table, before);
}

function renderRegions({ method, language, texts }: MethodContext): Html {
  const { scenarios } = reportTextsOf(language);
  const list = (codes: readonly string[]) =>
    codes.map((code) => nameCountry(code, language)).join(texts.comma) || texts.none;
  const table = renderTable({
    caption: texts.regionsTitle,
    heads: [texts.vendor, texts.use, texts.listed, texts.unsupported, texts.unclear],
    rows: method.regions.map(({ use, name, url, asOf, unsupported, unclear }) => [
      html`<a href="${url}" rel="noopener noreferrer">${name}</a>`,
      scenarios[use],
      html`<time datetime="${asOf}">${asOf}</time>`,
      list(unsupported),
      list(unclear),
    ]),
  });
  const body = html`${renderTexts(texts.regions(method))}${renderWide(texts.regionsTitle, table)}`;
  return renderFolded(texts.regionsTitle, body, "regions");
}

function renderSources({ method, language, texts }: MethodContext): Html {
  const matters = (members: readonly MethodSource[]) =>
    [...new Set(members.flatMap((source) => source.matters))].map((it) => nameOf(texts.evidenceKinds, it));
  const table = renderTable({
    caption: texts.sourcesTitle,
    style: "sources",
    heads: [texts.family, texts.members, texts.covers],
    rows: [...Map.groupBy(method.sources, ({ family }) => family)].map(([family, members]) => [
      nameFamily(family, language),
      members.map(({ name: id, kind, weight }) => {
        const name = nameSource(id, language);
        // The only source of a provider often has its name.
        const isNamed = members.length > 1 || name !== nameFamily(family, language);
        return html`<p>${isNamed && html`<bdi>${name}</bdi> · `}${texts.weight} ${weight} <span class="tag">${texts.kinds[kind]}</span></p>`;
      }),
      matters(members).join(texts.comma) || "–",
    ]),
  });
  return renderFolded(texts.sourcesTitle, html`<p>${texts.sources}</p>\n${table}`, "sources");
}

function renderVersions({ method, texts }: MethodContext): Html {
  const versions = method.versions.map(
    (one) => html`<h3>${texts.version(one.version)} <time datetime="${one.date}">${one.date}</time></h3>
${renderPoints(one.changes.map((change) => nameOf(texts.changes, change)))}`,
  );
  return renderFolded(texts.changesTitle, html`${versions}`, "changes");
}

/** Renders a part that opens without script; with `id`, a section whose title is a heading. A link to it opens it. */
function renderFolded(title: string, body: Html, id?: string): Html {
  return html`<details><summary>${id === undefined ? title : html`<h2>${title}</h2>`}</summary>
<div class="inside"${id !== undefined && html` id="${id}"`}>${body}</div></details>`;
}

function renderPoints(texts: readonly string[]): Html {
  return html`<ul class="bullets">${texts.map((text) => html`<li>${text}</li>\n`)}</ul>`;
}

function renderTexts(texts: readonly string[]): Html {
  return html`${texts.map((text) => html`<p>${text}</p>\n`)}`;
}
