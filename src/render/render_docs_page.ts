import { type DocsTexts, docsWordsOf } from "#locale";
import type { Language } from "#report";
import { describeType } from "./describe_type.ts";
import { docsPathOf } from "./docs_path_of.ts";
import { drawDocument } from "./draw_document.ts";
import { drawHead } from "./draw_head.ts";
import { type DescribedOperation, drawOperation } from "./draw_operation.ts";
import { drawProse } from "./draw_prose.ts";
import { type Html, html } from "./html.ts";
import { listFields } from "./list_fields.ts";
import { type Described, describedOf, itemsOf, membersOf, textOf } from "./read_described.ts";

/** What the page is made of: an OpenAPI 3.1 document, and the public origin without a trailing slash. */
export interface DocsParts {
  readonly description: Described;
  readonly language: Language;
  readonly origin: string;
}

const METHODS = ["get", "post", "put", "delete"];

/** How the names of operations end that answer in English what another answers in Chinese. */
const TWIN = "InEnglish";

/**
 * The description of the interface as a page to read: operations by subject, each with parameters, answers, headers and
 * examples, then the documents with their fields. Needs no script and no style of its own, and asks nobody anything.
 */
export function renderDocsPage({ description, language, origin }: DocsParts): string {
  const words = docsWordsOf(language);
  const title = `${words.title} - limpid`;
  const path = { zh: docsPathOf("zh"), en: docsPathOf("en") };
  const info = describedOf(description.info);
  const operations = listOperations(description);
  const tags = itemsOf(description.tags);
  const components = describedOf(description.components);
  return drawDocument({
    language,
    title,
    description: words.description,
    path,
    head: drawHead({ language, title, description: words.description, origin, path }),
    body: html`<div class="docs">
<section class="card"><h1>${words.title}</h1>
<p>${words.lead}</p>
<p>${words.source} <a href="/openapi.json">/openapi.json</a></p>
${drawProse(textOf(info.description))}
</section>
${drawContents(tags, operations, components, words)}
${tags.map(
  (tag) => html`<section class="card"><h2 id="tag-${textOf(tag.name)}">${textOf(tag.name)}</h2>
${drawProse(textOf(tag.description))}
${operations
  .filter(({ operation }) => isTagged(operation, textOf(tag.name)))
  .map((one) => drawOperation(one, words, origin, findTwin(one, operations)))}</section>\n`,
)}${drawDocuments(components, words)}
${drawHeaders(components, words)}
${drawCookies(components, words)}
</div>`,
  });
}

function listOperations(description: Described): readonly DescribedOperation[] {
  return membersOf(description.paths).flatMap(([path, item]) =>
    membersOf(item).flatMap(([method, operation]) =>
      METHODS.includes(method) ? [{ path, method, operation }] : [],
    ),
  );
}

function isTagged({ tags }: Described, name: string): boolean {
  return Array.isArray(tags) && tags[0] === name;
}

function findTwin(
  { operation }: DescribedOperation,
  operations: readonly DescribedOperation[],
): DescribedOperation | undefined {
  const id = textOf(operation.operationId);
  if (!id.endsWith(TWIN)) return undefined;
  const name = id.slice(0, -TWIN.length);
  return operations.find((other) => other.operation.operationId === name);
}

function drawContents(
  tags: readonly Described[],
  operations: readonly DescribedOperation[],
  components: Described,
  words: DocsTexts,
): Html {
  return html`<nav class="card" aria-labelledby="contents"><h2 id="contents">${words.contents}</h2>
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
<li><a href="#documents">${words.documents}</a>
<ul>${membersOf(components.schemas).map(
    ([name]) => html`
<li><a href="#schema-${name}">${name}</a></li>`,
  )}</ul></li></ul>
</nav>`;
}

function drawDocuments(components: Described, words: DocsTexts): Html {
  return html`<section class="card"><h2 id="documents">${words.documents}</h2>
${membersOf(components.schemas).map(
  ([name, schema]) => html`<section class="operation"><h3 id="schema-${name}">${name}</h3>
${drawProse(textOf(schema.description))}
<section class="wide" aria-label="${name}" tabindex="0"><table>
<thead><tr><th scope="col">${words.field}</th><th scope="col">${words.type}</th><th scope="col">${words.meaning}</th></tr></thead>
<tbody>${listFields(schema).map(
    (field) => html`
<tr><th scope="row"><code>${field.name}</code></th><td>${describeType(field.schema)}${field.required && html`<br><span class="quiet">${words.required}</span>`}</td><td>${drawProse(textOf(field.schema.description))}</td></tr>`,
  )}</tbody></table></section>
</section>\n`,
)}</section>`;
}

function drawHeaders(components: Described, words: DocsTexts): Html {
  return html`<section class="card"><h2>${words.headers}</h2>
<dl class="answers">${membersOf(components.headers).map(
    ([name, header]) => html`
<div><dt id="header-${name}"><code>${name}</code></dt><dd>${drawProse(textOf(header.description))}<p class="quiet"><code>${textOf(header.example)}</code></p></dd></div>`,
  )}</dl></section>`;
}

function drawCookies(components: Described, words: DocsTexts): Html | false {
  const cookies = membersOf(components.securitySchemes).filter(([, scheme]) => scheme.in === "cookie");
  if (cookies.length === 0) return false;
  return html`<section class="card"><h2>${words.cookies}</h2>
<dl class="answers">${cookies.map(
    ([, scheme]) => html`
<div><dt><code>${textOf(scheme.name)}</code></dt><dd>${drawProse(textOf(scheme.description))}</dd></div>`,
  )}</dl></section>`;
}
