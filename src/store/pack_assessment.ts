import type { Assessment, ReportedListing, SourceState } from "#report";
import { type Cast, zoneKey } from "./cast.ts";

const STATES = ["answered", "empty", "skipped", "failed"] as const;

/** What is turned off is said by the state alone: it is most of what is skipped. */
const USUAL_SKIP = "turned_off";

/** A source that is turned off, as a number. */
const TURNED_OFF = STATES.indexOf("skipped");

/** A longer time than any source has; the state must still fit into the same number. */
const MAX_MS = 2 ** 40;

const LISTED = 1;
const BENIGN = 2;
const UNAVAILABLE = 4;

type Extras = Omit<SourceState, "id" | "name" | "kind" | "state" | "ms">;
type PackedSource = number | readonly [number, Extras];
type PackedListing = number | readonly [zone: string, label: string, bits: number, more?: object];

/** An assessment with its two long lists drawn together; `sources` are those of the cast, in its order. */
type Packed = Omit<Assessment, "sources" | "listings"> & {
  readonly sources: readonly PackedSource[];
  readonly listings: readonly PackedListing[];
};

/** Packs an assessment; undefined when its sources are not those of the cast. */
export function packAssessment(assessment: Assessment, cast: Cast): Uint8Array | undefined {
  const { sources } = assessment;
  const { runs } = cast;
  const isCast =
    sources.length === runs.length &&
    sources.every((source, at) => {
      const run = runs[at];
      const isNamed = run?.id === source.id && run.name === source.name && run.kind === source.kind;
      return isNamed && Number.isInteger(source.ms) && source.ms >= 0 && source.ms < MAX_MS;
    });
  if (!isCast) return undefined;
  const packed: Packed = {
    ...assessment,
    listings: assessment.listings.map((listing) => packListing(listing, cast)),
    sources: sources.map(packSource),
  };
  return cast.pack(JSON.stringify(packed));
}

/**
 * Restores what {@link packAssessment} made of an assessment. It is not looked at again: only for what a checksum shows
 * to be as it was written.
 */
export function unpackAssessment(bytes: Uint8Array, cast: Cast): Assessment {
  const packed = JSON.parse(cast.unpack(bytes)) as Packed;
  const listings = packed.listings.map((one) => unpackListing(one, cast));
  const sources = packed.sources.map((one, at) => unpackSource(one, at, cast));
  // In its place: a copy of the rest costs as much as a list.
  return Object.assign(packed as Omit<Packed, "listings" | "sources">, { listings, sources });
}

function packSource({ id: _, name: _name, kind: _kind, state, ms, ...extras }: SourceState): PackedSource {
  const word = ms * STATES.length + STATES.indexOf(state);
  const keys = Object.keys(extras).length;
  const isUsual = state === "skipped" ? keys === 1 && extras.skipped === USUAL_SKIP : keys === 0;
  return isUsual ? word : [word, extras];
}

function unpackSource(packed: PackedSource, at: number, { runs, turnedOff }: Cast): SourceState {
  const shared = packed === TURNED_OFF ? turnedOff[at] : undefined;
  if (shared !== undefined) return shared;
  const run = runs[at];
  const word = typeof packed === "number" ? packed : packed[0];
  const state = STATES[word % STATES.length];
  if (run === undefined || state === undefined)
    throw new RangeError(`Cannot restore source ${at}: the cast has none`);
  const ms = Math.floor(word / STATES.length);
  const { id, name, kind } = run;
  const source: SourceState = { id, name, kind, state, ms };
  if (typeof packed !== "number") return Object.assign(source, packed[1]);
  if (state === "skipped") source.skipped = USUAL_SKIP;
  return source;
}

function packListing(listing: ReportedListing, { zones }: Cast): PackedListing {
  const { zone, label, listed, benign, unavailable, ...more } = listing;
  const bits = (listed ? LISTED : 0) | (benign ? BENIGN : 0) | (unavailable ? UNAVAILABLE : 0);
  const known = zones.get(zoneKey(zone, label));
  if (Object.keys(more).length > 0) return [zone, label, bits, more];
  return known === undefined ? [zone, label, bits] : known * 8 + bits;
}

function unpackListing(packed: PackedListing, { zoneNames, listings }: Cast): ReportedListing {
  if (typeof packed === "number") {
    const known = listings.get(packed);
    if (known !== undefined) return known;
    const name = zoneNames[packed >> 3];
    if (name === undefined)
      throw new RangeError(`Cannot restore listing ${packed}: the cast has no such zone`);
    const shared = Object.freeze(readBits(name.zone, name.label, packed & 7));
    listings.set(packed, shared);
    return shared;
  }
  const [zone, label, bits, more] = packed;
  return Object.assign(readBits(zone, label, bits), more);
}

function readBits(zone: string, label: string, bits: number): ReportedListing {
  return {
    zone,
    label,
    listed: (bits & LISTED) !== 0,
    benign: (bits & BENIGN) !== 0,
    unavailable: (bits & UNAVAILABLE) !== 0,
  };
}
