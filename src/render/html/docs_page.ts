import { type DocsTexts, docsTextsOf } from "#locale";
import type { Language } from "#report";
import { docsPathOf } from "../paths.ts";
import { type Operation, renderOperation } from "./docs_operation.ts";
import { renderDocument, renderHead } from "./document.ts";
import { type Html, html } from "./html.ts";
import {
  itemsOf,
  listFields,
  membersOf,
  type OpenApiPart,
  objectOf,
  renderProse,
  renderType,
  textOf,
} from "./openapi_document.ts";

/** What the page shows. `description` is an OpenAPI 3.1 document, `origin` the public origin without a trailing slash. */
export interface DocsPageParts {
  readonly description: OpenApiPart;
  readonly language: Language;
  readonly origin: string;
}

const METHODS = ["get", "post", "put", "delete"];

/** The name of an English operation is the name of the Chinese one with this suffix. */
const ENGLISH_SUFFIX = "InEnglish";

/**
 * Renders the API documentation: the operations by tag, each with parameters, responses, headers and examples, then the
 * documents with their fields. It needs no script and no style sheet of its own.
 */
export function renderDocsPage({ description, language, origin }: DocsPageParts): string {
  const texts = docsTextsOf(language);
  const title = `${texts.title} - limpid`;
  const path = { zh: docsPathOf("zh"), en: docsPathOf("en") };
  const info = objectOf(description.info);
  const operations = listOperations(description);
  const tags = itemsOf(description.tags);
  const components = objectOf(description.components);
  return renderDocument({
    language,
    title,
    description: texts.description,
    path,
    head: renderHead({ language, title, description: texts.description, origin, path }),
    body: html`<div class="docs">
<section class="card"><h1>${texts.title}</h1>
<p>${texts.lead}</p>
<p>${texts.source} <a href="/openapi.json">/openapi.json</a></p>
${renderProse(textOf(info.description))}
</section>
${renderContents(tags, operations, components, texts)}
${tags.map(
  (tag) => html`<section class="card"><h2 id="tag-${textOf(tag.name)}">${textOf(tag.name)}</h2>
${renderProse(textOf(tag.description))}
${operations
  .filter(({ operation }) => isTagged(operation, textOf(tag.name)))
  .map((one) => renderOperation(one, texts, origin, findChinese(one, operations)))}</section>\n`,
)}${renderDocuments(components, texts)}
${renderHeaders(components, texts)}
${renderCookies(components, texts)}
</div>`,
  });
}

function listOperations(description: OpenApiPart): readonly Operation[] {
  return membersOf(description.paths).flatMap(([path, item]) =>
    membersOf(item).flatMap(([method, operation]) =>
      METHODS.includes(method) ? [{ path, method, operation }] : [],
    ),
  );
}

function isTagged({ tags }: OpenApiPart, name: string): boolean {
  return Array.isArray(tags) && tags[0] === name;
}

function findChinese({ operation }: Operation, operations: readonly Operation[]): Operation | undefined {
  const id = textOf(operation.operationId);
  if (!id.endsWith(ENGLISH_SUFFIX)) return undefined;
  const name = id.slice(0, -ENGLISH_SUFFIX.length);
  return operations.find((other) => other.operation.operationId === name);
}

function renderContents(
  tags: readonly OpenApiPart[],
  operations: readonly Operation[],
  components: OpenApiPart,
  texts: DocsTexts,
): Html {
  return html`<nav class="card" aria-labelledby="contents"><h2 id="contents">${texts.contents}</h2>
<ul class="contents">${tags.map(
    (tag) => html`
<li><a href="#tag-${textOf(tag.name)}">${textOf(tag.name)}</a>
<ul>${operations
      .filter(({ operation }) => isTagged(operation, textOf(tag.name)))
      .map(
        ({ path, method, operation }) => html`
<li><a href="#${textOf(operation.operationId)}"><span class="verb">${method.toUpperCase()}</span> ${path}</a></li>`,
      )}</ul></li>`,
  )}
<li><a href="#documents">${texts.documents}</a>
<ul>${membersOf(components.schemas).map(
    ([name]) => html`
<li><a href="#schema-${name}">${name}</a></li>`,
  )}</ul></li></ul>
</nav>`;
}

function renderDocuments(components: OpenApiPart, texts: DocsTexts): Html {
  return html`<section class="card"><h2 id="documents">${texts.documents}</h2>
${membersOf(components.schemas).map(
  ([name, schema]) => html`<section class="operation"><h3 id="schema-${name}">${name}</h3>
${renderProse(textOf(schema.description))}
<section class="wide" aria-label="${name}" tabindex="0"><table>
<thead><tr><th scope="col">${texts.field}</th><th scope="col">${texts.type}</th><th scope="col">${texts.meaning}</th></tr></thead>
<tbody>${listFields(schema).map(
    (field) => html`
<tr><th scope="row"><code>${field.name}</code></th><td>${renderType(field.schema)}${field.required && html`<br><span class="quiet">${texts.required}</span>`}</td><td>${renderProse(textOf(field.schema.description))}</td></tr>`,
  )}</tbody></table></section>
</section>\n`,
)}</section>`;
}

function renderHeaders(components: OpenApiPart, texts: DocsTexts): Html {
  return html`<section class="card"><h2>${texts.headers}</h2>
<dl class="answers">${membersOf(components.headers).map(
    ([name, header]) => html`
<div><dt id="header-${name}"><code>${name}</code></dt><dd>${renderProse(textOf(header.description))}<p class="quiet"><code>${textOf(header.example)}</code></p></dd></div>`,
  )}</dl></section>`;
}

function renderCookies(components: OpenApiPart, texts: DocsTexts): Html | false {
  const cookies = membersOf(components.securitySchemes).filter(([, scheme]) => scheme.in === "cookie");
  if (cookies.length === 0) return false;
  return html`<section class="card"><h2>${texts.cookies}</h2>
<dl class="answers">${cookies.map(
    ([, scheme]) => html`
<div><dt><code>${textOf(scheme.name)}</code></dt><dd>${renderProse(textOf(scheme.description))}</dd></div>`,
  )}</dl></section>`;
}
