import type { DocsTexts } from "#locale";
import { nameOf } from "../report_fields.ts";
import { type Html, html } from "./html.ts";
import {
  itemsOf,
  membersOf,
  type OpenApiPart,
  objectOf,
  referenceOf,
  renderProse,
  renderType,
  textOf,
} from "./openapi_document.ts";

/** One operation of the API: its path, its method, and its part of the OpenAPI document. */
export interface Operation {
  readonly path: string;
  readonly method: string;
  readonly operation: OpenApiPart;
}

/**
 * Renders one operation: an example call, its parameters, its responses with one example each, and its headers. When
 * `chinese` is given, this operation is its English version, and only a link to it is shown.
 */
export function renderOperation(
  { path, method, operation }: Operation,
  texts: DocsTexts,
  origin: string,
  chinese?: Operation,
): Html {
  const id = textOf(operation.operationId);
  const head = html`<h3 id="${id}"><span class="verb">${method.toUpperCase()}</span> <code>${path}</code></h3>
<p lang="en"><strong>${textOf(operation.summary)}</strong></p>`;
  if (chinese !== undefined) {
    return html`<section class="operation">${head}
<p class="quiet">${texts.englishVersionOf} <a href="#${textOf(chinese.operation.operationId)}">${chinese.path}</a></p>
</section>\n`;
  }
  return html`<section class="operation">${head}
${renderProse(textOf(operation.description))}
${method === "get" && renderCall(path, operation, texts, origin)}
${renderParameters(operation, texts)}
${renderRequestBody(operation, texts)}
${renderResponses(operation, texts)}
${renderHeaderNames(operation, texts)}
</section>\n`;
}

function renderCall(path: string, operation: OpenApiPart, texts: DocsTexts, origin: string): Html {
  let target = path;
  const query: string[] = [];
  for (const parameter of itemsOf(operation.parameters)) {
    const name = textOf(parameter.name);
    const example = exampleOf(parameter);
    if (parameter.in === "path") target = target.replace(`{${name}}`, example);
    else if (parameter.required === true) query.push(`${name}=${example}`);
  }
  const url = `${origin}${target}${query.length > 0 ? `?${query.join("&")}` : ""}`;
  return html`<p class="quiet">${texts.call}</p>
<pre tabindex="0"><code>curl '${url}'</code></pre>`;
}

function exampleOf(parameter: OpenApiPart): string {
  const { examples } = objectOf(parameter.schema);
  return textOf(parameter.example) || (Array.isArray(examples) ? textOf(examples[0]) : "");
}

function renderParameters(operation: OpenApiPart, texts: DocsTexts): Html | false {
  const parameters = itemsOf(operation.parameters);
  if (parameters.length === 0) return false;
  return html`<h4>${texts.parameters}</h4>
<section class="wide" aria-label="${texts.parameters}: ${textOf(operation.operationId)}" tabindex="0"><table>
<thead><tr><th scope="col">${texts.name}</th><th scope="col">${texts.place}</th><th scope="col">${texts.type}</th><th scope="col">${texts.meaning}</th></tr></thead>
<tbody>${parameters.map(
    (parameter) => html`
<tr><th scope="row"><code>${textOf(parameter.name)}</code></th><td>${nameOf(texts.places, textOf(parameter.in))}${parameter.required === true && html`, ${texts.required}`}</td><td>${renderType(objectOf(parameter.schema))}</td><td>${renderProse(textOf(parameter.description))}</td></tr>`,
  )}</tbody></table></section>`;
}

function renderRequestBody(operation: OpenApiPart, texts: DocsTexts): Html | false {
  const contents = membersOf(objectOf(operation.requestBody).content);
  if (contents.length === 0) return false;
  return html`<h4>${texts.requestBody}</h4>
${contents.map(
  ([mediaType, content]) => html`<p><code>${mediaType}</code> ${renderType(objectOf(content.schema))}</p>
${renderExample(content, texts)}`,
)}`;
}

function renderResponses(operation: OpenApiPart, texts: DocsTexts): Html {
  return html`<h4>${texts.responses}</h4>
<dl class="answers">${membersOf(operation.responses).map(
    ([status, response]) => html`
<div><dt><code>${status}</code></dt><dd>${renderProse(textOf(response.description))}${membersOf(
      response.content,
    ).map(
      ([
        mediaType,
        content,
      ]) => html`<p class="quiet"><code>${mediaType}</code> ${renderType(objectOf(content.schema))}</p>
${renderExample(content, texts)}`,
    )}</dd></div>`,
  )}</dl>`;
}

/** Renders the first example. The OpenAPI document has all of them. */
function renderExample(content: OpenApiPart, texts: DocsTexts): Html | false {
  const [named] = membersOf(content.examples);
  const example = named === undefined ? content.example : named[1].value;
  if (example === undefined) return false;
  const text = typeof example === "string" ? example : JSON.stringify(example, null, 2);
  return html`<details><summary>${texts.example}${named !== undefined && html`: <code>${named[0]}</code>`}</summary>
<pre tabindex="0"><code>${text}</code></pre></details>`;
}

/** Renders each header once, with the statuses that have it unless all do. Folded, because most operations share them. */
function renderHeaderNames(operation: OpenApiPart, texts: DocsTexts): Html | false {
  const responses = membersOf(operation.responses);
  const statusesOf = new Map<string, string[]>();
  for (const [status, response] of responses) {
    for (const [name, header] of membersOf(response.headers)) {
      const title = referenceOf(header) ?? name;
      statusesOf.set(title, [...(statusesOf.get(title) ?? []), status]);
    }
  }
  if (statusesOf.size === 0) return false;
  return html`<details><summary>${texts.headers}</summary>
<ul class="names">${[...statusesOf].map(
    ([name, statuses]) =>
      html`<li><a href="#header-${name}">${name}</a>${statuses.length < responses.length && html` <span class="quiet">${statuses.join(", ")}</span>`}</li>`,
  )}</ul></details>`;
}
