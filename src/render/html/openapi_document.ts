import { describeInterface } from "#locale";
import type { Language } from "#report";
import { type Html, html } from "./html.ts";
import { renderCode } from "./parts.ts";

/** Part of an OpenAPI 3.1 document. Its members are checked before they are shown. */
export type OpenApiPart = { readonly [name: string]: unknown };

/** Schemas nested deeper than this are shown without their fields. */
const MAX_DEPTH = 8;

/** A field of a document, named by its path from the top: `risk.factors[].points`. */
export interface DocumentField {
  readonly name: string;
  readonly schema: OpenApiPart;
  readonly required: boolean;
}

/** Returns the value if it is an object, otherwise an object without members. */
export function objectOf(value: unknown): OpenApiPart {
  return isObject(value) ? value : {};
}

/** Lists the members that are objects, with their names. */
export function membersOf(value: unknown): readonly (readonly [name: string, member: OpenApiPart])[] {
  return Object.entries(objectOf(value)).flatMap(([name, member]) =>
    isObject(member) ? [[name, member] as const] : [],
  );
}

/** Lists the items of an array that are objects. */
export function itemsOf(value: unknown): readonly OpenApiPart[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Returns the value if it is a string, otherwise an empty string. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Returns the name at the end of a `$ref` into the document, or `undefined` when there is none. */
export function referenceOf(value: unknown): string | undefined {
  const reference = textOf(objectOf(value).$ref);
  return reference === "" ? undefined : reference.slice(reference.lastIndexOf("/") + 1);
}

/** Lists all fields of a schema, outer before inner. */
export function listFields(schema: OpenApiPart, prefix = "", depth = 0): readonly DocumentField[] {
  if (depth > MAX_DEPTH) return [];
  const required = Array.isArray(schema.required) ? schema.required : [];
  const own = Object.entries(objectOf(schema.properties)).flatMap(([name, member]) => {
    if (!isObject(member)) return [];
    const field = { name: prefix + name, schema: member, required: required.includes(name) };
    return [field, ...listInnerFields(member, `${prefix}${name}`, depth + 1)];
  });
  const others = schema.additionalProperties;
  if (!isObject(others) || Object.keys(others).length === 0) return own;
  const any = { name: `${prefix}*`, schema: others, required: false };
  return [...own, any, ...listInnerFields(others, `${prefix}*`, depth + 1)];
}

/** Renders the type of a schema in a few words: its type, its possible values, or the name of its document. */
export function renderType(schema: OpenApiPart): Html {
  const name = referenceOf(schema);
  if (name !== undefined) return html`<a href="#schema-${name}">${name}</a>`;
  if (Array.isArray(schema.enum))
    return joinTypes(schema.enum.map((value) => html`<code>${JSON.stringify(value)}</code>`));
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const) ?? ""}</code>`;
  const choices = [...itemsOf(schema.anyOf), ...itemsOf(schema.oneOf)];
  if (choices.length > 0) return joinTypes(choices.map(renderType));
  const types = Array.isArray(schema.type) ? schema.type.map(textOf) : [textOf(schema.type)];
  if (types[0] === "array") return html`${renderType(objectOf(schema.items))}[]`;
  const range = formatRange(schema);
  return html`${types.filter((type) => type !== "").join(" | ") || "any"}${range !== "" && ` ${range}`}`;
}

/** Renders a description in a language, or in English when it has no text there. */
export function renderProse(text: string, language: Language): Html | false {
  if (text === "") return false;
  const own = describeInterface(text, language);
  const paragraphs = (own ?? text).split("\n\n");
  return html`${paragraphs.map((part) => html`<p${own === undefined && html` lang="en"`}>${renderCode(part)}</p>\n`)}`;
}

/** Renders a description as part of a line. */
export function renderPhrase(text: string, language: Language): Html {
  const own = describeInterface(text, language);
  return own === undefined ? html`<span lang="en">${renderCode(text)}</span>` : html`${renderCode(own)}`;
}

function isObject(value: unknown): value is OpenApiPart {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function listInnerFields(schema: OpenApiPart, name: string, depth: number): readonly DocumentField[] {
  if (schema.type === "array") return listInnerFields(objectOf(schema.items), `${name}[]`, depth);
  const choice = [...itemsOf(schema.anyOf), ...itemsOf(schema.oneOf)].find(({ properties }) =>
    isObject(properties),
  );
  return listFields(choice ?? schema, `${name}.`, depth);
}

function formatRange({ minimum, maximum }: OpenApiPart): string {
  if (typeof minimum !== "number") return "";
  // A maximum that only keeps integers exact is of no interest to a reader.
  return typeof maximum === "number" && maximum < Number.MAX_SAFE_INTEGER
    ? `${minimum}-${maximum}`
    : `≥ ${minimum}`;
}

function joinTypes(types: readonly Html[]): Html {
  return html`${types.map((type, index) => html`${index > 0 && " | "}${type}`)}`;
}
