import type { DocsTexts } from "#locale";
import { describeType } from "./describe_type.ts";
import { drawProse } from "./draw_prose.ts";
import { type Html, html } from "./html.ts";
import { type Described, describedOf, itemsOf, membersOf, referenceOf, textOf } from "./read_described.ts";

/** One operation of the interface: where it is asked, and its part of the description. */
export interface DescribedOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: Described;
}

/**
 * One operation: how it is called, its parameters, its answers with an example each, and its headers. `twin` is the
 * operation of which this is the English form: then only that is said.
 */
export function drawOperation(
  { path, method, operation }: DescribedOperation,
  words: DocsTexts,
  origin: string,
  twin?: DescribedOperation,
): Html {
  const id = textOf(operation.operationId);
  const head = html`<h3 id="${id}"><span class="verb">${method.toUpperCase()}</span> <code>${path}</code></h3>
<p lang="en"><strong>${textOf(operation.summary)}</strong></p>`;
  if (twin !== undefined) {
    return html`<section class="operation">${head}
<p class="quiet">${words.twin} <a href="#${textOf(twin.operation.operationId)}">${twin.path}</a></p>
</section>\n`;
  }
  return html`<section class="operation">${head}
${drawProse(textOf(operation.description))}
${method === "get" && drawCall(path, operation, words, origin)}
${drawParameters(operation, words)}
${drawRequestBody(operation, words)}
${drawResponses(operation, words)}
${drawHeaderNames(operation, words)}
</section>\n`;
}

function drawCall(path: string, operation: Described, words: DocsTexts, origin: string): Html {
  let target = path;
  const query: string[] = [];
  for (const parameter of itemsOf(operation.parameters)) {
    const name = textOf(parameter.name);
    const example = exampleOf(parameter);
    if (parameter.in === "path") target = target.replace(`{${name}}`, example);
    else if (parameter.required === true) query.push(`${name}=${example}`);
  }
  const url = `${origin}${target}${query.length > 0 ? `?${query.join("&")}` : ""}`;
  return html`<p class="quiet">${words.call}</p>
<pre tabindex="0"><code>curl '${url}'</code></pre>`;
}

function exampleOf(parameter: Described): string {
  const { examples } = describedOf(parameter.schema);
  return textOf(parameter.example) || (Array.isArray(examples) ? textOf(examples[0]) : "");
}

function drawParameters(operation: Described, words: DocsTexts): Html | false {
  const parameters = itemsOf(operation.parameters);
  if (parameters.length === 0) return false;
  return html`<h4>${words.parameters}</h4>
<section class="wide" aria-label="${words.parameters}: ${textOf(operation.operationId)}" tabindex="0"><table>
<thead><tr><th scope="col">${words.name}</th><th scope="col">${words.place}</th><th scope="col">${words.type}</th><th scope="col">${words.meaning}</th></tr></thead>
<tbody>${parameters.map(
    (parameter) => html`
<tr><th scope="row"><code>${textOf(parameter.name)}</code></th><td>${words.places[textOf(parameter.in)] ?? textOf(parameter.in)}${parameter.required === true && html`, ${words.required}`}</td><td>${describeType(describedOf(parameter.schema))}</td><td>${drawProse(textOf(parameter.description))}</td></tr>`,
  )}</tbody></table></section>`;
}

function drawRequestBody(operation: Described, words: DocsTexts): Html | false {
  const contents = membersOf(describedOf(operation.requestBody).content);
  if (contents.length === 0) return false;
  return html`<h4>${words.requestBody}</h4>
${contents.map(
  ([mediaType, content]) => html`<p><code>${mediaType}</code> ${describeType(describedOf(content.schema))}</p>
${drawExample(content, words)}`,
)}`;
}

function drawResponses(operation: Described, words: DocsTexts): Html {
  return html`<h4>${words.responses}</h4>
<dl class="answers">${membersOf(operation.responses).map(
    ([status, response]) => html`
<div><dt><code>${status}</code></dt><dd>${drawProse(textOf(response.description))}${membersOf(
      response.content,
    ).map(
      ([
        mediaType,
        content,
      ]) => html`<p class="quiet"><code>${mediaType}</code> ${describeType(describedOf(content.schema))}</p>
${drawExample(content, words)}`,
    )}</dd></div>`,
  )}</dl>`;
}

/** The first one: a list of them is in the machine-readable form. */
function drawExample(content: Described, words: DocsTexts): Html | false {
  const [named] = membersOf(content.examples);
  const example = named === undefined ? content.example : named[1].value;
  if (example === undefined) return false;
  const text = typeof example === "string" ? example : JSON.stringify(example, null, 2);
  return html`<details><summary>${words.example}${named !== undefined && html`: <code>${named[0]}</code>`}</summary>
<pre tabindex="0"><code>${text}</code></pre></details>`;
}

/** Each header once, with the answers that carry it unless all do; folded, for there are many and mostly the same. */
function drawHeaderNames(operation: Described, words: DocsTexts): Html | false {
  const responses = membersOf(operation.responses);
  const carriers = new Map<string, string[]>();
  for (const [status, response] of responses) {
    for (const [name, header] of membersOf(response.headers)) {
      const known = referenceOf(header) ?? name;
      carriers.set(known, [...(carriers.get(known) ?? []), status]);
    }
  }
  if (carriers.size === 0) return false;
  return html`<details><summary>${words.headers}</summary>
<ul class="names">${[...carriers].map(
    ([name, statuses]) =>
      html`<li><a href="#header-${name}">${name}</a>${statuses.length < responses.length && html` <span class="quiet">${statuses.join(", ")}</span>`}</li>`,
  )}</ul></details>`;
}
