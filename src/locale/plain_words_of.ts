import type { Language } from "#report";
import { plainEn } from "./plain_en.ts";
import type { PlainTexts } from "./plain_texts.ts";
import { plainZh } from "./plain_zh.ts";

const TEXTS = { zh: plainZh, en: plainEn } as const satisfies Record<Language, PlainTexts>;

/** The words of the text, terminal and Markdown reports in a language. */
export function plainWordsOf(language: Language): PlainTexts {
  return TEXTS[language];
}
