import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { Client } from "@libsql/client";
import type { Assessment, SourceState } from "#report";
import type { FoundReport } from "../store.ts";
import type { Dictionary, DictionaryCache } from "./dictionaries.ts";

const FORMAT = 3;

/** First bytes of what versions before 0.2.0 wrote: format 2, zstd alone, JSON. Such a row counts as not stored. */
const OLD_FORMATS: ReadonlySet<number | undefined> = new Set([2, 0x28, 0x7b]);

/** Format (1 byte), checksum (8 bytes), dictionary id (8 bytes). */
const HEADER_BYTES = 17;

/** Compression level. Higher levels make documents a tenth smaller and take several times as long. */
const LEVEL = 6;

/** Larger documents are refused; real ones are far smaller. */
export const MAX_DOCUMENT_BYTES = 8_000_000;

/** Why a row cannot be read: `unread` = written in an old format, `damaged` = changed since it was written. */
export type Unreadable = "unread" | "damaged";

/** A stored document whose checksum is right. */
interface CheckedDocument {
  /** Id of the {@link Dictionary} that it was compressed with. */
  readonly dictionaryId: string;
  /** One zstd frame (RFC 8878). */
  readonly frame: Uint8Array;
}

/** An assessment as JSON. `TURNED_OFF` represents the entry of the dictionary's `turnedOff` at the same index. */
type AssessmentJson = Omit<Assessment, "sources"> & {
  readonly sources: readonly (SourceState | typeof TURNED_OFF)[];
};

/**
 * Most sources are turned off. Storing a number instead halves the time and the memory that reading an assessment
 * takes.
 */
const TURNED_OFF = 0;

export function encodeAssessment(assessment: Assessment, dictionary: Dictionary): Uint8Array {
  const isTurnedOff = (source: SourceState, at: number) =>
    source.skipped === "turned_off" && JSON.stringify(source) === JSON.stringify(dictionary.turnedOff[at]);
  const sources = assessment.sources.map((source, at) => (isTurnedOff(source, at) ? TURNED_OFF : source));
  const json: AssessmentJson = { ...assessment, sources };
  return encodeDocument(assessment.address, JSON.stringify(json), dictionary);
}

/** Encodes JSON about an address as a document: format, checksum, dictionary id, zstd frame. */
export function encodeDocument(address: string, json: string, dictionary: Dictionary): Uint8Array {
  const frame = zstdCompressSync(json, {
    dictionary: dictionary.bytes,
    params: { [constants.ZSTD_c_compressionLevel]: LEVEL },
  });
  const document = Buffer.allocUnsafe(HEADER_BYTES + frame.length);
  document[0] = FORMAT;
  document.write(dictionary.id, 9, 8, "hex");
  document.set(frame, HEADER_BYTES);
  document.writeBigUInt64LE(checksumOf(seedOf(address), document), 1);
  return document;
}

/**
 * Splits a document of an address. The checksum is the xxHash64, little-endian, of all bytes after it, so a missing or
 * changed byte is detected before zstd reads the frame. A document of another address is damaged.
 */
export function checkDocument(address: string, value: unknown): CheckedDocument | Unreadable {
  if (!(value instanceof ArrayBuffer || value instanceof Uint8Array)) return "damaged";
  const document = viewOf(value);
  if (OLD_FORMATS.has(document[0])) return "unread";
  if (document.length <= HEADER_BYTES || document[0] !== FORMAT) return "damaged";
  if (checksumOf(seedOf(address), document) !== document.readBigUInt64LE(1)) return "damaged";
  return { dictionaryId: document.toString("hex", 9, HEADER_BYTES), frame: document.subarray(HEADER_BYTES) };
}

/** An assessment, and the number of characters of its JSON. */
type ReadAssessment = Required<Pick<FoundReport, "assessment" | "chars">>;

export async function readAssessment(
  address: string,
  value: unknown,
  dictionaries: Pick<DictionaryCache, "find">,
  client: Pick<Client, "execute">,
): Promise<ReadAssessment | Unreadable> {
  const document = checkDocument(address, value);
  if (typeof document === "string") return document;
  const dictionary = await dictionaries.find(document.dictionaryId, client);
  return dictionary === undefined ? "damaged" : decodeAssessment(document, dictionary);
}

/** Does the same as {@link readAssessment} without waiting; undefined when the dictionary must be read first. */
export function readAssessmentNow(
  address: string,
  value: unknown,
  dictionaries: Pick<DictionaryCache, "findCached">,
): ReadAssessment | Unreadable | undefined {
  const document = checkDocument(address, value);
  if (typeof document === "string") return document;
  const dictionary = dictionaries.findCached(document.dictionaryId);
  return dictionary && decodeAssessment(document, dictionary);
}

/**
 * Reads the JSON of the survey of a row; undefined for an old format.
 * @throws when it is damaged or its dictionary is missing.
 */
export async function readSurvey(
  address: string,
  value: unknown,
  dictionaries: Pick<DictionaryCache, "find">,
  client: Pick<Client, "execute">,
): Promise<string | undefined> {
  const document = checkDocument(address, value);
  if (document === "unread") return undefined;
  if (document === "damaged")
    throw new TypeError("Cannot read a survey: it is damaged or of another address");
  const dictionary = await dictionaries.find(document.dictionaryId, client);
  if (dictionary === undefined)
    throw new TypeError(`Cannot read a survey: dictionary "${document.dictionaryId}" is missing or damaged`);
  return decompress(document.frame, dictionary.bytes);
}

function decodeAssessment(
  { frame }: CheckedDocument,
  { bytes, turnedOff }: Dictionary,
): ReadAssessment | "damaged" {
  try {
    const text = decompress(frame, bytes);
    const json = JSON.parse(text) as AssessmentJson;
    const sources = json.sources.map((source, at) => (source === TURNED_OFF ? turnedOff[at] : source));
    if (sources.includes(undefined)) return "damaged";
    // Changes the parsed object, because copying it takes as long as parsing the rest.
    const assessment = Object.assign(json as Omit<Assessment, "sources">, {
      sources: sources as SourceState[],
    });
    return { assessment, chars: text.length };
  } catch {
    return "damaged";
  }
}

/**
 * Restores the text of a frame.
 * @throws when it is not a zstd frame, or the text is larger than {@link MAX_DOCUMENT_BYTES}.
 */
export function decompress(frame: Uint8Array, dictionary: Uint8Array): string {
  return zstdDecompressSync(frame, { maxOutputLength: MAX_DOCUMENT_BYTES, dictionary }).toString();
}

/** Returns the bytes without copying them. */
function viewOf(value: ArrayBuffer | Uint8Array): Buffer {
  if (value instanceof Buffer) return value;
  return value instanceof ArrayBuffer
    ? Buffer.from(value)
    : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}

/** The checksum covers the address and the format, so a document with another address or format is detected. */
function seedOf(address: string): bigint {
  return Bun.hash.xxHash64(`${FORMAT} ${address}`);
}

function checksumOf(seed: bigint, document: Buffer): bigint {
  return Bun.hash.xxHash64(document.subarray(9), seed);
}
