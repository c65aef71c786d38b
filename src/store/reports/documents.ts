import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { Assessment, SourceState } from "#report";
import type { Dictionary } from "./dictionaries.ts";

/** First byte of a document. Earlier versions wrote 2, `{` (JSON) or 0x28 (zstd alone): see read_documents.ts. */
const FORMAT = 3;

/** Format (1 byte), checksum (8 bytes), dictionary id (8 bytes). */
const HEADER_BYTES = 17;

/** Compression level. Higher levels make documents a tenth smaller and take several times as long. */
const LEVEL = 6;

/** Larger documents are refused; real ones are far smaller. */
export const MAX_DOCUMENT_BYTES = 8_000_000;

/** A blob as the drivers return it. */
export type Blob = ArrayBuffer | Uint8Array;

/** A stored document whose checksum is right. */
export interface CheckedDocument {
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

/** Encodes an assessment. */
export function encodeAssessment(assessment: Assessment, dictionary: Dictionary): Uint8Array {
  const isTurnedOff = (source: SourceState, at: number) =>
    source.skipped === "turned_off" && JSON.stringify(source) === JSON.stringify(dictionary.turnedOff[at]);
  const sources = assessment.sources.map((source, at) => (isTurnedOff(source, at) ? TURNED_OFF : source));
  const json: AssessmentJson = { ...assessment, sources };
  return encodeDocument(assessment.address, JSON.stringify(json), dictionary);
}

/**
 * Decodes the frame of an assessment.
 * @throws when it was not written by {@link encodeAssessment} with this dictionary.
 */
export function decodeAssessment(frame: Uint8Array, { bytes, turnedOff }: Dictionary): Assessment {
  const json = JSON.parse(decompress(frame, bytes)) as AssessmentJson;
  const sources = json.sources.map((source, at) => (source === TURNED_OFF ? turnedOff[at] : source));
  if (sources.includes(undefined))
    throw new TypeError("Cannot decode an assessment: the dictionary lacks a source");
  // Changes the parsed object, because copying it takes as long as parsing the rest.
  return Object.assign(json as Omit<Assessment, "sources">, { sources: sources as SourceState[] });
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

/** Whether a value begins with the current format byte. The document may still be damaged. */
export function isDocument(value: unknown): value is Blob {
  return isBlob(value) && viewOf(value)[0] === FORMAT;
}

/** Splits a document; undefined when it is damaged or belongs to another address. */
export function checkDocument(address: string, value: Blob): CheckedDocument | undefined {
  return splitDocument(viewOf(value), FORMAT, seedOf(address));
}

/**
 * Splits a document of the layout that formats 2 and 3 share; undefined when the checksum is wrong. The checksum is
 * the xxHash64, little-endian, of all bytes after it, so a missing or changed byte is detected before zstd reads the
 * frame.
 */
export function splitDocument(document: Buffer, format: number, seed: bigint): CheckedDocument | undefined {
  if (document.length <= HEADER_BYTES || document[0] !== format) return undefined;
  if (checksumOf(seed, document) !== document.readBigUInt64LE(1)) return undefined;
  return {
    dictionaryId: document.toString("hex", 9, HEADER_BYTES),
    frame: document.subarray(HEADER_BYTES),
  };
}

/**
 * Restores the text of a frame.
 * @throws when it is not a zstd frame, or the text is larger than {@link MAX_DOCUMENT_BYTES}.
 */
export function decompress(frame: Uint8Array, dictionary?: Uint8Array): string {
  return zstdDecompressSync(frame, {
    maxOutputLength: MAX_DOCUMENT_BYTES,
    ...(dictionary === undefined ? {} : { dictionary }),
  }).toString();
}

export function isBlob(value: unknown): value is Blob {
  return value instanceof Uint8Array || value instanceof ArrayBuffer;
}

/** Returns the bytes without copying them. */
export function viewOf(value: Blob): Buffer {
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
