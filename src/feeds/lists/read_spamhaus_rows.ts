import * as v from "valibot";
import type { FeedFacts } from "../feed.ts";
import type { FeedContent } from "../feed_content.ts";
import { FeedError } from "../feed_error.ts";
import { dateFact } from "./date_fact.ts";
import { readFeedShape } from "./read_feed_shape.ts";
import { readJsonLines } from "./read_json_lines.ts";

/** The last line of a DROP file. `timestamp` is in seconds since the epoch, `records` the number of rows before it. */
const MetadataSchema = v.object({
  type: v.literal("metadata"),
  timestamp: v.pipe(v.number(), v.minValue(0), v.maxValue(8_640_000_000_000)),
  records: v.pipe(v.number(), v.integer()),
});

/**
 * Reads a DROP file of Spamhaus: one JSON object a line, the last of which counts the others.
 * @throws {FeedError} when a row has another shape, or the count is missing or differs: a file cut short.
 */
export function readSpamhausRows<Row>(
  content: FeedContent,
  schema: v.GenericSchema<unknown, Row>,
  take: (row: Row) => void,
): FeedFacts {
  let records = 0;
  let metadata: v.InferOutput<typeof MetadataSchema> | undefined;
  for (const value of readJsonLines(content)) {
    if (v.is(v.object({ type: v.literal("metadata") }), value)) {
      metadata = readFeedShape(MetadataSchema, value);
      continue;
    }
    take(readFeedShape(schema, value));
    records++;
  }
  if (metadata === undefined) throw new FeedError("its last line is missing");
  if (metadata.records !== records) {
    throw new FeedError(`it has ${records} rows and says it has ${metadata.records}`);
  }
  return dateFact(new Date(metadata.timestamp * 1_000).toISOString());
}
