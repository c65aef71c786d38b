import { readCountry } from "#datasets";
import type { Feed, FeedFacts, FeedSink } from "../feed.ts";
import { type FeedContent, FeedError } from "../feed_content.ts";

/** ipverse: names and countries of all assigned AS numbers, from the data of the five registries. */
export const asMetadata = {
  id: "as_metadata",
  name: "ipverse AS metadata",
  family: "rir",
  licence: "CC0",
  homepage: "https://github.com/ipverse/as-metadata",
  files: [
    {
      url: "https://raw.githubusercontent.com/ipverse/as-metadata/master/as.csv",
      maxBytes: 33_554_432,
      contentTypes: ["text/plain"],
    },
  ],
  meanings: [],
  networks: true,
  cadenceMs: 604_800_000,
  minRows: 60_000,
  maxRows: 400_000,
  parse: readNames,
} as const satisfies Feed;

/** `asn,handle,description,country-code`; a description may contain commas, the other fields do not. */
function readNames(content: FeedContent, sink: FeedSink): FeedFacts {
  const lines = content.lines();
  const head = lines.next();
  if (head.done === true || !head.value.startsWith("asn,handle,description,country")) {
    throw new FeedError("it has another header");
  }
  for (const line of lines) {
    const first = line.indexOf(",");
    const second = line.indexOf(",", first + 1);
    const last = line.lastIndexOf(",");
    if (second < 0 || last <= second) throw new FeedError("a line has too few fields");
    const asn = line.slice(0, first);
    if (asn === "0") continue;
    const name = unquote(line.slice(second + 1, last)) || unquote(line.slice(first + 1, second));
    const country = readCountry(unquote(line.slice(last + 1)));
    sink.network(asn, {
      ...(name === "" ? {} : { name }),
      ...(country === undefined ? {} : { country }),
    });
  }
  return {};
}

function unquote(field: string): string {
  const text = field.trim();
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return text;
  return text.slice(1, -1).replaceAll('""', '"').trim();
}
