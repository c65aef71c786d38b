import * as v from "valibot";
import type { Feed, FeedFacts, FeedSink } from "../feed.ts";
import { type FeedContent, FeedError } from "../feed_content.ts";
import { dateFact, parseFields } from "./readers.ts";

const PAGE = "https://www.microsoft.com/en-us/download/details.aspx?id=56519";
const FILE =
  /https:\/\/download\.microsoft\.com\/download\/[0-9A-Za-z/-]{1,120}\/ServiceTags_Public_(\d{8})\.json/g;

const ServiceTagsSchema = v.object({
  cloud: v.literal("Public"),
  values: v.array(
    v.object({ name: v.string(), properties: v.object({ addressPrefixes: v.array(v.string()) }) }),
  ),
});

/**
 * Microsoft Azure's service tags, weekly. The page links to the file of the week. `AzureCloud` contains all of the
 * public cloud, `AzureFrontDoor.*` the content network; the other tags repeat them by region and service
 * (https://learn.microsoft.com/en-us/azure/virtual-network/service-tags-overview).
 */
export const azure = {
  id: "azure",
  name: "Microsoft Azure",
  family: "microsoft",
  licence: "published facts, none stated",
  homepage: PAGE,
  files: [{ url: PAGE, maxBytes: 33_554_432, find: findNewest, redirects: 2 }],
  hosts: ["www.microsoft.com", "download.microsoft.com"],
  meanings: ["hosting", "cdn"],
  authority: true,
  cadenceMs: 259_200_000,
  minRows: 2_000,
  maxRows: 200_000,
  parse: readTags,
} as const satisfies Feed;

/** Finds the URL of the newest file of service tags on the page. */
function findNewest(page: string): string | undefined {
  let newest = "";
  let found: string | undefined;
  for (const [url, day = ""] of page.matchAll(FILE)) {
    if (day <= newest) continue;
    newest = day;
    found = url;
  }
  return found;
}

function readTags(content: FeedContent, sink: FeedSink): FeedFacts {
  const { values } = parseFields(ServiceTagsSchema, content.json());
  const collect = (isWanted: (name: string) => boolean) =>
    values.flatMap(({ name, properties }) => (isWanted(name) ? properties.addressPrefixes : []));
  const edge = new Set(collect((name) => /^AzureFrontDoor\b/.test(name)));
  const servers = collect((name) => name === "AzureCloud");
  if (servers.length === 0) throw new FeedError("it has no tag AzureCloud");
  for (const prefix of edge) sink.prefix(prefix, { meaning: "cdn", label: "Azure Front Door" });
  for (const prefix of servers) {
    if (!edge.has(prefix)) sink.prefix(prefix, { meaning: "hosting", label: "Microsoft Azure" });
  }
  const day = /_(\d{4})(\d\d)(\d\d)\.json$/.exec(content.url);
  return dateFact(day?.slice(1).join("-"));
}
