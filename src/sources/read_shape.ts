import * as v from "valibot";
import { UpstreamError } from "#upstream";

/**
 * Parses an answer against the fields we use.
 * @throws {UpstreamError} kind `shape`, with the path of the first field that is wrong.
 */
export function readShape<const Schema extends v.GenericSchema>(
  schema: Schema,
  answer: unknown,
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, answer, { abortEarly: true });
  if (result.success) return result.output;
  throw new UpstreamError("shape", describePath(v.getDotPath(result.issues[0])));
}

/** Keys of an answer are the upstream's words: only harmless characters of them are repeated. */
function describePath(path: string | null): string {
  return path === null ? "shape" : `shape at ${path.replaceAll(/[^\w.:$-]/g, "?").slice(0, 80)}`;
}
