import { readFileSync } from "node:fs";
import { join } from "node:path";
import { nameCountry } from "#locale";
import CARD_RANGES from "./card_ranges.json" with { type: "json" };

const project = join(import.meta.dir, "../..");

/** First and last code points, in hexadecimal, for names of networks: Latin, Greek, Cyrillic, punctuation, arrows. */
const RANGES = CARD_RANGES.map((range) => range.map((code) => Number.parseInt(code, 16)));

/** The files with Chinese texts that a card may show. */
const TEXTS = ["cards.json", "network.json", "plain.json", "report.json", "../names.json"];

/** The first code point of the ideographs and their punctuation (Unicode block "CJK Radicals Supplement"). */
const FIRST_IDEOGRAPH = 0x2e80;

/** The letters and marks that the fonts of the share cards have for both languages. */
export function listLetters(): string {
  return RANGES.flatMap(([first = 0, last = 0]) =>
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
