import { type Described, describedOf, isDescribed, itemsOf } from "./read_described.ts";

/** Deeper schemas are shown as what they are, without their fields. */
const MAX_DEPTH = 8;

/** A field of a document, named by its way from the top: `risk.factors[].points`. */
export interface DescribedField {
  readonly name: string;
  readonly schema: Described;
  readonly required: boolean;
}

/** All fields of a document, outer before inner. */
export function listFields(schema: Described, prefix = "", depth = 0): readonly DescribedField[] {
  if (depth > MAX_DEPTH) return [];
  const required = Array.isArray(schema.required) ? schema.required : [];
  const own = Object.entries(describedOf(schema.properties)).flatMap(([name, member]) => {
    if (!isDescribed(member)) return [];
    const field = { name: prefix + name, schema: member, required: required.includes(name) };
    return [field, ...listInner(member, `${prefix}${name}`, depth + 1)];
  });
  const others = schema.additionalProperties;
  if (!isDescribed(others) || Object.keys(others).length === 0) return own;
  const any = { name: `${prefix}*`, schema: others, required: false };
  return [...own, any, ...listInner(others, `${prefix}*`, depth + 1)];
}

function listInner(schema: Described, name: string, depth: number): readonly DescribedField[] {
  if (schema.type === "array") return listInner(describedOf(schema.items), `${name}[]`, depth);
  const choice = [...itemsOf(schema.anyOf), ...itemsOf(schema.oneOf)].find(({ properties }) =>
    isDescribed(properties),
  );
  return listFields(choice ?? schema, `${name}.`, depth);
}
