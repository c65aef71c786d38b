import { type MethodReading, methodWordsOf, wordsOf } from "#locale";
import { type Language, type Method, type MethodSource, USAGE_TYPES } from "#report";
import { describeWeight } from "./describe_weight.ts";
import { drawCard } from "./draw_card.ts";
import { drawDocument } from "./draw_document.ts";
import { drawHead } from "./draw_head.ts";
import { type Html, html } from "./html.ts";
import { methodPathOf } from "./method_path_of.ts";
import { nameOf } from "./name_of.ts";

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
 * The method of scoring as one HTML document: every number comes from `method`, every word from the texts. Needs no
 * script and no inline style; `origin` is the public origin of its links, without a trailing slash.
 */
export function renderMethod(method: Method, language: Language, origin: string): string {
  const words = methodWordsOf(language);
  const { headings } = wordsOf(language);
  const title = `${words.title} - limpid`;
  const { description } = words;
  const path = { zh: methodPathOf("zh"), en: methodPathOf("en") };
  return drawDocument({
    language,
    title,
    description,
    path,
    head: drawHead({ language, title, description, origin, path }),
    body: html`<div class="method">
<section class="card"><h1>${words.title}</h1>
<p class="quiet">${words.version(method.version)}</p>
${drawTexts(words.lead.map((tell) => tell(method)))}</section>
${drawRules(method, language)}
${drawCard(words.weighingTitle, drawTexts(words.weighing.map((tell) => tell(method))))}
<div class="pair">
${drawCuts(
  words.bandsTitle,
  words.band,
  words.from,
  method.bands.map(([band, from]) => [wordsOf(language).bands[band], from]),
)}
${drawCard(
  words.confidenceTitle,
  drawTexts(
    words.confidence.map((tell) =>
      tell(
        method,
        method.confidence.core.map((it) => nameOf(words.matters, it)),
      ),
    ),
  ),
)}
</div>
${drawScenarios(method, language)}
<div class="pair">
${drawCuts(
  words.levelsTitle,
  headings.level,
  headings.score,
  method.levels.map(([level, from]) => [wordsOf(language).levels[level], from]),
)}
${drawRegions(method, language)}
</div>
${method.sources.length > 0 && drawSources(method, language)}
${drawVersions(method, language)}
</div>`,
    footer: html`<p>${headings.disclaimer}</p>\n`,
  });
}

function drawRules(method: Method, language: Language): Html {
  const words = methodWordsOf(language);
  const { factors, categories } = wordsOf(language);
  return drawCard(
    words.rulesTitle,
    html`<table class="rules"><caption class="unseen">${words.rulesTitle}</caption>
<thead><tr><th scope="col">${words.rule}</th><th scope="col">${words.weight}</th></tr></thead>
<tbody>${method.rules.map(
      (rule) => html`
<tr id="${rule.id}"><th scope="row">${nameOf(labelsOf(factors), rule.id)} <span class="tag">${nameOf(categories, rule.category)}</span> <code>${rule.id}</code>
<p class="words">${nameOf(words.rules, rule.id)}</p></th>
<td>${describeWeight(rule, language).map((line) => html`<p>${line}</p>`)}</td></tr>`,
    )}</tbody></table>`,
  );
}

function drawScenarios(method: Method, language: Language): Html {
  const words = methodWordsOf(language);
  const { scenarios, usages } = wordsOf(language);
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ...USAGE_TYPES.map(
      (type) => [usages[type], method.scenarios.map(({ usage }) => String(usage[type]))] as const,
    ),
    ...READINGS.map((id) => {
      const cells = method.scenarios.map((scenario) => {
        if (id === "lists") return scenario.lists.join(" / ");
        return id === "needs" ? nameOf(words.matters, scenario.needs) : String(scenario[id]);
      });
      return [words.readings[id], cells] as const;
    }),
  ];
  return drawCard(
    words.scenariosTitle,
    html`${drawTexts(words.scenarios.map((tell) => tell(method)))}
<section class="wide" aria-label="${words.scenariosTitle}" tabindex="0"><table class="uses"><caption class="unseen">${words.scenariosTitle}</caption>
<thead><tr><th scope="col">${words.reading}</th>${method.scenarios.map(({ id }) => html`<th scope="col" class="figure">${scenarios[id]}</th>`)}</tr></thead>
<tbody>${rows.map(
      ([label, cells]) => html`
<tr><th scope="row">${label}</th>${cells.map((cell) => html`<td class="figure">${cell}</td>`)}</tr>`,
    )}</tbody></table></section>`,
  );
}

function drawRegions(method: Method, language: Language): Html {
  const words = methodWordsOf(language);
  const list = (codes: readonly string[]) => (codes.length === 0 ? words.none : codes.join(" "));
  return drawCard(
    words.regionsTitle,
    html`${drawTexts(words.regions.map((tell) => tell(method)))}
<table><caption class="unseen">${words.regionsTitle}</caption>
<thead><tr><th scope="col">${words.vendor}</th><th scope="col">${words.unsupported}</th><th scope="col">${words.unclear}</th></tr></thead>
<tbody>${method.regions.vendors.map(
      ({ name, unsupported, unclear }) => html`
<tr><th scope="row">${name}</th><td>${list(unsupported)}</td><td>${list(unclear)}</td></tr>`,
    )}</tbody></table>`,
  );
}

function drawSources(method: Method, language: Language): Html {
  const words = methodWordsOf(language);
  const families = Map.groupBy(method.sources, (source) => source.family);
  const matters = (members: readonly MethodSource[]) =>
    [...new Set(members.flatMap((source) => source.matters))].map((it) => nameOf(words.matters, it));
  return drawCard(
    words.sourcesTitle,
    html`<p>${words.sources}</p>
<table class="sources"><caption class="unseen">${words.sourcesTitle}</caption>
<thead><tr><th scope="col">${words.family}</th><th scope="col">${words.members}</th><th scope="col">${words.covers}</th></tr></thead>
<tbody>${[...families].map(
      ([family, members]) => html`
<tr><th scope="row">${family}</th><td>${members.map(
        ({ name, kind, weight }) =>
          html`<p><bdi>${name}</bdi> (${weight}) <span class="tag">${words.kinds[kind]}</span></p>`,
      )}</td><td>${matters(members).join(", ")}</td></tr>`,
    )}</tbody></table>`,
  );
}

function drawVersions(method: Method, language: Language): Html {
  const words = methodWordsOf(language);
  return drawCard(
    words.changesTitle,
    html`<dl class="unknowns">${method.versions.map(
      ({
        version,
        date,
        changes,
      }) => html`<div><dt>${words.version(version)} <span class="quiet"><time datetime="${date}">${date}</time></span></dt>
<dd><ul>${changes.map((change) => html`<li>${nameOf(words.changes, change)}</li>`)}</ul></dd></div>`,
    )}</dl>`,
  );
}

function drawCuts(
  title: string,
  name: string,
  from: string,
  rows: readonly (readonly [label: string, from: number])[],
): Html {
  return drawCard(
    title,
    html`<table><caption class="unseen">${title}</caption>
<thead><tr><th scope="col">${name}</th><th scope="col" class="figure">${from}</th></tr></thead>
<tbody>${rows.map(([label, cut]) => html`<tr><th scope="row">${label}</th><td class="figure">${cut}</td></tr>`)}</tbody></table>`,
  );
}

function drawTexts(texts: readonly string[]): Html {
  return html`${texts.map((text) => html`<p>${text}</p>\n`)}`;
}

function labelsOf(
  phrases: Readonly<Partial<Record<string, { readonly label: string }>>>,
): Record<string, string> {
  return Object.fromEntries(Object.entries(phrases).map(([id, phrase]) => [id, phrase?.label ?? id]));
}
