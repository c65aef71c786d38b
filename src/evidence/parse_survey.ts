import * as v from "valibot";
import {
  ExposureSchema,
  FLAGS,
  NetworkSchema,
  PlaceSchema,
  RegistrySchema,
  RUN_ERRORS,
  RUN_STATES,
  SharingSchema,
  SKIP_REASONS,
  SOURCE_KINDS,
  USAGE_TYPES,
  VpnOperatorSchema,
} from "#report";
import { AS_KINDS } from "./as_kinds.ts";
import {
  type AbuseRecord,
  EVIDENCE_CATEGORIES,
  INFRASTRUCTURE_ROLES,
  LISTING_MEANINGS,
  type Listing,
  type Observation,
  type SourceRun,
  type Survey,
} from "./observation.ts";

/** Requires an entry for every field of a type: a field without one would be lost when a survey is read back. */
type EntriesOf<Type> = Readonly<Record<keyof Type, unknown>>;

const text = v.string();
const texts = v.array(text);
const number = v.number();
const maybeTrue = v.exactOptional(v.literal(true));
const flags = v.exactOptional(v.array(v.picklist(FLAGS)));

const listing = {
  zone: text,
  label: text,
  listed: v.boolean(),
  codes: texts,
  meanings: v.array(v.picklist(LISTING_MEANINGS)),
  voices: v.exactOptional(number),
  authoritative: maybeTrue,
  subnet: maybeTrue,
} satisfies EntriesOf<Listing>;

const abuse = {
  score: v.exactOptional(number),
  reports: v.exactOptional(number),
  attacks: v.exactOptional(v.record(text, number)),
  lastSeen: v.exactOptional(text),
  subnet: maybeTrue,
} satisfies EntriesOf<AbuseRecord>;

const observation = {
  flags: v.exactOptional(v.object(v.entriesFromList(FLAGS, v.exactOptional(v.boolean())))),
  authority: flags,
  subnetFlags: flags,
  echoes: v.exactOptional(texts),
  usage: v.exactOptional(v.picklist(USAGE_TYPES)),
  asKinds: v.exactOptional(v.array(v.picklist(AS_KINDS))),
  geo: v.exactOptional(PlaceSchema),
  asn: v.exactOptional(NetworkSchema),
  announced: v.exactOptional(v.boolean()),
  registry: v.exactOptional(RegistrySchema),
  listings: v.exactOptional(v.array(v.object(listing))),
  abuse: v.exactOptional(v.object(abuse)),
  exposure: v.exactOptional(ExposureSchema),
  sharing: v.exactOptional(SharingSchema),
  vpn: v.exactOptional(VpnOperatorSchema),
  infrastructure: v.exactOptional(v.object({ role: v.picklist(INFRASTRUCTURE_ROLES), operator: text })),
  reverse: v.exactOptional(v.object({ names: texts, crawler: v.exactOptional(text) })),
  anycast: maybeTrue,
  satellite: maybeTrue,
  residentialProxy: v.exactOptional(v.boolean()),
  dataDate: v.exactOptional(text),
  ageing: maybeTrue,
  snapshot: maybeTrue,
  updateRefused: maybeTrue,
} satisfies EntriesOf<Observation>;

const run = {
  id: text,
  name: text,
  kind: v.picklist(SOURCE_KINDS),
  family: text,
  matters: v.array(v.picklist(EVIDENCE_CATEGORIES)),
  weight: number,
  local: v.boolean(),
  zone: v.exactOptional(v.object({ id: text, label: text })),
  state: v.picklist(RUN_STATES),
  ms: number,
  error: v.exactOptional(v.picklist(RUN_ERRORS)),
  detail: v.exactOptional(text),
  skipped: v.exactOptional(v.picklist(SKIP_REASONS)),
  observation: v.exactOptional(v.object(observation)),
  carried: v.exactOptional(v.object({ observation: v.object(observation), heardAt: text, lostAt: text })),
} satisfies EntriesOf<SourceRun>;

const survey = {
  address: text,
  version: v.picklist([4, 6]),
  surveyedAt: v.pipe(text, v.isoTimestamp()),
  runs: v.array(v.object(run)),
} satisfies EntriesOf<Survey>;

const SurveySchema: v.GenericSchema<unknown, Survey> = v.object(survey);

/** Reads a stored survey from its JSON. Returns undefined when it is damaged or in a format that is no longer known. */
export function parseSurvey(json: string): Survey | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  const result = v.safeParse(SurveySchema, value);
  return result.success ? result.output : undefined;
}
