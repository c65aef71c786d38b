import { describe, expect, test } from "bun:test";
import { zstdCompressSync } from "node:zlib";
import { toJsonSchema } from "@valibot/to-json-schema";
import fc from "fast-check";
import type { Survey } from "#evidence";
import { type Assessment, AssessmentSchema } from "#report";
import { createDictionaryCache, type Dictionary } from "../../../src/store/reports/dictionaries.ts";
import {
  checkDocument,
  decompress,
  encodeAssessment,
  encodeDocument,
  readAssessment,
  readAssessmentNow,
  readSurvey,
} from "../../../src/store/reports/documents.ts";
import DOCUMENT from "../../fixtures/stored_document.json";
import { makeReport } from "../make_report.ts";

const ADDRESS = "203.0.113.7";

const { runs, listings, sources } = DOCUMENT as unknown as Pick<Survey, "runs"> &
  Pick<Assessment, "listings" | "sources">;
const survey = { address: ADDRESS, version: 4, surveyedAt: "2026-11-21T00:00:00.000Z", runs };
const assessment: Assessment = {
  ...makeReport(ADDRESS, Date.parse(survey.surveyedAt)).assessment,
  listings,
  sources,
};

/** A row's value as the driver returns it. */
function toRow(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

function write(json = JSON.stringify(survey)) {
  const dictionaries = createDictionaryCache();
  const dictionary = dictionaries.ofRuns(survey.runs);
  return {
    dictionaries,
    dictionary,
    assessment: encodeAssessment(assessment, dictionary),
    survey: encodeDocument(ADDRESS, json, dictionary),
  };
}

/** A database that contains these dictionaries and counts its queries. */
function hold(...stored: readonly Pick<Dictionary, "id" | "content">[]) {
  let asked = 0;
  const client = {
    async execute(statement: unknown) {
      asked += 1;
      const [id] = (statement as { args: string[] }).args;
      const found = stored.find((one) => one.id === id);
      return { rows: found === undefined ? [] : [[found.content]] } as never;
    },
  };
  return { client, asked: () => asked };
}

describe("encodeDocument()", () => {
  test("restores an assessment and its survey with the dictionary", async () => {
    const written = write();
    const { client, asked } = hold(written.dictionary);
    const cache = createDictionaryCache();
    expect(await readAssessment(ADDRESS, toRow(written.assessment), cache, client)).toMatchObject({
      assessment,
    });
    expect(await readSurvey(ADDRESS, toRow(written.survey), cache, client)).toBe(JSON.stringify(survey));
    expect(asked()).toBe(1);
  });

  test("restores any text byte for byte", async () => {
    const text = fc.oneof(fc.string(), fc.string({ unit: "binary", minLength: 100, maxLength: 400 }));
    await fc.assert(
      fc.asyncProperty(text, fc.nat(50), async (words, times) => {
        const whole = words.repeat(times).toWellFormed();
        const written = write(whole);
        const { client } = hold(written.dictionary);
        const read = await readSurvey(ADDRESS, toRow(written.survey), createDictionaryCache(), client);
        expect(read).toBe(whole);
      }),
    );
    for (const odd of ["", "{}", "no JSON", '{"runs":["一"]}'])
      expect(await readSurvey(ADDRESS, write(odd).survey, write().dictionaries, hold().client)).toBe(odd);
  });

  test("stores a report of a hundred sources in less than 3 kB", () => {
    const runs = Array.from({ length: 100 }, (_, n) => ({
      id: `source_${n}_${Bun.hash(String(n)).toString(36)}`,
      name: `Source ${Bun.hash(String(n + 1000)).toString(36)}`,
      kind: "free",
      family: `family ${n % 30}`,
      matters: ["lists"],
      weight: 1,
      local: n % 3 === 0,
      state: n % 2 === 0 ? "answered" : "skipped",
      ms: (n * 37) % 900,
    }));
    const sources = runs.map(({ id, name, kind, state, ms }) => ({ id, name, kind, state, ms }));
    const dictionary = createDictionaryCache().ofRuns(runs);
    const bytes = [
      { ...survey, runs },
      { ...assessment, sources },
    ].map((document) => encodeDocument(ADDRESS, JSON.stringify(document), dictionary).length);
    expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(3000);
  });
});

describe("a stored document", () => {
  test("with a cut or changed byte is never read as another one", async () => {
    const written = write();
    const { client } = hold(written.dictionary);
    const { dictionaries } = written;
    for (const document of [written.assessment, written.survey]) {
      for (let at = 0; at < document.length; at += 1) {
        for (const bit of [4, 128]) {
          const turned = new Uint8Array(document);
          turned[at] = (turned[at] ?? 0) ^ bit;
          expect(await readAssessment(ADDRESS, turned.buffer, dictionaries, client)).toBe("damaged");
          expect(readAssessmentNow(ADDRESS, turned, dictionaries)).toBe("damaged");
          await expect(readSurvey(ADDRESS, turned.buffer, dictionaries, client)).rejects.toThrow();
        }
      }
      for (let length = 0; length < document.length; length += 1) {
        const cut = toRow(document.slice(0, length));
        expect(await readAssessment(ADDRESS, cut, dictionaries, client)).toBe("damaged");
        expect(checkDocument(ADDRESS, cut)).toBe("damaged");
        await expect(readSurvey(ADDRESS, cut, dictionaries, client)).rejects.toThrow();
      }
    }
  });

  test("of another address, or without its dictionary, is damaged", async () => {
    const written = write();
    const { dictionary } = written;
    const row = toRow(written.assessment);
    const { client } = hold();
    expect(await readAssessment("203.0.113.8", row, written.dictionaries, client)).toBe("damaged");
    expect(await readAssessment(ADDRESS, row, createDictionaryCache(), client)).toBe("damaged");
    const changed = hold({ id: dictionary.id, content: dictionary.content.replace("A table", "A tablE") });
    expect(await readAssessment(ADDRESS, row, createDictionaryCache(), changed.client)).toBe("damaged");
    await expect(
      readSurvey(ADDRESS, toRow(written.survey), createDictionaryCache(), changed.client),
    ).rejects.toThrow("dictionary");
  });

  test("of an old format is not read and is no error", async () => {
    const { dictionaries, assessment: document } = write();
    const { client } = hold();
    const format2 = new Uint8Array(document);
    format2[0] = 2;
    for (const old of [format2, Bun.zstdCompressSync("{}"), Buffer.from(JSON.stringify(assessment))]) {
      expect(await readAssessment(ADDRESS, toRow(old), dictionaries, client)).toBe("unread");
      expect(readAssessmentNow(ADDRESS, old, dictionaries)).toBe("unread");
      expect(await readSurvey(ADDRESS, toRow(old), dictionaries, client)).toBeUndefined();
    }
    for (const value of [new ArrayBuffer(0), "{}", null, 5])
      expect(readAssessmentNow(ADDRESS, value, dictionaries)).toBe("damaged");
  });

  test("larger than any document is refused", () => {
    const dictionary = Buffer.from("the words of a dictionary ".repeat(10));
    expect(() => decompress(zstdCompressSync(Buffer.alloc(8_000_001), { dictionary }), dictionary)).toThrow();
    expect(() => decompress(Buffer.from("not compressed at all"), dictionary)).toThrow();
  });

  test("has the fields that it was written with: a change of the schema is a change of the format", () => {
    const shape = JSON.stringify(toJsonSchema(AssessmentSchema, { errorMode: "ignore" }));
    expect(new Bun.CryptoHasher("sha256").update(shape).digest("hex").slice(0, 16)).toBe("852b606e3a66bf59");
  });
});

describe("createDictionaryCache()", () => {
  test("returns the same dictionary for the same sources in any state", () => {
    const one = createDictionaryCache().ofRuns(survey.runs);
    const two = createDictionaryCache().ofRuns(
      survey.runs.map((run) => ({ ...run, ms: 7, state: "failed", observation: {} })),
    );
    expect(two).toEqual(one);
    expect(createDictionaryCache().ofRuns(survey.runs.slice(1)).id).not.toBe(one.id);
  });

  test("returns the dictionary that was used last", async () => {
    const cache = createDictionaryCache();
    expect(cache.latest()).toBeUndefined();
    const one = cache.ofRuns(survey.runs);
    const two = cache.ofRuns([]);
    expect(cache.latest()).toEqual(two);
    await cache.find(one.id, hold().client);
    expect(cache.latest()).toEqual(one);
  });
});

describe("readAssessmentNow()", () => {
  test("returns what readAssessment() returns once the dictionary is cached, and nothing before", () => {
    const written = write();
    const value = Buffer.from(written.assessment);
    expect(readAssessmentNow(ADDRESS, value, createDictionaryCache())).toBeUndefined();
    expect(JSON.stringify(readAssessmentNow(ADDRESS, value, written.dictionaries))).toStartWith(
      `{"assessment":${JSON.stringify(assessment)}`,
    );
    expect(readAssessmentNow("203.0.113.8", value, written.dictionaries)).toBe("damaged");
  });
});
