import type { Language } from "#report";
import { en } from "./en.ts";
import type { PartialTexts } from "./texts.ts";
import { zh } from "./zh.ts";

const TEXTS = { zh, en } as const satisfies Record<Language, PartialTexts>;

/** All texts of a language. */
export function wordsOf(language: Language): PartialTexts {
  return TEXTS[language];
}
