import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { problemTextsOf, reportTextsOf } from "#locale";
import {
  BANDS,
  CONFIDENCES,
  FLAGS,
  LANGUAGES,
  type Language,
  NATIVE_TYPES,
  PROBLEM_CODES,
  RUN_ERRORS,
  SCENARIO_LEVELS,
  SCENARIOS,
  SKIP_REASONS,
  SOURCE_KINDS,
  TIERS,
  USAGE_TYPES,
} from "#report";
import {
  ADJUSTMENT_IDS,
  FACTOR_CATEGORIES,
  FACTOR_IDS,
  NOTE_IDS,
  REASON_IDS,
  UNKNOWN_IDS,
  VERDICT_IDS,
} from "#scoring";

const LOCALE = join(import.meta.dir, "../../../src/locale");
const areas = readdirSync(join(LOCALE, "en")).filter((file) => file.endsWith(".json"));

/** Every text of a catalogue by its path. */
function listTexts(value: unknown, path: string): readonly (readonly [path: string, text: string])[] {
  if (typeof value === "string") return [[path, value]];
  return Object.entries(value ?? {}).flatMap(([key, inner]) => listTexts(inner, `${path}.${key}`));
}

function readCatalogues(language: Language): ReadonlyMap<string, string> {
  const read = (file: string) => JSON.parse(readFileSync(join(LOCALE, language, file), "utf8"));
  return new Map(areas.flatMap((file) => listTexts(read(file), file.replace(".json", ""))));
}

const zh = readCatalogues("zh");
const en = readCatalogues("en");

const placeholders = (text: string) =>
  [...new Set([...text.matchAll(/\{([^{}|]+)[^{}]*\}/g)].map(([, name]) => name))].sort();

describe("the catalogues", () => {
  test("have the same texts with the same placeholders in both languages", () => {
    expect(areas.length).toBeGreaterThan(8);
    expect([...zh.keys()].sort()).toEqual([...en.keys()].sort());
    for (const [path, text] of en) expect(placeholders(zh.get(path) ?? ""), path).toEqual(placeholders(text));
  });

  test("have no empty text, except the words that a share card leaves out", () => {
    const empty = [...zh, ...en].filter(([path, text]) => text === "" && !/^cards\..*\.unknown$/.test(path));
    expect(empty).toEqual([]);
  });

  test("are Chinese with full-width punctuation, and English without Chinese", () => {
    for (const [path, text] of zh)
      expect(text, path).not.toMatch(/\p{Script=Han}[,;:!?()]|[,;:!?()]\p{Script=Han}/u);
    for (const [path, text] of en)
      if (path !== "report.labels.otherLanguage")
        expect(text, path).not.toMatch(/[\p{Script=Han}\u3000-\u303f\uff00-\uffef]/u);
  });
});

test.each([
  ["factors", [...FACTOR_IDS, ...ADJUSTMENT_IDS]],
  ["categories", FACTOR_CATEGORIES],
  ["verdicts", VERDICT_IDS],
  ["reasons", REASON_IDS],
  ["notes", NOTE_IDS],
  ["unknowns", UNKNOWN_IDS],
  ["bands", BANDS],
  ["usages", USAGE_TYPES],
  ["natives", NATIVE_TYPES],
  ["flags", FLAGS],
  ["confidences", CONFIDENCES],
  ["scenarios", SCENARIOS],
  ["levels", SCENARIO_LEVELS],
  ["tiers", TIERS],
  ["kinds", SOURCE_KINDS],
  ["runErrors", RUN_ERRORS],
  ["skips", SKIP_REASONS],
  ["problems", PROBLEM_CODES],
] as const)("%s of both languages have exactly their ids", (group, ids) => {
  for (const language of LANGUAGES) {
    const texts = { ...reportTextsOf(language), problems: problemTextsOf(language) };
    expect(Object.keys(texts[group]).sort()).toEqual([...ids].sort());
  }
});
