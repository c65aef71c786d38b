import type { Client } from "@libsql/client";
import * as v from "valibot";
import { type Assessment, AssessmentSchema } from "#report";
import { readText } from "../statements.ts";
import { type Dictionary, type DictionaryCache, readDictionaryContent } from "./dictionaries.ts";
import {
  type Blob,
  type CheckedDocument,
  checkDocument,
  decodeAssessment,
  decompress,
  isBlob,
  isDocument,
  splitDocument,
  viewOf,
} from "./documents.ts";

/**
 * Why a row gives no assessment: `unread` = in a format that is no longer read, `damaged` = changed since it was
 * written, `foreign` = about another address.
 */
export type NoAssessment = "unread" | "damaged" | "foreign";

/** Reads the assessment of a row. A correct checksum shows that the row has not changed since this program wrote it. */
export async function readAssessment(
  address: string,
  value: unknown,
  dictionaries: DictionaryCache,
  client: Pick<Client, "execute">,
): Promise<Assessment | NoAssessment> {
  if (!isDocument(value)) return readOldAssessment(address, value);
  const document = checkDocument(address, value);
  const dictionary = document && (await dictionaries.find(document.dictionaryId, client));
  return document === undefined || dictionary === undefined ? "damaged" : parse(document, dictionary);
}

/** Does the same as {@link readAssessment} without waiting; undefined when the dictionary must be read first. */
export function readAssessmentNow(
  address: string,
  value: unknown,
  dictionaries: Pick<DictionaryCache, "findCached">,
): Assessment | NoAssessment | undefined {
  if (!isDocument(value)) return readOldAssessment(address, value);
  const document = checkDocument(address, value);
  if (document === undefined) return "damaged";
  const dictionary = dictionaries.findCached(document.dictionaryId);
  return dictionary && parse(document, dictionary);
}

/**
 * Reads the JSON of the survey of a row.
 * @throws when it is damaged or its dictionary is missing.
 */
export async function readSurvey(
  address: string,
  value: unknown,
  dictionaries: DictionaryCache,
  client: Pick<Client, "execute">,
): Promise<string> {
  if (!isBlob(value)) throw new TypeError("Cannot read a survey: it is not a blob");
  if (!isDocument(value)) return readOldSurvey(address, value, client);
  const document = checkDocument(address, value);
  if (document === undefined)
    throw new TypeError("Cannot read a survey: it is damaged or of another address");
  const dictionary = await dictionaries.find(document.dictionaryId, client);
  if (dictionary === undefined)
    throw new TypeError(`Cannot read a survey: dictionary "${document.dictionaryId}" is missing or damaged`);
  return decompress(document.frame, dictionary.bytes);
}

function parse({ frame }: CheckedDocument, dictionary: Dictionary): Assessment | "damaged" {
  try {
    return decodeAssessment(frame, dictionary);
  } catch {
    return "damaged";
  }
}

/**
 * Documents that earlier versions wrote. Format 1: an assessment as JSON, a survey as JSON in a zstd frame. Format 2:
 * the layout of documents.ts, with the fields of each source moved to a source manifest. Surveys of both are read.
 * Assessments of format 2 are not read: the lookup assesses their surveys again, which needs no query.
 */
const FORMAT_2 = 2;

/** The states of a run in format 2, by number; `TURNED_OFF` is the reason that format 2 leaves out. */
const STATES = ["answered", "empty", "skipped", "failed"];
const TURNED_OFF = "turned_off";

/** Source manifest of format 2: the fields of each run that depend on its source, and the dictionary's text. */
const ManifestSchema = v.object({ runs: v.array(v.looseObject({})), words: v.string() });

const PackedSurveySchema = v.looseObject({ runs: v.array(v.unknown()) });

/** A run of format 2: all of its own fields, or `4 * ms + state` and the rest of them. */
const PackedRunSchema = v.union([
  v.pipe(
    v.number(),
    v.transform((msAndState) => [msAndState, undefined] as const),
  ),
  v.tuple([v.number(), v.looseObject({})]),
]);

/** Reads an assessment of format 1; `unread` for other JSON and for format 2. */
function readOldAssessment(address: string, value: unknown): Assessment | NoAssessment {
  if (isFormat2(value)) return split(address, value) === undefined ? "damaged" : "unread";
  let json: unknown;
  try {
    json = JSON.parse(readText(value));
  } catch {
    return "damaged";
  }
  const parsed = v.safeParse(AssessmentSchema, json);
  if (!parsed.success) return "unread";
  return parsed.output.address === address ? parsed.output : "foreign";
}

/**
 * Restores the JSON of a survey of format 1 or 2.
 * @throws when it is damaged or its manifest is missing.
 */
async function readOldSurvey(address: string, value: Blob, client: Pick<Client, "execute">): Promise<string> {
  if (!isFormat2(value)) {
    const json = decompress(viewOf(value));
    // zstd returns the beginning of a truncated frame without an error.
    JSON.parse(json);
    return json;
  }
  const document = split(address, value);
  if (document === undefined)
    throw new TypeError("Cannot read a survey: it is damaged or of another address");
  const content = await readDictionaryContent(document.dictionaryId, client);
  if (content === undefined)
    throw new TypeError(`Cannot read a survey: manifest "${document.dictionaryId}" is missing or damaged`);
  const manifest = v.parse(ManifestSchema, JSON.parse(content));
  const json = decompress(document.frame, Buffer.from(manifest.words));
  const survey = v.parse(PackedSurveySchema, JSON.parse(json));
  const runs = survey.runs.map((run, at) => ({ ...manifest.runs[at], ...unpackRun(run) }));
  return JSON.stringify({ ...survey, runs });
}

function unpackRun(run: unknown): object {
  const packed = v.safeParse(PackedRunSchema, run);
  if (!packed.success) return typeof run === "object" && run !== null ? run : {};
  const [msAndState, rest] = packed.output;
  const state = STATES[msAndState % STATES.length];
  const ms = Math.floor(msAndState / STATES.length);
  if (rest !== undefined) return { state, ms, ...rest };
  return state === "skipped" ? { state, ms, skipped: TURNED_OFF } : { state, ms };
}

function isFormat2(value: unknown): value is Blob {
  return isBlob(value) && viewOf(value)[0] === FORMAT_2;
}

function split(address: string, value: Blob) {
  return splitDocument(viewOf(value), FORMAT_2, Bun.hash.xxHash64(address));
}
