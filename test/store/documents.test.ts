import { describe, expect, test } from "bun:test";
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { toJsonSchema } from "@valibot/to-json-schema";
import fc from "fast-check";
import { AssessmentSchema } from "#report";
import { castOf, describeSources, readCast } from "../../src/store/cast.ts";
import { createCastBook } from "../../src/store/cast_book.ts";
import { createUnpacker } from "../../src/store/create_unpacker.ts";
import { readAssessment, readAssessmentNow } from "../../src/store/read_assessment.ts";
import { readSurvey } from "../../src/store/read_survey.ts";
import { isSealed, seal, unseal } from "../../src/store/seal.ts";
import { writeDocuments } from "../../src/store/write_documents.ts";
import { makeReport } from "./make_report.ts";

const ADDRESS = "203.0.113.7";

const staticRuns = [
  {
    id: "table",
    name: "A table",
    kind: "free",
    family: "rir",
    matters: ["registry"],
    weight: 0.5,
    local: true,
  },
  {
    id: "list",
    name: "A list",
    kind: "free",
    family: "x",
    matters: [],
    weight: 1,
    local: false,
    zone: { id: "z", label: "Z" },
  },
  { id: "api", name: "An API", kind: "commercial", family: "y", matters: ["abuse"], weight: 1, local: false },
  { id: "other", name: "Another", kind: "commercial", family: "y", matters: [], weight: 0, local: false },
] as const;

const survey = {
  address: ADDRESS,
  version: 4,
  surveyedAt: "2026-11-21T00:00:00.000Z",
  runs: [
    { ...staticRuns[0], state: "answered", ms: 0, observation: { dataDate: "2026-11-01" } },
    { ...staticRuns[1], state: "empty", ms: 123 },
    { ...staticRuns[2], state: "failed", ms: 4000, error: "timeout", detail: "没有回答" },
    { ...staticRuns[3], state: "skipped", ms: 0, skipped: "turned_off" },
  ],
};

const assessment: ReturnType<typeof makeReport>["assessment"] = {
  ...makeReport(ADDRESS, Date.parse(survey.surveyedAt)).assessment,
  listings: [
    { zone: "z", label: "Z", listed: true, benign: false, unavailable: false },
    { zone: "z", label: "Z", listed: true, benign: true, unavailable: false, codes: ["PBL"], subnet: true },
    { zone: "unknown", label: "Z", listed: false, benign: false, unavailable: true },
  ],
  sources: [
    { id: "table", name: "A table", kind: "free", state: "answered", ms: 0, dataDate: "2026-11-01" },
    { id: "list", name: "A list", kind: "free", state: "empty", ms: 123 },
    {
      id: "api",
      name: "An API",
      kind: "commercial",
      state: "failed",
      ms: 4000,
      error: "timeout",
      detail: "没有回答",
    },
    { id: "other", name: "Another", kind: "commercial", state: "skipped", ms: 0, skipped: "turned_off" },
  ],
};

/** A row's values as the driver gives them back. */
function toRow(bytes: string | Uint8Array): unknown {
  return typeof bytes === "string" ? bytes : new Uint8Array(bytes).buffer;
}

function write() {
  const casts = createCastBook();
  const documents = writeDocuments(assessment, JSON.stringify(survey), casts);
  if (documents.cast === undefined) throw new Error("no cast");
  return { casts, cast: documents.cast, documents };
}

/** A database that holds these casts, and counts how often it is asked. */
function hold(contents: ReadonlyMap<string, string>) {
  let asked = 0;
  const client = {
    async execute(statement: unknown) {
      asked += 1;
      const [id] = (statement as { args: string[] }).args;
      const content = contents.get(id ?? "");
      return { rows: content === undefined ? [] : [{ content }] } as never;
    },
  };
  return { client, asked: () => asked };
}

describe("writeDocuments()", () => {
  test("gives an assessment and its survey back as they were, to whoever has the cast", async () => {
    const { cast, documents } = write();
    const { client, asked } = hold(new Map([[cast.id, cast.content]]));
    const casts = createCastBook();
    expect(await readAssessment(ADDRESS, toRow(documents.assessment), casts, client)).toEqual(assessment);
    expect(JSON.parse(await readSurvey(ADDRESS, toRow(documents.survey), casts, client))).toEqual(survey);
    expect(asked()).toBe(1);
  });

  test("leaves what has no form of a survey as it is, readable without any cast", async () => {
    for (const odd of ["{}", "[]", "no JSON", '{"runs":["一"]}', '{"runs":[]}', '{"runs":[{"id":1}]}']) {
      const documents = writeDocuments(assessment, odd, createCastBook());
      expect(documents.cast).toBeUndefined();
      const { client } = hold(new Map());
      expect(await readSurvey(ADDRESS, toRow(documents.survey), createCastBook(), client)).toBe(odd);
      expect(await readAssessment(ADDRESS, toRow(documents.assessment), createCastBook(), client)).toEqual(
        assessment,
      );
    }
  });

  test("takes no survey that is cut short or of impossible length for one, though it stands without a seal", async () => {
    const long = JSON.stringify({ words: Array.from({ length: 60_000 }, (_, n) => (n * 48_271) % 65_537) });
    for (const odd of ["{}", long]) {
      const { survey: packed } = writeDocuments(assessment, odd, createCastBook());
      const read = (length: number) =>
        readSurvey(ADDRESS, toRow(packed.slice(0, length)), createCastBook(), hold(new Map()).client);
      expect(await read(packed.length)).toBe(odd);
      for (const length of [0, 1, 8, packed.length >> 1, packed.length - 1])
        expect(read(length)).rejects.toThrow();
    }
    const huge = toRow(Bun.zstdCompressSync(Buffer.alloc(8_000_001)));
    expect(readSurvey(ADDRESS, huge, createCastBook(), hold(new Map()).client)).rejects.toThrow("too large");
  });

  test("keeps the assessment whole whose sources are not those of the survey", () => {
    const other = { ...assessment, sources: assessment.sources.slice(1) };
    const documents = writeDocuments(other, JSON.stringify(survey), createCastBook());
    expect(JSON.parse(String(documents.assessment))).toEqual(other);
  });

  test("gives back any state, time and words of the runs", async () => {
    const runs = fc.tuple(
      ...staticRuns.map((described) =>
        fc
          .record({
            state: fc.constantFrom("answered", "empty", "skipped", "failed", "new_state"),
            ms: fc.oneof(
              fc.nat(),
              fc.integer(),
              fc.maxSafeInteger(),
              fc.double({ noNaN: true, noDefaultInfinity: true }),
            ),
            rest: fc.dictionary(fc.constantFrom("error", "detail", "skipped", "later"), fc.string()),
          })
          .map(({ state, ms, rest }) => ({ ...described, state, ms, ...rest })),
      ),
    );
    await fc.assert(
      fc.asyncProperty(runs, async (made) => {
        const json = JSON.stringify({ ...survey, runs: made });
        const casts = createCastBook();
        const documents = writeDocuments(assessment, json, casts);
        const { client } = hold(new Map());
        const read = JSON.parse(await readSurvey(ADDRESS, toRow(documents.survey), casts, client));
        expect(read).toEqual(JSON.parse(json));
      }),
      { numRuns: 300 },
    );
  });
});

describe("readAssessment()", () => {
  test("takes no sealed document for whole of which a single bit has changed", async () => {
    const { casts, documents } = write();
    const { client } = hold(new Map());
    if (typeof documents.assessment === "string") throw new Error("not packed");
    const sealed = documents.assessment;
    for (let at = 1; at < sealed.length; at += 1) {
      const bent = new Uint8Array(sealed);
      bent[at] = (bent[at] ?? 0) ^ 4;
      expect(await readAssessment(ADDRESS, bent.buffer, casts, client)).toBe("damaged");
    }
  });

  test("takes no document of another address, and none whose cast is missing or not itself", async () => {
    const { casts, cast, documents } = write();
    const none = hold(new Map()).client;
    const row = toRow(documents.assessment);
    expect(await readAssessment("203.0.113.8", row, casts, none)).toBe("damaged");
    expect(await readAssessment(ADDRESS, row, createCastBook(), none)).toBe("damaged");
    const bent = hold(new Map([[cast.id, cast.content.replace("A table", "A tablE")]])).client;
    expect(await readAssessment(ADDRESS, row, createCastBook(), bent)).toBe("damaged");
    expect(readSurvey(ADDRESS, toRow(documents.survey), createCastBook(), bent)).rejects.toThrow("cast");
  });

  test("still reads the plain form, and looks at it closely", async () => {
    const { client } = hold(new Map());
    const casts = createCastBook();
    expect(await readAssessment(ADDRESS, JSON.stringify(assessment), casts, client)).toEqual(assessment);
    expect(await readAssessment(ADDRESS, '{"purity":99}', casts, client)).toBe("unread");
    expect(await readAssessment(ADDRESS, "{", casts, client)).toBe("damaged");
    expect(await readAssessment("203.0.113.8", JSON.stringify(assessment), casts, client)).toBe("foreign");
  });

  test("knows the shape that sealed documents were written in: who changes it changes the form too", () => {
    const shape = JSON.stringify(toJsonSchema(AssessmentSchema, { errorMode: "ignore" }));
    expect(new Bun.CryptoHasher("sha256").update(shape).digest("hex").slice(0, 16)).toBe("f6659b00ade52a43");
  });
});

describe("seal()", () => {
  test("is told from plain JSON and from zstd alone, and opens under its address only", () => {
    const bytes = seal(ADDRESS, { castId: "0123456789abcdef", body: new Uint8Array([1, 2, 3]) });
    const value = new Uint8Array(bytes).buffer;
    expect(isSealed(value)).toBe(true);
    expect(isSealed(new Uint8Array(Bun.zstdCompressSync("{}")).buffer)).toBe(false);
    expect(isSealed(new ArrayBuffer(0))).toBe(false);
    expect(isSealed("{}")).toBe(false);
    const opened = unseal(ADDRESS, value);
    expect(opened?.castId).toBe("0123456789abcdef");
    expect([...(opened?.body ?? [])]).toEqual([1, 2, 3]);
    expect(unseal("203.0.113.8", value)).toBeUndefined();
    for (let length = 0; length < bytes.length; length += 1)
      expect(unseal(ADDRESS, value.slice(0, length))).toBeUndefined();
  });
});

describe("castOf()", () => {
  test("is the same for the same sources, whatever became of them, and survives being written down", () => {
    const one = castOf(describeSources(survey.runs));
    const two = castOf(describeSources(survey.runs.map((run) => ({ ...run, ms: 7, state: "failed" }))));
    expect(one?.id).toBe(two?.id ?? "");
    expect(readCast(one?.content ?? "")?.id).toBe(one?.id ?? "");
    expect(castOf(describeSources(survey.runs.slice(1)))?.id).not.toBe(one?.id);
    expect(castOf("[]")).toBeUndefined();
    for (const odd of ["", "{", "[]", '{"runs":[]}', '{"runs":{},"words":""}'])
      expect(readCast(odd)).toBeUndefined();
  });
});

describe("createUnpacker()", () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: "binary", minLength: 100, maxLength: 400 }));

  test("gives back any text, with any dictionary, as the runtime's own way does", () => {
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 5 }), fc.nat(20), (words, parts, times) => {
        const dictionary = Buffer.from(words);
        const whole = (parts.join(words.slice(3)) + words).repeat(times).toWellFormed();
        const packed = zstdCompressSync(whole, { dictionary });
        expect(zstdDecompressSync(packed, { dictionary }).toString()).toBe(whole);
        expect(createUnpacker(dictionary)(packed)).toBe(whole);
      }),
    );
  });

  test.each([0, 1, 255, 256, 65_791, 65_792, 1_000_000])("gives back %d bytes", (length) => {
    const dictionary = Buffer.from("0123456789abcdef".repeat(300));
    const whole = Array.from({ length }, (_, n) => String.fromCharCode(97 + ((n * n) % 26))).join("");
    const unpack = createUnpacker(dictionary);
    expect(unpack(zstdCompressSync(whole, { dictionary }))).toBe(whole);
    // What is longer is not left behind for the next.
    expect(unpack(zstdCompressSync("short", { dictionary }))).toBe("short");
  });

  test("gives back what has a checksum, no size, or a dictionary larger than a block", () => {
    const words = "the words of a dictionary ".repeat(10);
    const whole = words.repeat(40);
    const dictionary = Buffer.from(words);
    const params = { [constants.ZSTD_c_checksumFlag]: 1, [constants.ZSTD_c_contentSizeFlag]: 0 };
    expect(createUnpacker(dictionary)(zstdCompressSync(whole, { dictionary, params }))).toBe(whole);
    const large = Buffer.from(words.repeat(1000));
    expect(createUnpacker(large)(zstdCompressSync(whole, { dictionary: large }))).toBe(whole);
  });

  test("throws on what is cut, is something else, or says that it is larger than any document", () => {
    const dictionary = Buffer.from("the words of a dictionary ".repeat(10));
    const unpack = createUnpacker(dictionary);
    const packed = zstdCompressSync("other words of a dictionary ".repeat(30), { dictionary });
    expect(() => unpack(packed.subarray(0, -1))).toThrow();
    expect(() => unpack(Buffer.from("not packed at all"))).toThrow();
    expect(() => unpack(zstdCompressSync(Buffer.alloc(8_000_001), { dictionary }))).toThrow();
    expect(unpack(packed)).toBe("other words of a dictionary ".repeat(30));
  });
});

describe("readAssessmentNow()", () => {
  test("says what readAssessment() does once the cast is there, and nothing before", async () => {
    const { casts, documents } = write();
    const value = Buffer.from(documents.assessment);
    expect(readAssessmentNow(ADDRESS, value, createCastBook())).toBeUndefined();
    expect(readAssessmentNow(ADDRESS, value, casts)).toEqual(assessment);
    expect(JSON.stringify(readAssessmentNow(ADDRESS, value, casts))).toBe(JSON.stringify(assessment));
    expect(readAssessmentNow("203.0.113.8", value, casts)).toBe("damaged");
    for (let at = 0; at < value.length; at += 1) {
      const turned = Buffer.from(value);
      turned[at] = (turned[at] ?? 0) ^ 1;
      expect(readAssessmentNow(ADDRESS, turned, casts)).toBe("damaged");
    }
    expect(readAssessmentNow(ADDRESS, JSON.stringify(assessment), casts)).toEqual(assessment);
    expect(readAssessmentNow("203.0.113.8", JSON.stringify(assessment), casts)).toBe("foreign");
    expect(readAssessmentNow(ADDRESS, null, casts)).toBe("unread");
  });
});
