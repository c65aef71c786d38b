import * as v from "valibot";
import { CHOICES } from "./contract.ts";
import { HttpProblem } from "./http_problem.ts";

/**
 * Reads the parameters a route knows; unknown ones are ignored.
 * @throws {HttpProblem} `invalid_parameter` for a repeated parameter or a value that is not offered,
 * `invalid_ip` for a missing address.
 */
export function readQuery<const Schema extends v.ObjectSchema<v.ObjectEntries, undefined>>(
  query: URLSearchParams,
  schema: Schema,
): v.InferOutput<Schema> {
  const given: Record<string, string> = {};
  for (const name of Object.keys(schema.entries)) {
    const [value, again] = query.getAll(name);
    if (again !== undefined) throw new HttpProblem("invalid_parameter", { data: { parameter: name } });
    if (value !== undefined) given[name] = value;
  }
  const parsed = v.safeParse(schema, given);
  if (parsed.success) return parsed.output;

  const parameter = String(parsed.issues[0].path?.[0]?.key);
  if (parameter === "ip") throw new HttpProblem("invalid_ip");
  const choices: Readonly<Record<string, readonly string[]>> = CHOICES;
  throw new HttpProblem("invalid_parameter", {
    data: { parameter, value: given[parameter] ?? "", allowed: choices[parameter] ?? [] },
  });
}
