import { readFileSync } from "node:fs";
import { join } from "node:path";
import { nameCountry } from "#locale";

const project = join(import.meta.dir, "../..");

/** Code points for names of networks: Latin with its extensions, Greek, Cyrillic, punctuation and arrows. */
const RANGES: readonly (readonly [first: number, last: number])[] = [
  [0x20, 0x7e],
  [0xa0, 0x17f],
  [0x1a0, 0x1a1],
  [0x1af, 0x1b0],
  [0x218, 0x21b],
  [0x386, 0x386],
  [0x388, 0x38a],
  [0x391, 0x3a1],
  [0x3a3, 0x3ce],
  [0x400, 0x45f],
  [0x1ea0, 0x1ef9],
  [0x2010, 0x2015],
  [0x2018, 0x201e],
  [0x2020, 0x2022],
  [0x2026, 0x2026],
  [0x2212, 0x2212],
];

/** The files with Chinese texts that a card may show. */
const TEXTS = ["cards.json", "plain.json", "report.json", "../names.json"];

/** The first code point of the ideographs and their punctuation (Unicode block "CJK Radicals Supplement"). */
const FIRST_IDEOGRAPH = 0x2e80;

/** The letters and marks that the fonts of the share cards have for both languages. */
export function listLetters(): string {
  return RANGES.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)),
  ).join("");
}

/** The ideographs that the fonts of the share cards have: those of the Chinese texts and of the names of countries. */
export function listIdeographs(): string {
  const texts = TEXTS.map((file) => readFileSync(join(project, "src/locale/zh", file), "utf8"));
  const names = listCountryCodes().map((code) => nameCountry(code, "zh"));
  const found = [...texts, ...names].flatMap((text) =>
    [...text].filter((character) => (character.codePointAt(0) ?? 0) >= FIRST_IDEOGRAPH),
  );
  return [...new Set(found)].sort().join("");
}

/** The codes of two letters that have a name (ISO 3166-1 alpha-2). */
export function listCountryCodes(): readonly string[] {
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  return letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter((code) => nameCountry(code, "en") !== code);
}
