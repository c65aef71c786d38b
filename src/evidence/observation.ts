import * as v from "valibot";
import {
  AS_KINDS,
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

/**
 * Lower-case name of the publisher that the data comes from (`spamhaus`, `proxycheck`, `rir`, `routeviews`).
 * Agreement counts families, not sources: two sources that republish one list are one family.
 */
export type Family = string;

/** The kinds of facts a source can report. Confidence requires answers in the most important categories. */
export const EVIDENCE_CATEGORIES = [
  "network",
  "location",
  "registry",
  "anonymity",
  "lists",
  "abuse",
  "exposure",
] as const;
export type EvidenceCategory = (typeof EVIDENCE_CATEGORIES)[number];

/**
 * What a listing means. `abuse` = spam, attacks or infection; `severe` = hijacked or criminal netblock;
 * `botnet` = botnet controller; `proxy`, `vpn`, `tor` = a kind of exit; `policy` = a declaration about end-user
 * space, not an accusation; `info` = recorded, without risk; `unclassified` = a code that the
 * zone does not document; only surveys of earlier versions contain it, and it accuses nobody.
 */
export const LISTING_MEANINGS = [
  "abuse",
  "severe",
  "botnet",
  "proxy",
  "vpn",
  "tor",
  "policy",
  "info",
  "unclassified",
] as const;
export type ListingMeaning = (typeof LISTING_MEANINGS)[number];

const text = v.string();
const number = v.number();
const maybeText = v.exactOptional(text);
const maybeNumber = v.exactOptional(number);
const maybeTrue = v.exactOptional(v.literal(true));

function list<Schema extends v.GenericSchema>(schema: Schema) {
  return v.pipe(v.array(schema), v.readonly());
}

const ListingSchema = v.object({
  zone: text,
  label: text,
  listed: v.boolean(),
  /** Short names of the codes in the answer, such as `SBL`. */
  codes: list(text),
  meanings: list(v.picklist(LISTING_MEANINGS)),
  /** For a list that counts other lists: how many independent lists the entry stands for. Absent = 1. */
  voices: maybeNumber,
  /** The list is an authority: it counts as two families. */
  authoritative: maybeTrue,
  /** The listing is about the /64 of an IPv6 address, not about the address itself. */
  subnet: maybeTrue,
});
/** One list's answer about the address. It has several meanings when the answer has several codes. */
export type Listing = Readonly<v.InferOutput<typeof ListingSchema>>;

const AbuseRecordSchema = v.object({
  score: maybeNumber,
  reports: maybeNumber,
  attacks: v.exactOptional(v.record(text, number)),
  lastSeen: maybeText,
  /** The record is about the /64 of an IPv6 address only. */
  subnet: maybeTrue,
});
/** One source's record of abuse. `score` is 0–100 on the source's own scale, `lastSeen` is RFC 3339. */
export type AbuseRecord = Readonly<v.InferOutput<typeof AbuseRecordSchema>>;

const InfrastructureSchema = v.object({
  role: v.picklist(["public_dns_resolver", "root_server", "crawler"]),
  operator: text,
});
/** An address that serves the public. No person uses it as an exit. */
export type Infrastructure = Readonly<v.InferOutput<typeof InfrastructureSchema>>;

const ReverseNameSchema = v.object({ names: list(text), crawler: maybeText });
/** Reverse DNS names. `crawler` is the search engine whose name the forward lookup confirmed. */
export type ReverseName = Readonly<v.InferOutput<typeof ReverseNameSchema>>;

const ObservationSchema = v.object({
  flags: v.exactOptional(v.object(v.entriesFromList(FLAGS, v.exactOptional(v.boolean())))),
  /** Flags on which this source is an authority (a Tor exit list on `isTor`): it counts as two families. */
  authority: v.exactOptional(list(v.picklist(FLAGS))),
  /** Flags that this source reports only for the /64 of an IPv6 address. */
  subnetFlags: v.exactOptional(list(v.picklist(FLAGS))),
  /** Families whose lists this source includes. Its "yes" on a flag does not add to theirs. */
  echoes: v.exactOptional(list(text)),
  usage: v.exactOptional(v.picklist(USAGE_TYPES)),
  /** Kinds of the AS, from a list of AS numbers. They are not about this address alone. */
  asKinds: v.exactOptional(list(v.picklist(AS_KINDS))),
  geo: v.exactOptional(PlaceSchema),
  asn: v.exactOptional(NetworkSchema),
  /** False: no announced prefix contains the address. */
  announced: v.exactOptional(v.boolean()),
  registry: v.exactOptional(RegistrySchema),
  listings: v.exactOptional(list(ListingSchema)),
  abuse: v.exactOptional(AbuseRecordSchema),
  exposure: v.exactOptional(ExposureSchema),
  sharing: v.exactOptional(SharingSchema),
  vpn: v.exactOptional(VpnOperatorSchema),
  infrastructure: v.exactOptional(InfrastructureSchema),
  reverse: v.exactOptional(ReverseNameSchema),
  /** The address is announced from many places, so it has no country of use. */
  anycast: maybeTrue,
  /** The address belongs to users of a satellite network, who may be anywhere. */
  satellite: maybeTrue,
  /** The source looks for residential proxies: whether it saw one on this address. */
  residentialProxy: v.exactOptional(v.boolean()),
  /** Date of the data behind a table, YYYY-MM-DD. */
  dataDate: maybeText,
  /** The data is older than it should be, but still usable. It counts for less in coverage. */
  ageing: maybeTrue,
  /** The list is the one that ships with the program, because no download of it can be used. */
  snapshot: maybeTrue,
  /** The newest version of the list was refused as implausible. This answer is from the last good one. */
  updateRefused: maybeTrue,
});
/** One source's answer in normal form. An absent field means "not stated", never "no". */
export type Observation = Readonly<v.InferOutput<typeof ObservationSchema>>;

const SourceRunSchema = v.object({
  id: text,
  name: text,
  kind: v.picklist(SOURCE_KINDS),
  family: text,
  /** Categories of evidence that the source covers. The name of this field is part of stored surveys. */
  matters: list(v.picklist(EVIDENCE_CATEGORIES)),
  /** Share in coverage. 0 = not counted. */
  weight: number,
  /** The source is a table in this process, so no network query was made. */
  local: v.boolean(),
  /** The DNS zone or list that this source is. Without an answer it is reported as an unavailable list. */
  zone: v.exactOptional(v.object({ id: text, label: text })),
  state: v.picklist(RUN_STATES),
  ms: number,
  error: v.exactOptional(v.picklist(RUN_ERRORS)),
  detail: maybeText,
  skipped: v.exactOptional(v.picklist(SKIP_REASONS)),
  observation: v.exactOptional(ObservationSchema),
  /**
   * What the source said against the address when it last answered. It did not answer this time. `heardAt` = the survey
   * in which it answered, `lostAt` = the first one in which it did not; RFC 3339.
   */
  carried: v.exactOptional(v.object({ observation: ObservationSchema, heardAt: text, lostAt: text })),
});
/** The result of one query to one source, as stored with the survey. */
export type SourceRun = Readonly<v.InferOutput<typeof SourceRunSchema>>;

const SurveySchema = v.object({
  address: text,
  version: v.picklist([4, 6]),
  surveyedAt: v.pipe(text, v.isoTimestamp()),
  runs: list(SourceRunSchema),
});
/** The results of all queries about one address. `surveyedAt` is RFC 3339 UTC. */
export type Survey = Readonly<v.InferOutput<typeof SurveySchema>>;

/** Reads a stored survey from its JSON. Returns undefined when it is damaged or in a format that is no longer known. */
export function parseSurvey(json: string): Survey | undefined {
  try {
    const result = v.safeParse(SurveySchema, JSON.parse(json));
    return result.success ? result.output : undefined;
  } catch {
    return undefined;
  }
}
