import * as v from "valibot";
import { AS_KINDS, USAGE_TYPES } from "./vocabulary.ts";

/** What lists accuse addresses of, in document order. */
export const MARKS = ["tor", "vpn", "proxy", "abuse"] as const;
export type Mark = (typeof MARKS)[number];

const Count = v.pipe(v.number(), v.integer(), v.minValue(0));
const Share = v.pipe(v.number(), v.minValue(0), v.maxValue(1));
export const MarkCountsSchema = v.object({ tor: Count, vpn: Count, proxy: Count, abuse: Count });
const Kind = v.picklist(AS_KINDS);
const Usage = v.picklist(USAGE_TYPES);

export const UseShareSchema = v.object({ usageType: Usage, share: Share });
export const CountryShareSchema = v.object({ country: v.string(), share: Share });
export const PlaceShareSchema = v.object({
  country: v.string(),
  region: v.exactOptional(v.string()),
  city: v.exactOptional(v.string()),
  share: Share,
});

/** What a prefix and an AS have in common. */
const COMMON = {
  isSampled: v.pipe(
    v.boolean(),
    v.description("Whether shares and kinds come from a sample. Lists are counted in full."),
  ),
  asked: v.pipe(Count, v.description("Addresses that were judged.")),
  use: v.pipe(v.array(UseShareSchema), v.description("Largest share first.")),
  marks: v.pipe(
    MarkCountsSchema,
    v.description("Addresses (IPv6: entries of lists) that lists accuse, by accusation."),
  ),
  listsRead: v.pipe(
    Count,
    v.description("Lists that can accuse and were available. With 0, nothing is known."),
  ),
  registered: v.array(CountryShareSchema),
  located: v.array(CountryShareSchema),
  declared: v.pipe(
    v.array(PlaceShareSchema),
    v.description("Places that the operator declares in a geofeed (RFC 8805). Nobody has checked them."),
  ),
  isDisputed: v.pipe(
    v.boolean(),
    v.description("Most of it is declared in a country that neither registry nor location tables name."),
  ),
  date: v.exactOptional(v.pipe(v.string(), v.description("Date of the table of networks."))),
};

/** One part of a prefix: an address, or a smaller prefix of which one address is judged. */
export const NetworkCellSchema = v.object({
  prefix: v.string(),
  usageType: Usage,
  listed: v.pipe(Count, v.description("Addresses in it (IPv6: entries of lists) that lists accuse.")),
  marks: v.array(v.picklist(MARKS)),
});
export type NetworkCell = Readonly<v.InferOutput<typeof NetworkCellSchema>>;

/** What the tables and lists say about a prefix. */
export const NetworkSummarySchema = v.pipe(
  v.object({
    prefix: v.string(),
    version: v.picklist([4, 6]),
    networks: v.array(v.object({ asn: Count, name: v.string(), kind: v.exactOptional(Kind), share: Share })),
    ...COMMON,
    listed: v.pipe(Count, v.description("Addresses (IPv6: entries of lists) that lists accuse.")),
    leased: v.pipe(Share, v.description("Share that a carrier announces for another holder.")),
    lists: v.array(v.object({ id: v.string(), name: v.string(), count: Count })),
    above: v.pipe(v.array(v.string()), v.description("Wider prefixes, the nearest first.")),
    beside: v.pipe(v.array(v.string()), v.description("The prefixes of the same size before and after.")),
    cells: v.exactOptional(
      v.pipe(v.array(NetworkCellSchema), v.description("Its parts; absent in `/api/classify`.")),
    ),
  }),
  v.title("NetworkSummary"),
);
export type NetworkSummary = Readonly<v.InferOutput<typeof NetworkSummarySchema>> & {
  readonly cells: readonly NetworkCell[];
};

/** What the tables and lists say about an AS. */
export const AsSummarySchema = v.pipe(
  v.object({
    asn: Count,
    name: v.string(),
    kind: v.exactOptional(Kind),
    votes: v.pipe(
      v.array(v.object({ family: v.string(), kind: Kind, agrees: v.boolean() })),
      v.description("Who names a kind, the strongest first."),
    ),
    operator: v.exactOptional(v.string()),
    siblings: v.pipe(v.array(Count), v.description("Other AS of the operator that our tables know.")),
    addresses: v.pipe(Count, v.description("IPv4 addresses announced.")),
    networks48: v.pipe(Count, v.description("IPv6 /48 networks announced.")),
    ...COMMON,
    prefixes: v.pipe(
      v.array(v.object({ prefix: v.string(), usageType: Usage, listed: Count })),
      v.description("The largest ones."),
    ),
    prefixCount: v.pipe(Count, v.description("All prefixes, neighbours merged.")),
    peers: v.exactOptional(
      v.pipe(
        v.object({
          count: Count,
          below: v.partial(v.object({ tor: Share, vpn: Share, proxy: Share, abuse: Share })),
        }),
        v.description(
          "Networks of the same use and size: how many, and the share of them with fewer accused addresses for their size.",
        ),
      ),
    ),
  }),
  v.title("AsSummary"),
);
export type AsSummary = Readonly<v.InferOutput<typeof AsSummarySchema>>;
