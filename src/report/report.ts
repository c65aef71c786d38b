import * as v from "valibot";
import {
  AbuseSchema,
  CoverageSchema,
  ExposureSchema,
  NetworkSchema,
  RangeSchema,
  RegionsSchema,
  RegistrySchema,
  SharingSchema,
  SourceAnswerSchema,
  VpnOperatorSchema,
} from "./assessment.ts";
import {
  BANDS,
  CONFIDENCES,
  FLAGS,
  LISTED_EXITS,
  NATIVE_TYPES,
  SCENARIO_LEVELS,
  SCENARIOS,
  SOURCE_KINDS,
  TIERS,
  USAGE_TYPES,
} from "./vocabulary.ts";

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
// The type is generic, because with the input type `unknown` the output type of the pipe is unknown too.
const describe = <Input>(text: string) => v.description<Input, string>(text);

/**
 * The public document in one language: the contract of the interface, field by field. It has no transforms, because its
 * JSON Schema is made from it.
 */
export const ReportSchema = v.pipe(
  v.object({
    ip: v.pipe(v.string(), describe("Normalised address: dotted IPv4, or IPv6 as RFC 5952 writes it.")),
    version: v.pipe(v.picklist([4, 6]), describe("Address version. ::ffff:a.b.c.d counts as IPv4.")),
    queriedAt: v.pipe(
      v.string(),
      v.isoTimestamp(),
      describe("When the sources were asked. Read together with `stale`."),
    ),
    source: v.pipe(
      v.picklist(TIERS),
      describe("`fresh` = asked just now, `cache` = this process's memory, `store` = the database."),
    ),
    stale: v.pipe(
      v.boolean(),
      describe(
        "Older than the staleness threshold: confidence is one step lower, purity unchanged; a refresh is advisable.",
      ),
    ),
    usageType: v.pipe(v.picklist(USAGE_TYPES), describe("What the network behind the address is used for.")),
    nativeType: v.pipe(
      v.picklist(NATIVE_TYPES),
      describe(
        "`native` = registered and used in one country, `broadcast` = registered in one and used in another.",
      ),
    ),
    nativeReason: v.exactOptional(
      v.pipe(v.string(), describe("Why `nativeType` is `unknown`, in one sentence.")),
    ),
    flags: v.pipe(
      v.object(v.entriesFromList(FLAGS, v.boolean())),
      describe("False: no source that answered reports it."),
    ),
    flagAgreement: v.pipe(
      v.partial(v.object(v.entriesFromList(FLAGS, count))),
      describe(
        "Independent source families that report a flag, an authority alone counting as two. 1 counts half in the score.",
      ),
    ),
    vpnOperator: v.pipe(
      v.nullable(VpnOperatorSchema),
      describe("The commercial VPN service behind the address, if it is known."),
    ),
    geo: v.exactOptional(
      v.object({
        country: v.exactOptional(v.pipe(v.string(), describe("ISO 3166-1 alpha-2."))),
        countryName: v.exactOptional(v.string()),
        region: v.exactOptional(v.string()),
        city: v.exactOptional(v.string()),
        timezone: v.exactOptional(v.pipe(v.string(), describe("IANA time zone."))),
        claims: v.exactOptional(
          v.pipe(
            v.array(v.object({ country: v.string(), countryName: v.string(), sources: v.array(v.string()) })),
            describe("When sources disagree: who names which country, the best supported first."),
          ),
        ),
      }),
    ),
    asn: v.exactOptional(NetworkSchema),
    hostname: v.exactOptional(v.string()),
    registry: v.exactOptional(RegistrySchema),
    risk: v.object({
      purity: v.pipe(count, v.maxValue(100), describe("0 to 100, higher is cleaner.")),
      coverage: v.exactOptional(
        v.pipe(
          CoverageSchema,
          describe(
            "Coverage: share of the planned data that was obtained, 0 to 1 by weight of the sources: in all, and by kind. 0 where this instance asks no source of the kind. Absent from old reports that cannot be scored again.",
          ),
        ),
      ),
      range: v.exactOptional(
        v.pipe(
          RangeSchema,
          describe(
            "As a statistic: `low` is the purity that 95 % of labelled addresses on the same kind of network reach with all data; `high` is the purity without the factor `not_obtained`. `purity` lies inside.",
          ),
        ),
      ),
      level: v.picklist(BANDS),
      label: v.string(),
      verdict: v.string(),
      confidence: v.pipe(
        v.picklist(CONFIDENCES),
        describe("Source coverage behind the score; one step lower while `stale`."),
      ),
      factors: v.array(
        v.object({
          id: v.string(),
          label: v.string(),
          category: v.string(),
          points: v.pipe(
            v.number(),
            describe(
              "Positive deducts, negative adds back: 100 minus the points of all factors is the purity.",
            ),
          ),
          detail: v.string(),
          floor: v.exactOptional(v.pipe(v.number(), describe("A minimum risk that nothing offsets."))),
        }),
      ),
    }),
    scenarios: v.array(
      v.object({
        id: v.picklist(SCENARIOS),
        label: v.string(),
        score: v.pipe(
          v.nullable(v.pipe(count, v.maxValue(100))),
          describe("Null when the level is `restricted` or `not_applicable`."),
        ),
        level: v.picklist(SCENARIO_LEVELS),
        levelLabel: v.string(),
        reason: v.string(),
        regions: v.exactOptional(
          v.pipe(RegionsSchema, describe("On `ai`: does each vendor support the country?")),
        ),
      }),
    ),
    scenarioApplicable: v.pipe(
      v.boolean(),
      describe("False for public infrastructure and special-purpose space."),
    ),
    scenarioNote: v.exactOptional(v.string()),
    blocklists: v.array(
      v.object({
        zone: v.string(),
        label: v.string(),
        listed: v.boolean(),
        benign: v.pipe(
          v.boolean(),
          describe("Listed, but not a risk (a residential-range declaration, for example)."),
        ),
        unavailable: v.pipe(
          v.boolean(),
          describe("The list did not answer: whether it lists the address is unknown."),
        ),
        countedAs: v.exactOptional(
          v.pipe(
            v.picklist(LISTED_EXITS),
            describe(
              "The list names this kind of exit, not abuse: the points are in the factor of that name.",
            ),
          ),
        ),
      }),
    ),
    abuse: v.array(AbuseSchema),
    exposure: v.nullable(ExposureSchema),
    sharing: v.pipe(
      v.nullable(SharingSchema),
      describe("Devices observed on the address and in its subnet; not who uses it now."),
    ),
    sources: v.array(
      v.object({
        name: v.string(),
        kind: v.picklist(SOURCE_KINDS),
        ok: v.pipe(v.boolean(), describe("False: no usable answer. That is not a clean result.")),
        ms: count,
        error: v.exactOptional(v.string()),
        skipped: v.exactOptional(v.string()),
        detail: v.exactOptional(
          v.pipe(v.string(), describe("A fact about the answer, such as the date of the data.")),
        ),
        answer: v.exactOptional(
          v.pipe(
            // Some generators of clients cannot write a type with the single value `true`.
            v.object({ ...SourceAnswerSchema.entries, listed: v.exactOptional(v.boolean()) }),
            describe("What it states. Absent: not stated."),
          ),
        ),
      }),
    ),
    feedback: v.exactOptional(
      v.partial(v.object(v.entriesFromList(SCENARIOS, v.object({ count, average: v.number() })))),
    ),
    reportUrl: v.pipe(v.string(), v.url(), describe("The page for people. Cite it with any conclusion.")),
    unknowns: v.pipe(
      v.array(v.object({ id: v.string(), label: v.string(), detail: v.string() })),
      describe("What an address alone cannot show. Pass it on with any conclusion."),
    ),
    lang: v.exactOptional(v.literal("en")),
    untranslated: v.exactOptional(
      v.pipe(v.array(v.string()), describe("Ids of deductions that have no English text. Normally empty.")),
    ),
  }),
  v.title("Report"),
);
export type Report = v.InferOutput<typeof ReportSchema>;

/** All codes of error bodies. */
export const PROBLEM_CODES = [
  "invalid_ip",
  "invalid_parameter",
  "unauthorized",
  "verification_required",
  "forbidden",
  "not_found",
  "not_in_mirror",
  "method_not_allowed",
  "too_large",
  "rate_limited",
  "open_rate_limited",
  "internal",
  "overloaded",
] as const;
export type ProblemCode = (typeof PROBLEM_CODES)[number];

/** The body of every error response. */
export const ProblemSchema = v.pipe(
  v.object({
    error: v.pipe(v.string(), describe("What went wrong, in one sentence.")),
    code: v.pipe(v.picklist(PROBLEM_CODES), describe("Stable name of the condition, for programs.")),
    hint: v.exactOptional(v.pipe(v.string(), describe("What to do about it."))),
    reportUrl: v.exactOptional(v.pipe(v.string(), v.url(), describe("A page with more help for people."))),
  }),
  v.title("Error"),
);
export type Problem = v.InferOutput<typeof ProblemSchema>;
