import * as v from "valibot";
import {
  AbuseSchema,
  CoverageSchema,
  ExposureSchema,
  ListingSchema,
  NetworkSchema,
  RangeSchema,
  RegionsSchema,
  RegistrySchema,
  SharingSchema,
  SourceAnswerSchema,
  VpnOperatorSchema,
} from "./assessment.ts";
import TEXTS from "./descriptions.json" with { type: "json" };
import {
  BANDS,
  CONFIDENCES,
  FLAGS,
  NATIVE_TYPES,
  SCENARIO_LEVELS,
  SCENARIOS,
  SOURCE_KINDS,
  TIERS,
  USAGE_TYPES,
} from "./vocabulary.ts";

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

type Container =
  | v.ObjectSchema<v.ObjectEntries, undefined>
  | v.ArraySchema<v.GenericSchema, undefined>
  | v.ExactOptionalSchema<v.GenericSchema, undefined>;

/**
 * Adds the descriptions of its fields to a schema. `texts` has them by path: `risk.factors[].points` is a field of the
 * items of a list.
 */
export function describeFields<Schema extends v.GenericSchema>(
  schema: Schema,
  texts: Readonly<Record<string, string>>,
  path = "",
): Schema {
  const text = texts[path];
  const hasFields = Object.keys(texts).some((key) => key !== path && key.startsWith(path));
  const inner = hasFields || schema.type === "exact_optional" ? describeInside(schema, texts, path) : schema;
  // An optional field has its description inside, because a described schema is required.
  const isDone = text === undefined || schema.type === "exact_optional";
  return (isDone ? inner : v.pipe(inner, v.description(text))) as Schema; // descriptions change no type
}

function describeInside(
  schema: v.GenericSchema,
  texts: Readonly<Record<string, string>>,
  path: string,
): v.GenericSchema {
  const container = schema as Container; // schemas of other types stay as they are
  if (container.type === "exact_optional")
    return v.exactOptional(describeFields(container.wrapped, texts, path));
  if (container.type === "array") return v.array(describeFields(container.item, texts, `${path}[]`));
  if (container.type !== "object") return schema;
  const entries = Object.entries(container.entries).map(([name, field]) => [
    name,
    describeFields(field, texts, path === "" ? name : `${path}.${name}`),
  ]);
  return v.object(Object.fromEntries(entries));
}

/**
 * The public document in one language: the contract of the interface, field by field. It has no transforms, because its
 * JSON Schema is made from it. `descriptions.json` describes the fields.
 */
export const ReportSchema = v.pipe(
  describeFields(
    v.object({
      ip: v.string(),
      version: v.picklist([4, 6]),
      queriedAt: v.pipe(v.string(), v.isoTimestamp()),
      source: v.picklist(TIERS),
      stale: v.boolean(),
      usageType: v.picklist(USAGE_TYPES),
      nativeType: v.picklist(NATIVE_TYPES),
      nativeReason: v.exactOptional(v.string()),
      flags: v.object(v.entriesFromList(FLAGS, v.boolean())),
      flagAgreement: v.partial(v.object(v.entriesFromList(FLAGS, count))),
      vpnOperator: v.nullable(VpnOperatorSchema),
      geo: v.exactOptional(
        v.object({
          country: v.exactOptional(v.string()),
          countryName: v.exactOptional(v.string()),
          region: v.exactOptional(v.string()),
          city: v.exactOptional(v.string()),
          timezone: v.exactOptional(v.string()),
          claims: v.exactOptional(
            v.array(v.object({ country: v.string(), countryName: v.string(), sources: v.array(v.string()) })),
          ),
        }),
      ),
      asn: v.exactOptional(NetworkSchema),
      hostname: v.exactOptional(v.string()),
      registry: v.exactOptional(RegistrySchema),
      risk: v.object({
        purity: v.pipe(count, v.maxValue(100)),
        coverage: v.exactOptional(CoverageSchema),
        range: v.exactOptional(RangeSchema),
        level: v.picklist(BANDS),
        label: v.string(),
        verdict: v.string(),
        confidence: v.picklist(CONFIDENCES),
        factors: v.array(
          v.object({
            id: v.string(),
            label: v.string(),
            category: v.string(),
            points: v.number(),
            detail: v.string(),
            floor: v.exactOptional(v.number()),
            ageDays: v.exactOptional(count),
            reporters: v.exactOptional(v.array(v.string())),
          }),
        ),
      }),
      scenarios: v.array(
        v.object({
          id: v.picklist(SCENARIOS),
          label: v.string(),
          score: v.nullable(v.pipe(count, v.maxValue(100))),
          low: v.exactOptional(v.pipe(count, v.maxValue(100))),
          level: v.picklist(SCENARIO_LEVELS),
          levelLabel: v.string(),
          reason: v.string(),
          reasons: v.array(v.string()),
          factors: v.exactOptional(
            v.array(v.object({ id: v.string(), label: v.string(), points: v.number() })),
          ),
          regions: v.exactOptional(RegionsSchema),
        }),
      ),
      scenarioApplicable: v.boolean(),
      scenarioNote: v.exactOptional(v.string()),
      blocklists: v.array(v.omit(ListingSchema, ["codes", "subnet"])),
      abuse: v.array(AbuseSchema),
      exposure: v.nullable(ExposureSchema),
      sharing: v.nullable(SharingSchema),
      sources: v.array(
        v.object({
          name: v.string(),
          kind: v.picklist(SOURCE_KINDS),
          ok: v.boolean(),
          ms: count,
          error: v.exactOptional(v.string()),
          skipped: v.exactOptional(v.string()),
          detail: v.exactOptional(v.string()),
          answer: v.exactOptional(
            // Some generators of clients cannot write a type with the single value `true`.
            v.object({ ...SourceAnswerSchema.entries, listed: v.exactOptional(v.boolean()) }),
          ),
        }),
      ),
      feedback: v.exactOptional(
        v.partial(v.object(v.entriesFromList(SCENARIOS, v.object({ count, average: v.number() })))),
      ),
      reportUrl: v.pipe(v.string(), v.url()),
      unknowns: v.array(v.object({ id: v.string(), label: v.string(), detail: v.string() })),
      lang: v.exactOptional(v.literal("en")),
      untranslated: v.exactOptional(v.array(v.string())),
    }),
    TEXTS.Report,
  ),
  v.title("Report"),
);
export type Report = v.InferOutput<typeof ReportSchema>;

/** A schema that may contain others; a record has `value`. */
type Nested = { readonly [one in "wrapped" | "item" | "value"]?: Nested } & {
  readonly entries?: Readonly<Record<string, Nested>>;
};

/**
 * Follows a path of names and positions, such as `scenarios.0.score`, through the schema of a report. Returns where it
 * leaves the schema, and what can follow there; nothing if a report can have a value at this path.
 */
export function findUnknownField(path: string): { within: string; possible: readonly string[] } | undefined {
  let schema = ReportSchema as unknown as Nested; // valibot's types do not name what a schema contains
  const steps = path.split(".");
  for (const [at, step] of steps.entries()) {
    while (schema.wrapped !== undefined) schema = schema.wrapped;
    const { entries = {}, item, value } = schema;
    const next = Object.hasOwn(entries, step) ? entries[step] : /^\d+$/.test(step) ? (item ?? value) : value;
    const possible = item === undefined ? Object.keys(entries) : ["a position from 0"];
    if (next === undefined) return { within: steps.slice(0, at).join("."), possible };
    schema = next;
  }
  return undefined;
}

/** Every error code, with the status of its response. */
export const PROBLEM_STATUSES = {
  invalid_ip: 400,
  invalid_parameter: 400,
  unauthorized: 401,
  verification_required: 403,
  forbidden: 403,
  not_found: 404,
  not_in_mirror: 404,
  method_not_allowed: 405,
  too_large: 414,
  rate_limited: 429,
  open_rate_limited: 429,
  internal: 500,
  overloaded: 503,
} as const;
export type ProblemCode = keyof typeof PROBLEM_STATUSES;
export const PROBLEM_CODES = Object.keys(PROBLEM_STATUSES) as readonly ProblemCode[];

/** The body of every error response. */
export const ProblemSchema = v.pipe(
  describeFields(
    v.object({
      error: v.string(),
      code: v.picklist(PROBLEM_CODES),
      hint: v.exactOptional(v.string()),
      reportUrl: v.exactOptional(v.pipe(v.string(), v.url())),
    }),
    TEXTS.Error,
  ),
  v.title("Error"),
);
export type Problem = v.InferOutput<typeof ProblemSchema>;
