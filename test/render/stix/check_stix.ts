import { expect } from "bun:test";
import { isIP } from "node:net";
import * as v from "valibot";

/**
 * Checks a bundle as strictly as STIX 2.1 (https://docs.oasis-open.org/cti/stix/v2.1/os/stix-v2.1-os.html) defines the
 * objects that limpid writes: required properties, no others, forms of ids and times, references that lead to an object
 * of an allowed type. Written from the text of the standard.
 */

const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}";
const idOf = (...types: string[]) =>
  v.pipe(v.string(), v.regex(new RegExp(`^(?:${types.join("|")})--${UUID}$`)));
const text = v.pipe(v.string(), v.minLength(1));
const time = v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/), v.isoTimestamp());
const version = v.literal("2.1");
const language = v.picklist(["en", "zh"]);
const list = <Item extends v.GenericSchema>(item: Item) => v.pipe(v.array(item), v.minLength(1));

/** 2.5: a name, and at least one of description, url and external_id. */
const reference = v.pipe(
  v.strictObject({
    source_name: text,
    description: v.exactOptional(text),
    url: v.exactOptional(v.pipe(v.string(), v.url())),
    external_id: v.exactOptional(text),
  }),
  v.check(({ description, url, external_id }) => (description ?? url ?? external_id) !== undefined),
);

/** 3.2: common properties of domain objects and relationships. */
const common = {
  spec_version: version,
  created_by_ref: idOf("identity"),
  created: time,
  modified: time,
  lang: language,
};
const ADDRESS = ["ipv4-addr", "ipv6-addr"];

const OBJECTS = {
  identity: v.strictObject({
    type: v.literal("identity"),
    id: idOf("identity"),
    spec_version: version,
    created: time,
    modified: time,
    name: text,
    identity_class: v.picklist(["individual", "group", "system", "organization", "class", "unspecified"]),
    external_references: v.exactOptional(list(reference)),
  }),
  "ipv4-addr": v.strictObject({
    type: v.literal("ipv4-addr"),
    id: idOf("ipv4-addr"),
    spec_version: version,
    value: v.pipe(text, v.ipv4()),
  }),
  "ipv6-addr": v.strictObject({
    type: v.literal("ipv6-addr"),
    id: idOf("ipv6-addr"),
    spec_version: version,
    value: v.pipe(
      text,
      v.check((value) => isIP(value) === 6),
    ),
  }),
  "autonomous-system": v.strictObject({
    type: v.literal("autonomous-system"),
    id: idOf("autonomous-system"),
    spec_version: version,
    number: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(2 ** 32 - 1)),
    name: v.exactOptional(text),
    rir: v.exactOptional(text),
  }),
  location: v.strictObject({
    ...common,
    type: v.literal("location"),
    id: idOf("location"),
    country: v.pipe(v.string(), v.regex(/^[A-Z]{2}$/)),
    administrative_area: v.exactOptional(text),
    city: v.exactOptional(text),
  }),
  "observed-data": v.strictObject({
    ...common,
    type: v.literal("observed-data"),
    id: idOf("observed-data"),
    first_observed: time,
    last_observed: time,
    number_observed: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(999_999_999)),
    object_refs: list(idOf(...ADDRESS)),
  }),
  indicator: v.strictObject({
    ...common,
    type: v.literal("indicator"),
    id: idOf("indicator"),
    name: text,
    description: text,
    indicator_types: list(v.picklist(["anonymization", "malicious-activity"])),
    labels: list(text),
    confidence: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100)),
    pattern: v.pipe(text, v.regex(/^\[ipv[46]-addr:value = '(?:[^'\\]|\\['\\])*'\]$/)),
    pattern_type: v.literal("stix"),
    pattern_version: v.literal("2.1"),
    valid_from: time,
    external_references: list(reference),
  }),
  note: v.strictObject({
    ...common,
    type: v.literal("note"),
    id: idOf("note"),
    abstract: text,
    content: text,
    object_refs: list(idOf(...ADDRESS)),
  }),
  relationship: v.variant("relationship_type", [
    relationship("belongs-to", ADDRESS, ["autonomous-system"]),
    relationship("located-at", ADDRESS, ["location"]),
    relationship("based-on", ["indicator"], ["observed-data"]),
  ]),
} as const;

function relationship<const Type extends string>(relationship_type: Type, from: string[], to: string[]) {
  return v.strictObject({
    ...common,
    type: v.literal("relationship"),
    id: idOf("relationship"),
    relationship_type: v.literal(relationship_type),
    source_ref: idOf(...from),
    target_ref: idOf(...to),
  });
}

const BundleSchema = v.strictObject({
  type: v.literal("bundle"),
  id: idOf("bundle"),
  objects: list(v.looseObject({ type: v.picklist(Object.keys(OBJECTS)), id: v.string() })),
});

/** One object of a checked bundle. */
export type CheckedObject = Readonly<Record<string, unknown>> & {
  readonly type: string;
  readonly id: string;
};

/** Reads a bundle. `isAddressReal`: the value of the address must be an address. Throws what is wrong. */
export function checkStix(json: string, isAddressReal = true): readonly CheckedObject[] {
  const { objects } = v.parse(BundleSchema, JSON.parse(json));
  const ids = objects.map(({ id }) => id);
  expect(new Set(ids.map((id) => id.split("--")[1])).size, "no UUID is used twice").toBe(ids.length);
  for (const object of objects) {
    if (!isAddressReal && ADDRESS.includes(object.type)) continue;
    v.parse(OBJECTS[object.type as keyof typeof OBJECTS] as v.GenericSchema, object);
    for (const [name, value] of Object.entries(object)) {
      if (!/_refs?$/.test(name)) continue;
      for (const id of [value].flat()) expect(ids, `${object.id} ${name}`).toContain(id as string);
    }
  }
  return objects;
}
