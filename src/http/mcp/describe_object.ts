import { toJsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";
import type { JsonObjectSchema } from "./tool.ts";

/** JSON Schema 2020-12 of an object schema, made as the OpenAPI description is made of the same schemas. */
export function describeObject(schema: v.GenericSchema): JsonObjectSchema {
  const {
    $schema: _dialect,
    type: _type,
    ...rest
  } = toJsonSchema(schema, {
    target: "draft-2020-12",
    typeMode: "input",
  });
  return { type: "object", ...rest };
}
