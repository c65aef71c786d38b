/** One object of a STIX bundle. */
export interface StixObject {
  readonly type: string;
  readonly id: string;
  readonly [property: string]: unknown;
}

/** A reference to a source outside the bundle (STIX 2.1, 2.5): a name, and at least one of the others. */
export interface ExternalReference {
  readonly source_name: string;
  readonly description?: string;
  readonly url?: string;
  readonly external_id?: string;
}

/** The namespace that STIX 2.1, section 2.9 prescribes for cyber-observable objects, and forbids for all others. */
const OBSERVABLES = "00abedb4-aa42-466c-9c01-fed23315a9b7";

/** The namespace of limpid's own objects: a random UUID. */
const OWN = "b2a0a98f-1c63-4e1c-ac2f-3ae9faec26ef";

/**
 * The id of a cyber-observable object, which is the same at every producer: UUIDv5 of its contributing properties as
 * canonical JSON (RFC 8785). A single property is canonical without sorting.
 */
export function observableId(type: string, contributing: Readonly<Record<string, unknown>>): string {
  return `${type}--${Bun.randomUUIDv5(JSON.stringify(contributing), OBSERVABLES)}`;
}

/**
 * The id of another object: UUIDv5 of its contents. Different contents never share an id, so the same id never needs a
 * newer `modified`.
 */
export function hashId(type: string, contents: Readonly<Record<string, unknown>>): string {
  return `${type}--${Bun.randomUUIDv5(JSON.stringify({ ...contents, type }), OWN)}`;
}
