import * as v from "valibot";

type Container =
  | v.ObjectSchema<v.ObjectEntries, undefined>
  | v.ArraySchema<v.GenericSchema, undefined>
  | v.ExactOptionalSchema<v.GenericSchema, undefined>;

/**
 * Adds the descriptions of its fields to a schema. `texts` has them by path: `risk.factors[].points` is a field of the
 * items of a list.
 */
export function describeFields<Schema extends v.GenericSchema>(
  schema: Schema,
  texts: Readonly<Record<string, string>>,
  path = "",
): Schema {
  const text = texts[path];
  const hasFields = Object.keys(texts).some((key) => key !== path && key.startsWith(path));
  const inner = hasFields || schema.type === "exact_optional" ? describeInside(schema, texts, path) : schema;
  // An optional field has its description inside, because a described schema is required.
  const isDone = text === undefined || schema.type === "exact_optional";
  return (isDone ? inner : v.pipe(inner, v.description(text))) as Schema; // descriptions change no type
}

function describeInside(
  schema: v.GenericSchema,
  texts: Readonly<Record<string, string>>,
  path: string,
): v.GenericSchema {
  const container = schema as Container; // schemas of other types stay as they are
  if (container.type === "exact_optional")
    return v.exactOptional(describeFields(container.wrapped, texts, path));
  if (container.type === "array") return v.array(describeFields(container.item, texts, `${path}[]`));
  if (container.type !== "object") return schema;
  const entries = Object.entries(container.entries).map(([name, field]) => [
    name,
    describeFields(field, texts, path === "" ? name : `${path}.${name}`),
  ]);
  return v.object(Object.fromEntries(entries));
}
