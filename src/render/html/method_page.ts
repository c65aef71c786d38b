import { type MethodReading, type MethodTexts, methodTextsOf, nameFamily, reportTextsOf } from "#locale";
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
    head: html`<link rel="stylesheet" href="/static/guide.css">\n`,
    body: html`<div class="method">
<section class="card"><h1>${texts.title}</h1>
<p class="quiet">${texts.version(method.version)}</p>
${renderTexts(word(texts.lead, method))}</section>
${renderContents(context)}
${renderExample(context)}
${renderRules(context)}
${renderCard(
  texts.bandsTitle,
  html`<ul class="ranks">${method.bands.map(
    ([band, from]) => html`<li class="band-${band}"><b>${bands[band]}</b> ${from}+</li>\n`,
  )}</ul>`,
  { id: "bands" },
)}
${renderWeighing(context)}
${renderConfidence(context)}
${renderRange(context)}
${renderScenarios(context)}
${renderRegions(context)}
${renderAccuracy(context)}
${method.sources.length > 0 && renderSources(context)}
${renderVersions(context)}
</div>`,
  });
}

function renderContents({ method, texts }: MethodContext): Html {
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

/** Words sentences with the numbers of the method. */
function word(sentences: readonly ((method: Method) => string)[], method: Method): readonly string[] {
  return sentences.map((format) => format(method));
}

/** Renders sentences as a card: the first three as points, the rest folded. */
function renderPointsCard(id: string, title: string, points: readonly string[], texts: MethodTexts): Html {
  return renderCard(
    title,
    html`${renderPoints(points.slice(0, 3))}
${renderFolded(texts.more, renderPoints(points.slice(3)))}`,
    { id },
  );
}

function renderWeighing({ method, texts }: MethodContext): Html {
  const points = word(texts.weighing, method);
  return renderPointsCard("weighing", texts.weighingTitle, points, texts);
}

/** The three degrees; what counts as checked is folded. */
function renderConfidence({ method, texts }: MethodContext): Html {
  const kinds = method.confidence.core.map((it) => nameOf(texts.evidenceKinds, it));
  const points = texts.confidence.map((format) => format(method, kinds));
  return renderPointsCard("confidence", texts.confidenceTitle, points, texts);
}

/** Renders the first sentence as text, then the others with a table, folded. `between` is what stands before the fold. */
function renderTableCard(
  id: string,
  title: string,
  [first = "", ...others]: readonly string[],
  {
    table,
    between,
    texts,
  }: { readonly table: TableParts; readonly between?: Html; readonly texts: MethodTexts },
): Html {
  return renderCard(
    title,
    html`${renderTexts([first])}
${between}${renderFolded(texts.table, html`${renderTexts(others)}${renderWide(title, renderTable({ caption: title, ...table }))}`)}`,
    { id },
  );
}

function renderRange({ method, language, texts }: MethodContext): Html {
  const { usages } = reportTextsOf(language);
  const kinds: Readonly<Record<keyof Method["range"], string>> = { ...texts.rangeKinds, ...usages };
  const columns = [...COVERED_KINDS, "total"] as const;
  const names = COVERED_KINDS.map((kind) => nameOf(texts.evidenceKinds, kind));
  const sentences = word(texts.range, method);
  const table = {
    style: "uses",
    heads: [texts.kindOfAddress, ...names, texts.together],
    figuresFrom: 1,
    rows: RANGE_KINDS.map((kind) => [kinds[kind], ...columns.map((column) => method.range[kind][column])]),
  };
  return renderTableCard("range", texts.rangeTitle, sentences, { table, texts });
}

function renderScenarios({ method, language, texts }: MethodContext): Html {
  const { scenarios, usages, levels } = reportTextsOf(language);
  const readCell = (scenario: MethodScenario, id: MethodReading) => {
    if (id === "lists") return scenario.lists.join(" / ");
    return id === "needs" ? nameOf(texts.evidenceKinds, scenario.needs) : scenario[id];
  };
  const readings = Object.keys(texts.readings) as MethodReading[];
  const sentences = word(texts.scenarios, method);
  const between = html`<h3>${texts.levelsTitle}</h3>
<ul class="ranks">${method.levels.map(([level, from]) => html`<li><b>${levels[level]}</b> ${from}+</li>\n`)}</ul>
`;
  const table = {
    style: "uses",
    heads: [texts.reading, ...method.scenarios.map(({ id }) => scenarios[id])],
    figuresFrom: 1,
    rows: [
      ...USAGE_TYPES.map((type) => [usages[type], ...method.scenarios.map(({ usage }) => usage[type])]),
      ...readings.map((id) => [texts.readings[id], ...method.scenarios.map((one) => readCell(one, id))]),
    ],
  };
  return renderTableCard("uses", texts.scenariosTitle, sentences, { table, between, texts });
}

function renderRegions({ method, language, texts }: MethodContext): Html {
  const { scenarios } = reportTextsOf(language);
  const list = (codes: readonly string[]) => (codes.length === 0 ? texts.none : codes.join(" "));
  const sentences = word(texts.regions, method);
  const table = {
    heads: [texts.vendor, texts.use, texts.listed, texts.unsupported, texts.unclear],
    rows: method.regions.map(({ use, name, url, asOf, unsupported, unclear }) => [
      html`<a href="${url}" rel="noopener noreferrer">${name}</a>`,
      scenarios[use],
      html`<time datetime="${asOf}">${asOf}</time>`,
      list(unsupported),
      list(unclear),
    ]),
  };
  return renderTableCard("regions", texts.regionsTitle, sentences, { table, texts });
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
      members.map(
        ({ name, kind, weight }) =>
          html`<p><bdi>${name}</bdi> (${weight}) <span class="tag">${texts.kinds[kind]}</span></p>`,
      ),
      matters(members).join(", "),
    ]),
  });
  return renderCard(
    texts.sourcesTitle,
    html`<p>${texts.sources}</p>
${renderFolded(texts.table, table)}`,
    { id: "sources" },
  );
}

function renderVersions({ method, texts }: MethodContext): Html {
  const [newest, ...older] = method.versions.map(
    ({
      version,
      date,
      changes,
    }) => html`<div><dt>${texts.version(version)} <span class="quiet"><time datetime="${date}">${date}</time></span></dt>
<dd><ul class="bullets">${changes.map((change) => html`<li>${nameOf(texts.changes, change)}</li>`)}</ul></dd></div>`,
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
