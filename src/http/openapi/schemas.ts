import { toJsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";
import { ReportSchema } from "#report";
import { findDeclared } from "../parameters.ts";
import { problemFactsOf, responseFactsOf } from "../responses.ts";

/** Part of an OpenAPI document. */
export type Described = { readonly [name: string]: unknown };

/** The schemas that have a name in the description. */
export type Models = Readonly<Record<string, v.GenericSchema>>;

/**
 * The documents within a report by name, such as `Risk`, or `Scenario` of the list `scenarios`: the whole report and a
 * part of one refer to them.
 */
export const REPORT_PARTS: Models = Object.fromEntries(
  Object.entries(ReportSchema.pipe[0].entries).flatMap(([field, entry]) => {
    const schema = unwrap(entry);
    const isList = "item" in schema;
    const part = isList ? unwrap(schema.item as v.GenericSchema) : schema;
    const name = field.charAt(0).toUpperCase() + (isList ? field.slice(1).replace(/s$/, "") : field.slice(1));
    return part.type === "object" ? [[name, part]] : [];
  }),
);

function unwrap(schema: v.GenericSchema): v.GenericSchema {
  return "wrapped" in schema ? unwrap(schema.wrapped as v.GenericSchema) : schema;
}

/** Returns an object as a part of the document, and an empty part for any other value. */
export function describedOf(value: unknown): Described {
  return typeof value === "object" && value !== null ? (value as Described) : {};
}

/** A reference to a component. */
export function refer(
  kind: "schemas" | "headers" | "examples" | "parameters" | "responses",
  name: string,
): Described {
  return { $ref: `#/components/${kind}/${name}` };
}

/**
 * JSON Schema 2020-12 of a valibot schema. A model becomes a reference, unless `isItself` is true. A declared
 * response is described elsewhere.
 */
export function describeSchema(schema: v.GenericSchema, models: Models, isItself = false): Described {
  if (responseFactsOf(schema) !== undefined || problemFactsOf(schema) !== undefined) return {};
  const name = Object.keys(models).find((key) => models[key] === schema);
  if (name !== undefined && !isItself) return refer("schemas", name);
  const { $schema, $defs, ...described } = toJsonSchema(schema, {
    target: "draft-2020-12",
    typeMode: "input",
    definitions: Object.fromEntries(Object.entries(models).filter(([, model]) => model !== schema)),
    overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
    overrideAction({ valibotAction, jsonSchema }) {
      const declared = findDeclared(valibotAction, "jsonSchema");
      const description = jsonSchema.description === undefined ? {} : { description: jsonSchema.description };
      return declared === undefined ? undefined : { ...description, ...declared };
    },
    overrideSchema({ valibotSchema, jsonSchema }) {
      // A custom schema has no JSON Schema; a later action of its pipe declares one.
      if (valibotSchema.type === "custom") return {};
      // The converter writes a choice of integers as `number`.
      const isWhole = jsonSchema.type === "number" && jsonSchema.enum?.every(Number.isInteger);
      return isWhole === true ? { ...jsonSchema, type: "integer" } : undefined;
    },
  });
  return described;
}
