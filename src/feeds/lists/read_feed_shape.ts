import * as v from "valibot";
import { FeedError } from "../feed_error.ts";

/**
 * Parses a value against the fields a feed uses.
 * @throws {FeedError} naming the path of the first field that is wrong.
 */
export function readFeedShape<const Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (result.success) return result.output;
  const path = v
    .getDotPath(result.issues[0])
    ?.replaceAll(/[^\w.:$-]/g, "?")
    .slice(0, 80);
  throw new FeedError(path === undefined ? "it has another shape" : `it has another shape at ${path}`);
}
