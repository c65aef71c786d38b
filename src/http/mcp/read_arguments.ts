import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { LANGUAGES, type Language } from "#report";
import { HttpProblem } from "../http_problem.ts";
import { wrongCount } from "../read_candidates.ts";
import type { Members } from "./read_message.ts";

/** One address alone is no comparison. */
export const LEAST_COMPARED = 2;

/** The choice of language that every tool has. */
export const lang = v.exactOptional(
  v.pipe(
    v.picklist(LANGUAGES),
    v.description(
      "Language of labels and sentences: `zh` (Chinese, the default) or `en`. The facts are the same.",
    ),
  ),
);

/**
 * Reads the arguments of a call by the schema that the tool publishes; unlike in a query, unknown ones are refused.
 * @throws {HttpProblem} `invalid_ip` for an address that is none or missing, `invalid_parameter` for the rest.
 */
export function readArguments<const Schema extends v.StrictObjectSchema<v.ObjectEntries, undefined>>(
  schema: Schema,
  args: Members,
): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, args);
  if (parsed.success) return parsed.output;
  const parameter = String(parsed.issues[0].path?.[0]?.key ?? "");
  if (parameter === "ip") throw new HttpProblem("invalid_ip");
  if (parameter === "ips") throw wrongCount(LEAST_COMPARED);
  const { entries } = schema;
  const allowed = Object.hasOwn(entries, parameter) ? choicesOf(schema, parameter) : Object.keys(entries);
  throw new HttpProblem("invalid_parameter", { data: { parameter, allowed } });
}

function choicesOf(
  schema: v.StrictObjectSchema<v.ObjectEntries, undefined>,
  name: string,
): readonly string[] {
  const { properties = {} } = toJsonSchema(v.object(schema.entries), { typeMode: "input" });
  const property = properties[name];
  const choices = typeof property === "object" ? property.enum : undefined;
  return (choices ?? []).filter((choice) => typeof choice === "string");
}

/** The language a call asks for, if it is one; read before the rest, so that even refusals are told in it. */
export function languageOf(args: Members): Language | undefined {
  return Object.hasOwn(args, "lang") ? LANGUAGES.find((language) => language === args.lang) : undefined;
}
