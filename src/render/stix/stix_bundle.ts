import type { Report } from "#report";
import { sanitize } from "../characters.ts";
import { methodUrlOf } from "../paths.ts";
import { describeNative } from "../report_blocks.ts";
import { contextOf, type ReportContext } from "../report_context.ts";
import { describeFlagRow, describeLow, describeScore, describeSureness } from "../report_fields.ts";
import { describeCounts } from "../source_groups.ts";
import { listAccusations, listReferences, typesOf } from "./accusations.ts";

/** The description of limpid never changes, so every report names the same identity of a service. */
const IDENTITY_CREATED = "2026-01-01T00:00:00.000Z";

/** The scale "None / Low / Med / High" of STIX 2.1, appendix A. */
const CONFIDENCE = { low: 15, medium: 50, high: 85 } as const;

/** The namespace that STIX 2.1, section 2.9 prescribes for cyber-observable objects, and forbids for all others. */
const OBSERVABLES = "00abedb4-aa42-466c-9c01-fed23315a9b7";

/** The namespace of limpid's own objects: a random UUID. */
const OWN = "b2a0a98f-1c63-4e1c-ac2f-3ae9faec26ef";

/**
 * Renders the report as a bundle of STIX 2.1 (OASIS, https://docs.oasis-open.org/cti/stix/v2.1/stix-v2.1.html): the
 * address, its AS and its country, a note with the conclusion and a note with what an address cannot show. Only an
 * address that is accused and not clean has an indicator. Media type `application/stix+json;version=2.1`.
 * The same report always gives the same bundle: every id is derived from the contents of its object.
 */
export function renderStix(report: Report): string {
  const objects = listObjects(report);
  const id = hashId("bundle", { objects: objects.map((object) => object.id) });
  return JSON.stringify({ type: "bundle", id, objects });
}

/** One object of a STIX bundle. */
interface StixObject {
  readonly type: string;
  readonly id: string;
  readonly [property: string]: unknown;
}

/** What all objects of one report share. */
interface Context extends ReportContext {
  readonly address: StixObject;
  /** Makes an object of this service at the time of the report. */
  readonly make: (type: string, properties: Readonly<Record<string, unknown>>) => StixObject;
}

function listObjects(report: Report): readonly StixObject[] {
  const identity = describeService(report);
  const time = new Date(report.queriedAt).toISOString();
  const common = {
    spec_version: "2.1",
    created_by_ref: identity.id,
    created: time,
    modified: time,
    lang: report.lang ?? "zh",
  };
  const make: Context["make"] = (type, properties) => {
    const content = { ...common, ...properties };
    return { type, id: hashId(type, content), ...content };
  };
  const address = observe(report.version === 4 ? "ipv4-addr" : "ipv6-addr", { value: sanitize(report.ip) });
  const context: Context = { ...contextOf(report), address, make };
  return [
    identity,
    address,
    ...describeNetwork(context),
    ...describePlace(context),
    ...accuse(context),
    make("note", { ...describeAssessment(context), object_refs: [address.id] }),
    make("note", { ...describeUnknowns(context), object_refs: [address.id] }),
  ];
}

/** A cyber-observable object. The first property is the one that its id is derived from. */
function observe(
  type: "ipv4-addr" | "ipv6-addr" | "autonomous-system",
  contributing: Readonly<Record<string, unknown>>,
  others: Readonly<Record<string, unknown>> = {},
): StixObject {
  return { type, id: observableId(type, contributing), spec_version: "2.1", ...contributing, ...others };
}

function describeService(report: Report): StixObject {
  const url = methodUrlOf({ ...report, lang: "en" });
  const content = {
    spec_version: "2.1",
    created: IDENTITY_CREATED,
    modified: IDENTITY_CREATED,
    name: "limpid",
    identity_class: "system",
    ...(/^https?:/.test(url) ? { external_references: [{ source_name: "limpid", url }] } : {}),
  };
  return { type: "identity", id: hashId("identity", content), ...content };
}

function describeNetwork({ report, address, make }: Context): readonly StixObject[] {
  const { asn, registry } = report;
  if (asn?.asn === undefined) return [];
  const system = observe(
    "autonomous-system",
    { number: asn.asn },
    {
      ...(asn.name === undefined ? {} : { name: sanitize(asn.name) }),
      ...(registry?.rir === undefined ? {} : { rir: sanitize(registry.rir) }),
    },
  );
  return [system, relate(make, "belongs-to", address, system)];
}

function describePlace({ report, address, make }: Context): readonly StixObject[] {
  const { country, region, city } = report.geo ?? {};
  if (country === undefined || !/^[A-Z]{2}$/.test(country)) return [];
  const place = make("location", {
    country,
    ...(region === undefined ? {} : { administrative_area: sanitize(region) }),
    ...(city === undefined ? {} : { city: sanitize(city) }),
  });
  return [place, relate(make, "located-at", address, place)];
}

/** The indicator with what it is based on; nothing if nobody accuses the address, or if it is clean all the same. */
function accuse(context: Context): readonly StixObject[] {
  const { report, address, make } = context;
  const factors = listAccusations(report);
  if (factors.length === 0) return [];
  const time = new Date(report.queriedAt).toISOString();
  const observed = make("observed-data", {
    first_observed: time,
    last_observed: time,
    number_observed: 1,
    object_refs: [address.id],
  });
  const indicator = make("indicator", {
    name: sanitize(report.ip),
    description: factors.map(({ label, detail }) => `${sanitize(label)}: ${sanitize(detail)}`).join("\n"),
    indicator_types: typesOf(factors),
    labels: factors.map(({ id }) => sanitize(id)),
    confidence: CONFIDENCE[report.risk.confidence],
    pattern: `[${address.type}:value = '${sanitize(report.ip).replaceAll(/[\\']/g, "\\$&")}']`,
    pattern_type: "stix",
    pattern_version: "2.1",
    valid_from: time,
    external_references: listReferences(context),
  });
  return [observed, indicator, relate(make, "based-on", indicator, observed)];
}

function relate(
  make: Context["make"],
  relationship_type: string,
  { id: source_ref }: StixObject,
  { id: target_ref }: StixObject,
): StixObject {
  return make("relationship", { relationship_type, source_ref, target_ref });
}

/**
 * The text of a note (STIX 2.1, 4.12): the conclusion of the report, and how many sources gave no answer: a source without
 * an answer is not a clean result.
 */
function describeAssessment(context: ReportContext) {
  const { report, texts, plain } = context;
  const { labels } = texts;
  const { risk } = report;
  const lines = [
    plain.field(labels.purity, sanitize(describeScore(context))),
    ...describeLow(context).map((low) => plain.field(labels.purity, low)),
    plain.field(labels.confidence, describeSureness(context)),
    ...(report.hostname === undefined ? [] : [plain.field(labels.hostname, sanitize(report.hostname))]),
    plain.field(labels.usage, texts.usages[report.usageType]),
    plain.field(labels.native, describeNative(context)),
    plain.field(labels.flags, describeFlagRow(context)),
    describeCounts(context),
    ...(report.sources.every(({ ok }) => ok) ? [] : [labels.sourcesNote]),
    ...(report.stale ? [labels.stale] : []),
    plain.noSignals,
    plain.field(labels.cite, sanitize(report.reportUrl)),
  ];
  return { abstract: sanitize(risk.verdict), content: lines.join("\n") };
}

/** What an address alone cannot show. */
function describeUnknowns({ report, texts: { labels }, plain: { field } }: ReportContext) {
  const lines = report.unknowns.map(({ label, detail }) => field(sanitize(label), sanitize(detail)));
  return { abstract: labels.unknowns, content: lines.join("\n") || labels.disclaimer };
}

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
function hashId(type: string, contents: Readonly<Record<string, unknown>>): string {
  return `${type}--${Bun.randomUUIDv5(JSON.stringify({ ...contents, type }), OWN)}`;
}
