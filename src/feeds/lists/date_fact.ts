import type { FeedFacts } from "../feed.ts";
import { readDay } from "./read_day.ts";

/** The fact that the data is of the day `text` begins with; no fact when it begins with none. */
export function dateFact(text: string | undefined): FeedFacts {
  const date = readDay(text);
  return date === undefined ? {} : { date };
}
