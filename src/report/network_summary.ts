import * as v from "valibot";
import TEXTS from "./descriptions.json" with { type: "json" };
import { describeFields } from "./report.ts";
import { AS_KINDS, USAGE_TYPES } from "./vocabulary.ts";

/** What lists accuse addresses of, in document order. */
export const MARKS = ["tor", "vpn", "proxy", "abuse"] as const;
export type Mark = (typeof MARKS)[number];

const Count = v.pipe(v.number(), v.integer(), v.minValue(0));
const Share = v.pipe(v.number(), v.minValue(0), v.maxValue(1));
const Counts = v.object({ tor: Count, vpn: Count, proxy: Count, abuse: Count });
export const AsKindSchema = v.picklist(AS_KINDS);
const Usage = v.picklist(USAGE_TYPES);

export const UseShareSchema = v.object({ usageType: Usage, share: Share });
export const CountryShareSchema = v.object({ country: v.string(), share: Share });
export const PlaceShareSchema = v.object({
  country: v.string(),
  region: v.exactOptional(v.string()),
  city: v.exactOptional(v.string()),
  share: Share,
});

export const ListCountSchema = describeFields(
  v.object({ id: v.string(), name: v.string(), count: Count, marks: v.array(v.picklist(MARKS)) }),
  TEXTS.ListCount,
);

/** What a prefix and an AS have in common. */
const COMMON = describeFields(
  v.object({
    isSampled: v.boolean(),
    asked: Count,
    use: v.array(UseShareSchema),
    marks: Counts,
    listed: Count,
    listsRead: Count,
    listsReadNames: v.array(v.string()),
    listsKnown: Count,
    listsDate: v.exactOptional(v.string()),
    registered: v.array(CountryShareSchema),
    located: v.array(CountryShareSchema),
    declared: v.array(PlaceShareSchema),
    isDisputed: v.boolean(),
    date: v.exactOptional(v.string()),
    tables: v.array(
      v.object({ id: v.picklist(["asn", "registration", "country", "city", "geofeed"]), date: v.string() }),
    ),
  }),
  TEXTS.Common,
);

/** One part of a prefix: an address, or a smaller prefix of which one address is judged. */
export const NetworkCellSchema = describeFields(
  v.object({
    prefix: v.string(),
    usageType: Usage,
    listed: Count,
    marks: v.array(v.picklist(MARKS)),
  }),
  TEXTS.NetworkCell,
);
export type NetworkCell = Readonly<v.InferOutput<typeof NetworkCellSchema>>;

/** What the tables and lists say about a prefix. */
export const NetworkSummarySchema = v.pipe(
  describeFields(
    v.object({
      prefix: v.string(),
      version: v.picklist([4, 6]),
      networks: v.array(
        v.object({ asn: Count, name: v.string(), kind: v.exactOptional(AsKindSchema), share: Share }),
      ),
      block: v.exactOptional(v.string()),
      ...COMMON.entries,
      leased: Share,
      lists: v.array(ListCountSchema),
      above: v.array(v.string()),
      beside: v.array(v.string()),
      cells: v.exactOptional(v.array(NetworkCellSchema)),
    }),
    TEXTS.NetworkSummary,
  ),
  v.title("NetworkSummary"),
);
export type NetworkSummary = Readonly<v.InferOutput<typeof NetworkSummarySchema>> & {
  readonly cells: readonly NetworkCell[];
};

/** What the tables and lists say about an AS. */
export const AsSummarySchema = v.pipe(
  describeFields(
    v.object({
      asn: Count,
      name: v.string(),
      kind: v.exactOptional(AsKindSchema),
      votes: v.array(v.object({ family: v.string(), kind: AsKindSchema, agrees: v.boolean() })),
      operator: v.exactOptional(v.string()),
      siblings: v.array(Count),
      addresses: Count,
      networks48: Count,
      ...COMMON.entries,
      lists: v.exactOptional(v.array(ListCountSchema)),
      prefixes: v.array(v.object({ prefix: v.string(), usageType: Usage, listed: Count })),
      prefixCount: Count,
      blocks: v.array(v.string()),
      peers: v.exactOptional(
        v.object({
          count: Count,
          below: v.partial(v.object({ tor: Share, vpn: Share, proxy: Share, abuse: Share })),
        }),
      ),
    }),
    TEXTS.AsSummary,
  ),
  v.title("AsSummary"),
);
export type AsSummary = Readonly<v.InferOutput<typeof AsSummarySchema>>;
