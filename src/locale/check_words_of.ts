import type { Language } from "#report";
import { checkEn } from "./check_en.ts";
import type { CheckTexts } from "./check_texts.ts";
import { checkZh } from "./check_zh.ts";

const TEXTS = { zh: checkZh, en: checkEn } as const satisfies Record<Language, CheckTexts>;

/** The words of the human check, the live progress and the rating form, in one language. */
export function checkWordsOf(language: Language): CheckTexts {
  return TEXTS[language];
}
