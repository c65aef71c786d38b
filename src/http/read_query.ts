import * as v from "valibot";
import { HttpProblem } from "./http_problem.ts";
import type { Query } from "./query.ts";

/**
 * Reads the parameters a route knows; unknown ones are ignored.
 * @throws {HttpProblem} `invalid_parameter` for a repeated parameter or a value that is not offered,
 * `invalid_ip` for a missing address.
 */
export function readQuery<const Schema extends v.ObjectSchema<v.ObjectEntries, undefined>>(
  query: Query,
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
  const entry: unknown = schema.entries[parameter];
  throw new HttpProblem("invalid_parameter", {
    data: { parameter, value: given[parameter] ?? "", allowed: listChoices(entry) },
  });
}

/** What a parameter may be: the values it is chosen from, or its range; nothing where it is neither. */
function listChoices(entry: unknown): readonly string[] {
  const schema = isRecord(entry) && isRecord(entry.wrapped) ? entry.wrapped : entry;
  if (!isRecord(schema)) return [];
  if (Array.isArray(schema.options)) return schema.options.map(String);
  const actions = Array.isArray(schema.pipe) ? schema.pipe.filter(isRecord) : [];
  const least = actions.find(({ type }) => type === "min_value")?.requirement;
  const most = actions.find(({ type }) => type === "max_value")?.requirement;
  return least === undefined || most === undefined ? [] : [`${least}-${most}`];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
