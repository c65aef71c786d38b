import { type Html, html } from "./html.ts";
import { type Described, describedOf, itemsOf, referenceOf, textOf } from "./read_described.ts";

/** A schema in a few words: its type, the values it may take, or the document it is. */
export function describeType(schema: Described): Html {
  const name = referenceOf(schema);
  if (name !== undefined) return html`<a href="#schema-${name}">${name}</a>`;
  if (Array.isArray(schema.enum))
    return joinTypes(schema.enum.map((value) => html`<code>${JSON.stringify(value)}</code>`));
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const) ?? ""}</code>`;
  const choices = [...itemsOf(schema.anyOf), ...itemsOf(schema.oneOf)];
  if (choices.length > 0) return joinTypes(choices.map(describeType));
  const types = Array.isArray(schema.type) ? schema.type.map(textOf) : [textOf(schema.type)];
  if (types[0] === "array") return html`${describeType(describedOf(schema.items))}[]`;
  const range = describeRange(schema);
  return html`${types.filter((type) => type !== "").join(" | ") || "any"}${range !== "" && ` ${range}`}`;
}

function describeRange({ minimum, maximum }: Described): string {
  if (typeof minimum !== "number") return "";
  // What is bounded by the size of numbers alone is not bounded to a reader.
  return typeof maximum === "number" && maximum < Number.MAX_SAFE_INTEGER
    ? `${minimum}-${maximum}`
    : `≥ ${minimum}`;
}

function joinTypes(types: readonly Html[]): Html {
  return html`${types.map((type, index) => html`${index > 0 && " | "}${type}`)}`;
}
