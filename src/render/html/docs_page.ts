import { docsTextsOf, localizeProblem, type ServiceLimits } from "#locale";
import { type Language, PROBLEM_CODES, PROBLEM_STATUSES } from "#report";
import { pagePathOf, reportPathOf } from "../paths.ts";
import { type DocsContext, type Operation, renderExample, renderOperation } from "./docs_operation.ts";
import { renderDocument } from "./document.ts";
import { type Html, html, preformatted } from "./html.ts";
import {
  type DocumentField,
  itemsOf,
  listFields,
  membersOf,
  type OpenApiPart,
  objectOf,
  referenceOf,
  renderPhrase,
  renderProse,
  renderType,
  textOf,
} from "./openapi_document.ts";
import { breakUrl, renderCode, renderTable, renderWide } from "./parts.ts";

/**
 * What the page shows. `description` is an OpenAPI 3.1 document, `origin` the public origin without a trailing slash,
 * `limits` the limits in force.
 */
export interface DocsPageParts {
  readonly description: OpenApiPart;
  readonly limits: ServiceLimits;
  readonly language: Language;
  readonly origin: string;
}

/**
 * Renders the API documentation: a quick start, the operations by tag, each folded, then the documents with their
 * fields, the headers and the cookies. A script adds other languages and tries the calls.
 */
export function renderDocsPage({ description, limits, language, origin }: DocsPageParts): string {
  const texts = docsTextsOf(language);
  const context: DocsContext = { texts, language, origin };
  const operations = membersOf(description.paths).flatMap(([path, item]) =>
    membersOf(item).map(([method, operation]) => ({ path, method, operation })),
  );
  const tags = itemsOf(description.tags);
  const components = objectOf(description.components);
  const headers = membersOf(components.headers);
  const schemes = membersOf(components.securitySchemes).filter(([, scheme]) => scheme.in === "cookie");
  const cookies = schemes.map(([, scheme]) => [textOf(scheme.name), scheme] as const);
  return renderDocument({
    language,
    title: `${texts.title} - limpid`,
    description: texts.description,
    path: { zh: pagePathOf("docs", "zh"), en: pagePathOf("docs", "en") },
    published: { origin },
    scripts: ["/static/docs.js"],
    head: html`<link rel="stylesheet" href="/static/guide.css">\n`,
    breaksNames: true,
    body: html`<div class="docs">
<section class="card"><h1>${texts.title}</h1>
<p>${renderCode(texts.lead)}<a href="/openapi.json">/openapi.json</a></p></section>
${renderContents(tags, context)}
<section class="card" id="start"><h2>${texts.quickTitle}</h2>
${renderQuickStart(context)}
${renderFields(components, context)}</section>
<section class="card" id="limits"><h2>${texts.useTitle}</h2>
${renderTable({
  caption: texts.useTitle,
  style: "limits",
  heads: texts.limitHeads,
  // Each limit of a cell stands on its own line.
  rows: texts
    .limits(limits)
    .map((row) =>
      row.map((cell) => cell.split(/(?<=，|, )/).map((part) => html`<span>${renderCode(part)}</span>`)),
    ),
})}
<ul class="bullets">${texts.use.map((text) => html`<li>${renderCode(text)}</li>\n`)}</ul>
${renderErrors(context)}</section>
${tags.map((tag) => renderTag(tag, operations, context))}${renderDocuments(components, context)}
${renderFolded("headers", texts.headers, headers.length, renderNames("header", headers, language), "fold operation")}
${renderFolded("cookies", texts.cookies, cookies.length, renderNames("cookie", cookies, language), "fold operation")}
</div>`,
  });
}

/** Every error code with its status, what it means and what to do: the texts of the errors themselves. */
function renderErrors({ texts, language }: DocsContext): Html {
  const rows = PROBLEM_CODES.map((code) => {
    const { error, hint } = localizeProblem(code, language, {});
    const status = `${code === "too_large" ? "413, " : ""}${PROBLEM_STATUSES[code]}`;
    return [html`<code>${code}</code>`, status, html`${error} ${renderCode(hint)}`];
  });
  return html`<details class="operation"><summary><h3>${texts.errorCodes}</h3></summary>
<div class="inside" id="errors">${renderWide(texts.errorCodes, renderTable({ heads: texts.errorHeads, rows }))}</div></details>`;
}

/** The id of a section: an id has no spaces. */
function idOf(tag: string): string {
  return `tag-${tag.replaceAll(" ", "-")}`;
}

function renderTag(tag: OpenApiPart, operations: readonly Operation[], context: DocsContext): Html {
  const { language } = context;
  const name = textOf(tag.name);
  const tagged = operations.filter(({ operation: { tags } }) => Array.isArray(tags) && tags[0] === name);
  const title = renderPhrase(name, language);
  const content = html`${renderProse(textOf(tag.description), language)}
${tagged.map((one) => renderOperation(one, context))}`;
  // Few readers look for these.
  if (["Operator", "Pages"].includes(name)) return renderFolded(idOf(name), title, tagged.length, content);
  return html`<section class="card"><h2 id="${idOf(name)}">${title}</h2>
${content}</section>\n`;
}

/**
 * Renders a section that stays folded until the reader, a link to it or the filter opens it. With the style `operation`
 * the filter finds it as a whole.
 */
function renderFolded(id: string, title: Html | string, count: number, content: Html, style = "fold"): Html {
  return html`<section class="card"><details class="${style}"><summary><h2 id="${id}">${title}</h2> <span class="quiet">${String(count)}</span></summary>
${content}</details></section>\n`;
}

/** Five calls that show what the service does. */
function renderQuickStart({ texts, language, origin }: DocsContext): Html {
  const english = language === "en" ? "/en" : "";
  const calls: readonly (readonly [string, string])[] = [
    [texts.quick.own, `${origin}/api/myip?format=text`],
    [texts.quick.json, origin + reportPathOf("me", language, ".json")],
    [texts.quick.text, origin + reportPathOf("me", language, ".txt")],
    [texts.quick.terminal, `${origin}${english}/cli/me`],
    [texts.quick.gate, `${origin}${english}/gate/me?scenario=ai&min=70`],
  ];
  return html`<p id="me">${renderCode(texts.quickMe)}</p>
<dl class="shell">${calls.map(
    ([name, url]) => html`
<div><dt>${name}</dt><dd class="call" data-url="${url}" data-tried><code tabindex="0">curl '${breakUrl(url)}'</code></dd></div>`,
  )}</dl>`;
}

/** Renders the fields that most programs read, from an example of a report. */
function renderFields(components: OpenApiPart, { texts, language }: DocsContext): Html {
  const report = objectOf(objectOf(objectOf(components.examples)[`bad_${language}`]).value);
  const risk = objectOf(report.risk);
  const { purity, level, confidence } = risk;
  const factors = itemsOf(risk.factors).map(({ id, points }) => ({ id, points }));
  const scenarios = itemsOf(report.scenarios)
    .slice(0, 1)
    .map(({ id, score, low }) => ({ id, score, low }));
  const unknowns = itemsOf(report.unknowns)
    .slice(0, 1)
    .map(({ id, label }) => ({ id, label }));
  const flags = Object.fromEntries(
    Object.entries(objectOf(report.flags)).filter(([, isSet]) => isSet === true),
  );
  const { ip, usageType, reportUrl } = report;
  const fields = {
    ...{ ip, usageType, flags, risk: { purity, level, confidence, factors } },
    ...{ scenarios, unknowns, reportUrl },
  };
  // What is inside a list, a list of one, the flags and the parts of the score are one line each.
  const oneLine = (text: string) => text.replaceAll(/\n\s*/g, " ");
  const json = JSON.stringify(fields, null, 1)
    .replaceAll(/\{\s+([^{}[\]]*?)\s+\}/g, (_, members: string) => `{ ${oneLine(members)} }`)
    .replaceAll(/\[\s+(\{[^[\]{}]*\})\s+\]/g, "[$1]")
    .replace(/"purity".*?"level"/s, oneLine)
    .replace(/"ip".*?"usageType"/s, oneLine);
  return html`<p class="quiet part">${texts.quick.part}</p>
<pre tabindex="0" class="json"><code>${preformatted(json)}</code></pre>`;
}

/** Links to the parts of the page. A script adds the filter and the choice of the samples' language. */
function renderContents(tags: readonly OpenApiPart[], { texts, language }: DocsContext): Html {
  const links: readonly (readonly [id: string, title: Html | string])[] = [
    ["start", texts.quickTitle],
    ["limits", texts.useTitle],
    ...tags.map(({ name }) => [idOf(textOf(name)), renderPhrase(textOf(name), language)] as const),
    ["documents", texts.documents],
    ["headers", texts.headers],
    ["cookies", texts.cookies],
  ];
  return html`<nav class="card" aria-label="${texts.contents}" data-words="${JSON.stringify(texts.samples)}">
<ul class="toc">${links.map(([id, title]) => html`<li><a href="#${id}">${title}</a></li>\n`)}</ul>
</nav>`;
}

function renderDocuments(components: OpenApiPart, context: DocsContext): Html {
  const { texts, language } = context;
  const schemas = membersOf(components.schemas);
  const errors = membersOf(components.examples).filter(([, { value }]) => "error" in objectOf(value));
  const content = html`${schemas.map(
    ([name, schema]) => html`<details class="operation"><summary><h3><code>${name}</code></h3>
<span class="says">${textOf(objectOf(texts.schemas)[name])}</span></summary>
<div class="inside" id="schema-${name}">
${renderProse(textOf(schema.description), language)}
${renderWide(
  name,
  renderTable({
    heads: [texts.field, texts.type, texts.meaning],
    rows: listFields(schema).map((field) => [
      html`<code>${field.name}</code>`,
      html`${renderType(field.schema)}${field.required && texts.comma + texts.required}`,
      explainField(name, field, context),
    ]),
  }),
)}
${name === "Error" && errors.map(([code, example]) => renderExample({ examples: { [code]: example } }, context))}
</div></details>\n`,
  )}`;
  return renderFolded("documents", texts.documents, schemas.length, content);
}

/** Explains a field by its description, by the text on its name, or by what the schema holds that it refers to. */
function explainField(schemaName: string, { name, schema }: DocumentField, { texts, language }: DocsContext) {
  if (schema.description !== undefined) return renderProse(textOf(schema.description), language);
  const path = `${schemaName}.${name}`.replaceAll("[]", "").split(".");
  const named = [-2, -1].map((start) => objectOf(texts.fields)[path.slice(start).join(".")]);
  const [inner = schema] = itemsOf(schema.anyOf);
  const target = referenceOf(inner) ?? referenceOf(inner.items) ?? "";
  return renderCode(textOf([...named, objectOf(texts.schemas)[target]].find((text) => text !== undefined)));
}

function renderNames(kind: string, parts: ReturnType<typeof membersOf>, language: Language): Html {
  return html`<dl class="answers inside">${parts.map(
    ([name, { description, example }]) => html`
<div><dt id="${kind}-${name}"><code>${name}</code></dt><dd>${renderProse(textOf(description), language)}${example !== undefined && html`<p class="quiet"><code>${textOf(example)}</code></p>`}</dd></div>`,
  )}</dl>`;
}
