import { zstdCompressSync } from "node:zlib";
import * as v from "valibot";
import { type ReportedListing, SOURCE_KINDS, type SourceState } from "#report";
import { createUnpacker } from "./create_unpacker.ts";

/** What every run of one build says of its sources, in order; documents that have it in common leave it out. */
export interface Cast {
  /** 16 hexadecimal digits of the SHA-256 of `content`. */
  readonly id: string;
  readonly content: string;
  readonly runs: readonly CastRun[];
  /** Place in `zones` of a zone, by id and label. */
  readonly zones: ReadonlyMap<string, number>;
  readonly zoneNames: readonly { readonly zone: string; readonly label: string }[];
  /** Of each run the state of a source that is turned off; reports share it. */
  readonly turnedOff: readonly SourceState[];
  /** Listings that reports share, as they are first needed. */
  readonly listings: Map<number, ReportedListing>;
  /** Compresses and restores small documents whose words the cast knows already. */
  readonly pack: (text: string) => Uint8Array;
  readonly unpack: (bytes: Uint8Array) => string;
}

/** A source as its runs describe it. */
export type CastRun = v.InferOutput<typeof CastRunSchema>;

const CastRunSchema = v.looseObject({
  id: v.string(),
  name: v.string(),
  kind: v.picklist(SOURCE_KINDS),
  zone: v.exactOptional(v.object({ id: v.string(), label: v.string() })),
});

const ContentSchema = v.object({ runs: v.array(CastRunSchema), words: v.string() });

/** What most documents say, for the compression to point at. It is kept with the cast, so it may change at any time. */
const PHRASES = [
  '{"observation":{"flags":{"isProxy":false,"isVpn":false,"isTor":false,"isHosting":false,"isMobile":false,"isRelay":false},"usage":"residential"',
  ',"geo":{"country":"US","region":"","city":"","timezone":"America/New_York"},"asn":{"asn":1,"name":"","org":"","route":""},"announced":true',
  ',"registry":{"rir":"ripencc","country":"DE","netName":"","cidr":"","allocatedAt":""},"abuse":{"score":0,"reports":0},"sharing":{"address":1,"subnet":1}}}',
  '{"observation":{"dataDate":"2026-',
  '","ageing":true}}],[2,{"skipped":"no_key"}],[2,{"skipped":"no_contact"}],[2,{"skipped":"daily_budget"}],[2,{"skipped":"settled"}],[2,{"skipped":"paused"}]',
  ',[3,{"error":"timeout","detail":"no answer in time"}],[3,{"error":"unavailable","detail":"HTTP 503"}],[3,{"error":"rate_limited","detail":"HTTP 429"}],[0,{"dataDate":"2026-',
  '"usage":"residential","native":"native","flags":{"isProxy":false,"isVpn":false,"isTor":false,"isHosting":false,"isMobile":false,"isRelay":false,"isBogon":false,"isSearchEngineBot":false},"agreement":{}',
  ',"purity":100,"band":"pristine","confidence":"high","verdict":{"id":"no_signals","data":{"heard":31,"planned":31}},"factors":[{"id":"","category":"","points":',
  '],"scenarios":[{"id":"ai","score":97,"level":"excellent","reasons":[{"id":"usage","data":{"usage":"business"}},{"id":"not_listed","data":{}},{"id":"native","data":{}}]}',
  ',{"id":"social","score":92,"level":"good","reasons":[{"id":"usage","data":{"usage":"hosting"}},{"id":"listed","data":{}}]},{"id":"streaming","score":',
  ',{"id":"gaming","score":,{"id":"ecommerce","score":,{"id":"email","score":100,"level":"excellent","reasons":',
  '"listings":[],"abuse":[{"source":"StopForumSpam","score":0,"reports":0}],"exposure":{"observed":false,"ports":[],"vulns":[]},"sharing":{"address":1,"subnet":1},"sources":[',
  '"unknowns":[{"id":"platform_labels","data":{}},{"id":"exclusivity","data":{}},{"id":"linked_accounts","data":{}},{"id":"device_and_behaviour","data":{}},{"id":"profile_match","data":{}}]}',
  '2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,1,1,1,1,1,1,1,1,{"version":4,"surveyedAt":"2026-11-21T',
].join("");

/** What the runs of a survey say of their sources, as JSON; the same for surveys that have a cast in common. */
export function describeSources(runs: readonly object[]): string {
  return JSON.stringify(runs.map((run) => describe({ ...run })));
}

/** The cast of sources so described; undefined for what has another form. */
export function castOf(sources: string): Cast | undefined {
  const parsed = v.safeParse(v.pipe(v.array(CastRunSchema), v.minLength(1)), JSON.parse(sources));
  if (!parsed.success) return undefined;
  const zones = parsed.output.flatMap(({ zone }) => (zone === undefined ? [] : [zone]));
  const listed = zones.map(
    ({ id, label }) =>
      `{"observation":{"listings":[{"zone":${JSON.stringify(id)},"label":${JSON.stringify(label)},"listed":false,"codes":[],"meanings":[]}]}}]`,
  );
  return readCast(`{"runs":${sources},"words":${JSON.stringify(listed.join("") + PHRASES)}}`);
}

/** Reads a cast from its content; undefined for what is none. */
export function readCast(content: string): Cast | undefined {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    return undefined;
  }
  const parsed = v.safeParse(ContentSchema, value);
  if (!parsed.success) return undefined;
  const { runs, words } = parsed.output;
  const dictionary = Buffer.from(words);
  const zoneNames = runs.flatMap(({ zone }) =>
    zone === undefined ? [] : [{ zone: zone.id, label: zone.label }],
  );
  return {
    id: idOf(content),
    content,
    runs,
    zones: new Map(zoneNames.map(({ zone, label }, at) => [zoneKey(zone, label), at])),
    zoneNames,
    turnedOff: runs.map(({ id, name, kind }) =>
      Object.freeze({ id, name, kind, state: "skipped", ms: 0, skipped: "turned_off" }),
    ),
    listings: new Map(),
    pack: (text) => zstdCompressSync(text, { dictionary }),
    unpack: createUnpacker(dictionary),
  };
}

/** The id of a cast's content. */
export function idOf(content: string): string {
  return new Bun.CryptoHasher("sha256").update(content).digest("hex").slice(0, 16);
}

/** Names a zone together with its label. */
export function zoneKey(zone: string, label: string): string {
  return `${zone}\n${label}`;
}

/** Undefined fields are left out by JSON. */
function describe(run: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { id, name, kind, family, matters, weight, local, zone } = run;
  return { id, name, kind, family, matters, weight, local, zone };
}
