import * as v from "valibot";
import {
  BANDS,
  CONFIDENCES,
  COVERED_KINDS,
  FLAGS,
  LISTED_EXITS,
  NATIVE_REASONS,
  NATIVE_TYPES,
  REGION_STATES,
  RUN_ERRORS,
  RUN_STATES,
  SCENARIO_LEVELS,
  SCENARIOS,
  SKIP_REASONS,
  SOURCE_KINDS,
  USAGE_TYPES,
} from "./vocabulary.ts";

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** The facts in a sentence: numbers, names and lists that the texts of every language use. */
export const DataSchema = v.record(
  v.string(),
  v.union([v.string(), v.number(), v.boolean(), v.array(v.string())]),
);
export type Data = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** A sentence without language: its id, and the facts in it. */
export const MessageSchema = v.object({ id: v.string(), data: DataSchema });
export interface Message {
  readonly id: string;
  readonly data: Data;
}

/** A known commercial VPN service. */
export const VpnOperatorSchema = v.object({
  name: v.string(),
  url: v.exactOptional(v.string()),
  anonymity: v.exactOptional(v.string()),
  popularity: v.exactOptional(v.string()),
  protocols: v.exactOptional(v.array(v.string())),
  logging: v.exactOptional(v.boolean()),
  freeAccess: v.exactOptional(v.boolean()),
});
export type VpnOperator = v.InferOutput<typeof VpnOperatorSchema>;

/** `country` is an ISO 3166-1 alpha-2 code. Names of countries belong to the texts. */
export const PlaceSchema = v.object({
  country: v.exactOptional(v.string()),
  region: v.exactOptional(v.string()),
  city: v.exactOptional(v.string()),
  timezone: v.exactOptional(v.string()),
});
export type Place = v.InferOutput<typeof PlaceSchema>;

/** A country, and the names of the sources that place the address there. */
export const CountryClaimSchema = v.object({ country: v.string(), sources: v.array(v.string()) });
export type CountryClaim = v.InferOutput<typeof CountryClaimSchema>;

const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1));

/** The share of the expected evidence that was obtained, by weight: in all, and by kind. 0 to 1, two decimals. */
export const CoverageSchema = v.object({ total: share, ...v.entriesFromList(COVERED_KINDS, share) });
export type ReportedCoverage = v.InferOutput<typeof CoverageSchema>;

const purity = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100));

/** `low`: 95 % of such addresses reach it with all evidence. `high`: the purity without the factor `not_obtained`. */
export const RangeSchema = v.object({ low: purity, high: purity });
export type PurityRange = v.InferOutput<typeof RangeSchema>;

/**
 * The network that announces the address; `route` is the announced prefix, `registered` the date (YYYY-MM-DD) on which a
 * registry assigned the AS number, `kind` what the AS is known to
 * be, one of `AS_KINDS`; a stored report may have one that is retired.
 */
export const NetworkSchema = v.object({
  asn: v.exactOptional(count),
  name: v.exactOptional(v.string()),
  org: v.exactOptional(v.string()),
  route: v.exactOptional(v.string()),
  registered: v.exactOptional(v.string()),
  kind: v.exactOptional(v.string()),
});
export type Network = v.InferOutput<typeof NetworkSchema>;

/**
 * The registration of the address block; `rir` is one of arin, ripencc, apnic, lacnic, afrinic, `abuseContact` the mail
 * address of the network that takes reports of abuse.
 */
export const RegistrySchema = v.object({
  rir: v.exactOptional(v.string()),
  country: v.exactOptional(v.string()),
  netName: v.exactOptional(v.string()),
  org: v.exactOptional(v.string()),
  cidr: v.exactOptional(v.string()),
  abuseContact: v.exactOptional(v.string()),
});
export type Registry = v.InferOutput<typeof RegistrySchema>;

/**
 * One list's answer. `codes` are short names of its codes; `subnet` = the listing is about the /64 only; `countedAs` = the
 * list names a kind of exit and no abuse, so the points are in that factor and not in the one of the blocklists.
 */
export const ListingSchema = v.object({
  zone: v.string(),
  label: v.string(),
  listed: v.boolean(),
  benign: v.boolean(),
  unavailable: v.boolean(),
  codes: v.exactOptional(v.array(v.string())),
  subnet: v.exactOptional(v.boolean()),
  countedAs: v.exactOptional(v.picklist(LISTED_EXITS)),
});
export type ReportedListing = v.InferOutput<typeof ListingSchema>;

export const AbuseSchema = v.object({
  source: v.string(),
  score: v.exactOptional(count),
  reports: v.exactOptional(count),
  attacks: v.exactOptional(v.object({ total: count, byType: v.record(v.string(), count) })),
});
export type ReportedAbuse = v.InferOutput<typeof AbuseSchema>;

export const ExposureSchema = v.object({
  observed: v.boolean(),
  ports: v.array(count),
  vulns: v.array(v.string()),
  sources: v.exactOptional(v.array(v.string())),
});
export type Exposure = v.InferOutput<typeof ExposureSchema>;

/** Number of devices on the address and in its subnet, and who counted them. */
export const SharingSchema = v.object({
  address: v.exactOptional(count),
  subnet: v.exactOptional(count),
  sources: v.exactOptional(v.array(v.string())),
});
export type Sharing = v.InferOutput<typeof SharingSchema>;

/**
 * One deduction (positive points) or credit (negative points). `floor` is a minimum risk that nothing offsets.
 * `id` is a plain string, because a stored document can have ids that were retired later.
 */
export const FactorSchema = v.object({
  id: v.string(),
  category: v.string(),
  points: v.number(),
  floor: v.exactOptional(v.number()),
  data: DataSchema,
});
export interface Factor extends Readonly<Omit<v.InferOutput<typeof FactorSchema>, "data">> {
  readonly data: Data;
}

/** The vendors of AI services, and whether each offers its service in the country of the address. `asOf` is YYYY-MM-DD. */
export const RegionsSchema = v.object({
  asOf: v.string(),
  vendors: v.record(v.string(), v.picklist(REGION_STATES)),
});
export type Regions = v.InferOutput<typeof RegionsSchema>;

export const ScenarioSchema = v.object({
  id: v.picklist(SCENARIOS),
  score: v.nullable(count),
  low: v.exactOptional(count),
  level: v.picklist(SCENARIO_LEVELS),
  reasons: v.array(v.object({ ...MessageSchema.entries, points: v.exactOptional(v.number()) })),
  regions: v.exactOptional(RegionsSchema),
});

/**
 * The facts that one source states, so that a reader can compare sources. An absent field means "not stated". `listed`:
 * a list of this source names the address for abuse.
 */
export const SourceAnswerSchema = v.object({
  usageType: v.exactOptional(v.picklist(USAGE_TYPES)),
  country: v.exactOptional(v.string()),
  flags: v.exactOptional(v.record(v.string(), v.boolean())),
  listed: v.exactOptional(v.literal(true)),
});
export type SourceAnswer = v.InferOutput<typeof SourceAnswerSchema>;

/**
 * Outcome of one source in one survey. `detail` is a short fact such as an HTTP status or a DNS code. `carriedFrom` is
 * the day (YYYY-MM-DD) of its last answer, when what it said then against the address still counts.
 */
export const SourceStateSchema = v.object({
  id: v.string(),
  name: v.string(),
  kind: v.picklist(SOURCE_KINDS),
  state: v.picklist(RUN_STATES),
  ms: count,
  error: v.exactOptional(v.picklist(RUN_ERRORS)),
  skipped: v.exactOptional(v.picklist(SKIP_REASONS)),
  detail: v.exactOptional(v.string()),
  dataDate: v.exactOptional(v.string()),
  answer: v.exactOptional(SourceAnswerSchema),
  carriedFrom: v.exactOptional(v.string()),
});
export type SourceState = v.InferOutput<typeof SourceStateSchema>;

/**
 * The facts and the conclusions about one address, without language. It is stored and cached; every answer to a client
 * is a localized report made from it. `surveyedAt` is an RFC 3339 UTC date-time. Conclusions of scoring version 2 and older have
 * no `coverage` and no `range`. `countries` is present when sources disagree, `nativeReason` when `native` is unknown.
 */
export const AssessmentSchema = v.object({
  address: v.string(),
  version: v.picklist([4, 6]),
  surveyedAt: v.string(),
  scoringVersion: count,
  usage: v.picklist(USAGE_TYPES),
  native: v.picklist(NATIVE_TYPES),
  nativeReason: v.exactOptional(v.picklist(NATIVE_REASONS)),
  flags: v.object(v.entriesFromList(FLAGS, v.boolean())),
  agreement: v.partial(v.object(v.entriesFromList(FLAGS, count))),
  vpn: v.exactOptional(VpnOperatorSchema),
  geo: v.exactOptional(PlaceSchema),
  countries: v.exactOptional(v.array(CountryClaimSchema)),
  asn: v.exactOptional(NetworkSchema),
  hostnames: v.exactOptional(v.array(v.string())),
  registry: v.exactOptional(RegistrySchema),
  purity,
  coverage: v.exactOptional(CoverageSchema),
  range: v.exactOptional(RangeSchema),
  band: v.picklist(BANDS),
  confidence: v.picklist(CONFIDENCES),
  verdict: MessageSchema,
  factors: v.array(FactorSchema),
  scenarios: v.array(ScenarioSchema),
  note: v.exactOptional(MessageSchema),
  listings: v.array(ListingSchema),
  abuse: v.array(AbuseSchema),
  exposure: v.exactOptional(ExposureSchema),
  sharing: v.exactOptional(SharingSchema),
  sources: v.array(SourceStateSchema),
  unknowns: v.array(MessageSchema),
});
export type Assessment = v.InferOutput<typeof AssessmentSchema>;
