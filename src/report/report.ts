import * as v from "valibot";
import { AbuseSchema, ExposureSchema, NetworkSchema, RegistrySchema, SharingSchema } from "./assessment.ts";
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
} from "./words.ts";

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
// Generic, because a description of unknown input would make the output of its pipe unknown.
const say = <Input>(text: string) => v.description<Input, string>(text);

/** The public document in one language; field for field the interface's contract. No transforms: it is also its own JSON Schema. */
export const ReportSchema = v.pipe(
  v.object({
    ip: v.pipe(v.string(), say("Normalised address: dotted IPv4, or IPv6 as RFC 5952 writes it.")),
    version: v.pipe(v.picklist([4, 6]), say("Address version. ::ffff:a.b.c.d counts as IPv4.")),
    queriedAt: v.pipe(
      v.string(),
      v.isoTimestamp(),
      say("When the sources were asked. Read together with `stale`."),
    ),
    source: v.pipe(
      v.picklist(TIERS),
      say("`fresh` = asked just now, `cache` = this process's memory, `store` = the database."),
    ),
    stale: v.pipe(
      v.boolean(),
      say(
        "The report is older than the staleness threshold: its confidence is one step lower, its purity unchanged; a refresh is advisable.",
      ),
    ),
    usageType: v.pipe(v.picklist(USAGE_TYPES), say("What the network behind the address is used for.")),
    nativeType: v.pipe(
      v.picklist(NATIVE_TYPES),
      say(
        "`native` = registered and used in one country, `broadcast` = registered in one and used in another.",
      ),
    ),
    flags: v.pipe(
      v.object(v.entriesFromList(FLAGS, v.boolean())),
      say("False means: no answering source says so. It does not mean that the opposite is proven."),
    ),
    flagAgreement: v.pipe(
      v.partial(v.object(v.entriesFromList(FLAGS, count))),
      say("How many independent source families agree on a flag. One alone counts half in the score."),
    ),
    vpnOperator: v.pipe(
      v.nullable(
        v.object({
          name: v.string(),
          url: v.exactOptional(v.string()),
          anonymity: v.exactOptional(v.string()),
          popularity: v.exactOptional(v.string()),
          protocols: v.exactOptional(v.array(v.string())),
          logging: v.exactOptional(v.boolean()),
          freeAccess: v.exactOptional(v.boolean()),
        }),
      ),
      say("The commercial VPN service behind the address, where one is known."),
    ),
    geo: v.exactOptional(
      v.object({
        country: v.exactOptional(v.pipe(v.string(), say("ISO 3166-1 alpha-2."))),
        countryName: v.exactOptional(v.string()),
        region: v.exactOptional(v.string()),
        city: v.exactOptional(v.string()),
        timezone: v.exactOptional(v.pipe(v.string(), say("IANA time zone."))),
      }),
    ),
    asn: v.exactOptional(NetworkSchema),
    registry: v.exactOptional(RegistrySchema),
    risk: v.object({
      purity: v.pipe(count, v.maxValue(100), say("0 to 100, higher is cleaner.")),
      level: v.picklist(BANDS),
      label: v.string(),
      verdict: v.string(),
      confidence: v.pipe(
        v.picklist(CONFIDENCES),
        say(
          "How much source coverage backs the score; one step lower while `stale`. Read separately from the score.",
        ),
      ),
      factors: v.array(
        v.object({
          id: v.string(),
          label: v.string(),
          category: v.string(),
          points: v.pipe(v.number(), say("Positive deducts from purity, negative adds back.")),
          detail: v.string(),
          floor: v.exactOptional(v.pipe(v.number(), say("A minimum risk that nothing offsets."))),
        }),
      ),
    }),
    scenarios: v.array(
      v.object({
        id: v.picklist(SCENARIOS),
        label: v.string(),
        score: v.pipe(
          v.nullable(v.pipe(count, v.maxValue(100))),
          say("Null when the level is `restricted` or `not_applicable`."),
        ),
        level: v.picklist(SCENARIO_LEVELS),
        levelLabel: v.string(),
        reason: v.string(),
      }),
    ),
    scenarioApplicable: v.pipe(
      v.boolean(),
      say("False: public infrastructure or special-purpose space, nobody's egress address."),
    ),
    scenarioNote: v.exactOptional(v.string()),
    blocklists: v.array(
      v.object({
        zone: v.string(),
        label: v.string(),
        listed: v.boolean(),
        benign: v.pipe(
          v.boolean(),
          say("Listed, but not a risk (a residential-range declaration, for example)."),
        ),
        unavailable: v.pipe(
          v.boolean(),
          say("The list could not be heard this time: whether it lists the address is unknown."),
        ),
      }),
    ),
    abuse: v.array(AbuseSchema),
    exposure: v.nullable(ExposureSchema),
    sharing: v.pipe(
      v.nullable(SharingSchema),
      say("Devices observed on the address and in its subnet; not who uses the exit right now."),
    ),
    sources: v.array(
      v.object({
        name: v.string(),
        kind: v.picklist(SOURCE_KINDS),
        ok: v.pipe(
          v.boolean(),
          say("False: the source was not heard. That is neither a miss nor a clean result."),
        ),
        ms: count,
        error: v.exactOptional(v.string()),
        skipped: v.exactOptional(v.string()),
        detail: v.exactOptional(
          v.pipe(v.string(), say("A fact about the answer, such as the date of the data.")),
        ),
      }),
    ),
    feedback: v.exactOptional(
      v.partial(v.object(v.entriesFromList(SCENARIOS, v.object({ count, average: v.number() })))),
    ),
    reportUrl: v.pipe(v.string(), v.url(), say("The page for people; to be cited with any conclusion.")),
    unknowns: v.pipe(
      v.array(v.object({ id: v.string(), label: v.string(), detail: v.string() })),
      say("What an address alone can never tell; to be passed on with any conclusion."),
    ),
    lang: v.exactOptional(v.literal("en")),
    untranslated: v.exactOptional(
      v.pipe(v.array(v.string()), say("Ids of deductions without an English text; normally empty.")),
    ),
  }),
  v.title("Report"),
);
export type Report = v.InferOutput<typeof ReportSchema>;
