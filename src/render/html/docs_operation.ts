import type { DocsTexts } from "#locale";
import type { Language } from "#report";
import { nameOf } from "../report_fields.ts";
import SAMPLES from "./docs_samples.json" with { type: "json" };
import { type Html, html, preformatted } from "./html.ts";
import {
  itemsOf,
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

/** One operation of the API: its path, its method, and its part of the OpenAPI document. */
export interface Operation {
  readonly path: string;
  readonly method: string;
  readonly operation: OpenApiPart;
}

/** What the functions that render an operation need. `origin` is the public origin without a trailing slash. */
export interface DocsContext {
  readonly texts: DocsTexts;
  readonly language: Language;
  readonly origin: string;
}

/** An address of documentation, whose report has no score. Samples have an address of a hosting company in its place. */
const DOCUMENTED = "198.51.100.7";

/**
 * Renders one operation, folded: its method, path and summary; inside an example call, its parameters, its responses
 * with one example each, and its headers. With `x-in-english` its path also exists with `/en` in front.
 */
export function renderOperation({ path: plain, method, operation }: Operation, context: DocsContext): Html {
  const { texts, language } = context;
  const hasBoth = operation["x-in-english"] === true;
  const english = plain === "/" ? "/en" : `/en${plain}`;
  const [path, other] = hasBoth && language === "en" ? [english, plain] : [plain, english];
  return html`<details class="operation"><summary><h3><span class="verb">${method.toUpperCase()}</span> <code>${path}</code></h3>
<span class="says">${renderPhrase(textOf(operation.summary), language)}</span></summary>
<div class="inside" id="${textOf(operation.operationId)}">
${renderProse(textOf(operation.description), language)}
${hasBoth && html`<p class="quiet">${renderCode(texts.inOtherLanguage.replace("{path}", other))}</p>`}
${renderCall({ path, method, operation }, context)}
${renderParameters(operation, context)}
${operation.requestBody !== undefined && html`<h4>${texts.requestBody}</h4>\n${renderBodies(objectOf(operation.requestBody).content, context)}`}
${renderResponses(operation, context)}
${renderHeaderNames(operation, texts)}
</div></details>\n`;
}

/**
 * Renders a sample that a script completes, with a note on who may send it. What only an operator may call is not tried.
 * What only a page of this site may call has no sample: it would be refused.
 */
function renderCall({ path, method, operation }: Operation, context: DocsContext): Html | false {
  const { texts, language, origin } = context;
  const id = textOf(operation.operationId);
  if (SAMPLES.ownPagesOnly.includes(id)) return false;
  let target = path;
  const query = [objectOf(SAMPLES.queries)[id] ?? []].flat();
  for (const parameter of itemsOf(operation.parameters)) {
    const name = textOf(parameter.name);
    const example = exampleOf(parameter);
    if (parameter.in === "path") target = target.replace(`{${name}}`, example);
    else if (parameter.required === true) query.push(`${name}=${example}`);
    else if (name === "lang" && language === "en" && !path.startsWith("/en/")) query.push("lang=en");
  }
  const url = `${origin}${target}${query.length > 0 ? `?${query.join("&")}` : ""}`;
  const [media, content] = membersOf(objectOf(operation.requestBody).content)[0] ?? [];
  const headers = { ...(media && { "Content-Type": media }), ...objectOf(objectOf(SAMPLES.headers)[id]) };
  const options = Object.entries(headers).map(([name, value]) => ` -H '${name}: ${value}'`);
  const body =
    content && writeJson(content.example, language).replace(DOCUMENTED, nameOf(SAMPLES.values, DOCUMENTED));
  if (body !== undefined) options.push(` -d '${body}'`);
  const isTried = method === "get" && !SAMPLES.onlySamples.includes(id);
  const note = textOf(objectOf(texts.callNotes)[id]);
  return html`<h4>${texts.call}</h4>
<div class="call" data-url="${url}"${options.length > 0 && html` data-headers="${JSON.stringify(headers)}"`}${isTried && html` data-tried`}${body !== undefined && html` data-body="${body}"`}><code tabindex="0">curl ${url.endsWith(".png") && "-O "}'${breakUrl(url)}'${options}</code></div>
${note !== "" && html`<p class="quiet">${renderCode(note)}</p>`}`;
}

/** The example of a parameter; of an address in a path the caller's, which has a report. */
function exampleOf(parameter: OpenApiPart): string {
  const { examples, enum: choices } = objectOf(parameter.schema);
  const all = [parameter.example, ...[examples, choices].flat()].map(textOf).filter((text) => text !== "");
  return nameOf(SAMPLES.values, all.includes("me") ? "me" : (all[0] ?? ""));
}

function renderParameters(operation: OpenApiPart, { texts, language }: DocsContext): Html | false {
  const parameters = itemsOf(operation.parameters);
  if (parameters.length === 0) return false;
  const table = renderTable({
    heads: [texts.name, texts.place, texts.type, texts.meaning],
    rows: parameters.map((parameter) => [
      html`<code>${textOf(parameter.name)}</code>`,
      `${nameOf(texts.places, textOf(parameter.in))}${parameter.required === true ? texts.comma + texts.required : ""}`,
      renderType(objectOf(parameter.schema)),
      renderProse(textOf(parameter.description), language),
    ]),
  });
  return html`<h4>${texts.parameters}</h4>
${renderWide(texts.parameters + texts.colon + textOf(operation.operationId), table)}`;
}

function renderResponses({ responses }: OpenApiPart, context: DocsContext): Html {
  const { texts, language } = context;
  // A status with an example as text is an answer: a verdict such as FAIL.
  const isError = (status: string, { content }: OpenApiPart) =>
    Number(status) >= 400 && membersOf(content).every(([, { example }]) => typeof example !== "string");
  const all = membersOf(responses);
  const errors = all.filter(([status, response]) => isError(status, response));
  const answers = all.filter((one) => !errors.includes(one));
  const list = (shown: typeof all) =>
    html`<dl class="answers">${shown.map(
      ([status, response]) => html`
<div><dt><code>${status}</code></dt><dd>${renderProse(textOf(response.description), language)}${renderBodies(response.content, context)}</dd></div>`,
    )}</dl>`;
  return html`<h4>${texts.responses}</h4>
${list(answers)}
${
  errors.length > 0 &&
  html`<details><summary>${texts.errors}${texts.colon}<code>${errors.map(([status]) => status).join(texts.listComma)}</code></summary>
${list(errors)}</details>`
}`;
}

/** Renders each media type with its type and an example. The examples of errors stand below their schema. */
function renderBodies(content: unknown, context: DocsContext): readonly Html[] {
  return membersOf(content).map(
    ([media, { schema, ...body }]) =>
      html`<p class="quiet"><code>${media}</code> ${!media.startsWith("image/") && renderType(objectOf(schema))}</p>\n${referenceOf(schema) !== "Error" && renderExample(body, context)}`,
  );
}

/** Renders the first example in the language of the page. The OpenAPI document has all of them. */
export function renderExample(content: OpenApiPart, { texts, language }: DocsContext): Html | false {
  const all = membersOf(content.examples);
  const named = all.find(([name]) => name.endsWith(`_${language}`)) ?? all[0];
  const example = named === undefined ? content.example : (named[1][`x-${language}`] ?? named[1].value);
  if (example === undefined) return false;
  const isText = typeof example === "string";
  const { code, error } = objectOf(example);
  const title = renderPhrase(textOf(named?.[1].summary), language);
  const name = code === undefined ? title : html`<code>${textOf(code)}</code> ${textOf(error)}`;
  return html`<details><summary>${texts.example}${named !== undefined && html`${texts.colon}${name}`}</summary>
<pre tabindex="0"${!isText && html` class="json"`}><code>${preformatted(isText ? example : writeJson(example, language, 2))}</code></pre></details>`;
}

/** Writes an example as JSON. A member `lang` names the language of the page. */
function writeJson(example: unknown, language: Language, indent?: number): string {
  return JSON.stringify(example, (name, value) => (name === "lang" ? language : value), indent);
}

/** Renders each header once, with the statuses that have it unless all do. Folded, because most operations share them. */
function renderHeaderNames(operation: OpenApiPart, texts: DocsTexts): Html | false {
  const responses = membersOf(operation.responses);
  const headers = responses.flatMap(([status, response]) =>
    membersOf(response.headers).map(([name, header]) => ({ name: referenceOf(header) ?? name, status })),
  );
  if (headers.length === 0) return false;
  return html`<details><summary>${texts.headers}</summary>
<ul class="names">${[...Map.groupBy(headers, ({ name }) => name)].map(
    ([name, same]) =>
      html`<li><a href="#header-${name}">${name}</a>${same.length < responses.length && html` <span class="quiet">${same.map(({ status }) => status).join(texts.listComma)}</span>`}</li>`,
  )}</ul></details>`;
}
