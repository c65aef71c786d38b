import * as v from "valibot";
import { LISTING_MEANINGS } from "#evidence";
import rows from "./zones.json" with { type: "json" };

const flag = v.exactOptional(v.literal(true));
const name = v.exactOptional(v.string());

const ZoneCodeSchema = v.strictObject({
  /** Short name as the zone documents it. */
  name: v.string(),
  meaning: v.picklist(LISTING_MEANINGS),
  /** False: the code describes the address without listing it (a neutral or good reputation, a test entry). */
  listed: v.exactOptional(v.literal(false)),
  /** The zone is the authority on this code: no second source is needed. */
  authoritative: flag,
});

const ZoneSchema = v.strictObject({
  /** snake_case: id of the source and of the zone, and name of the fixture file. */
  id: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_]*$/)),
  label: v.string(),
  /** What a contributor must know: where the codes are documented. */
  about: v.exactOptional(v.string()),
  family: v.string(),
  /** It joins several lists: the label of a listing names those that have the address. */
  combined: flag,
  /** DNS name by IP version; a version without a name is not supported. `{key}` stands for the operator's key. */
  names: v.strictObject({ 4: name, 6: name }),
  /** Share in coverage; 1 = one ordinary source. */
  weight: v.number(),
  /**
   * Documented answers. Any other answer inside 127.0.0.0/8 is `others`, or the list has not answered. 127.0.0.1 is
   * never a listing (RFC 5782).
   */
  codes: v.record(v.string(), ZoneCodeSchema),
  others: v.exactOptional(ZoneCodeSchema),
  /** Texts for the codes that mean a refusal. All of 127.255.255.0/24 are refusals, with or without a text. */
  refusals: v.exactOptional(v.record(v.string(), v.string())),
  commercial: flag,
  keyed: flag,
  noncommercial: flag,
  /** Id of the zone that includes this one, for operators with a key. */
  replacedBy: name,
  /** Page where a listing is explained or removed; `{ip}` stands for the address. */
  delistUrl: v.string(),
});

/** What one answer of a zone means. */
export type ZoneCode = v.InferOutput<typeof ZoneCodeSchema>;

/** A DNS list as data. */
export type Zone = v.InferOutput<typeof ZoneSchema>;

/** Every DNS list, in the order of the report. */
export const ZONES: readonly Zone[] = v.parse(v.array(ZoneSchema), rows);
